"""The metadata in the head of a GGUF file, without reading its tensors.

The format: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md (versions 2 and 3, little endian).
"""

from __future__ import annotations

import struct
from pathlib import Path
from typing import BinaryIO

Scalar = int | float | bool | str

_NUMBERS = {0: "<B", 1: "<b", 2: "<H", 3: "<h", 4: "<I", 5: "<i", 6: "<f", 7: "<?", 10: "<Q", 11: "<q", 12: "<d"}
_STRING, _ARRAY = 8, 9
_LIMIT = 1 << 24


def gguf_metadata(path: Path) -> dict[str, Scalar]:
    """The scalar entries of a GGUF file's metadata; arrays (the vocabulary) are skipped.

    Raises `ValueError` where the file is no GGUF, `OSError` where it cannot be read.
    """
    with path.open("rb") as stream:
        if stream.read(4) != b"GGUF":
            raise ValueError(f"{path} is not a GGUF file")
        try:
            version, _, count = struct.unpack("<IQQ", stream.read(20))
            if version not in (2, 3) or count > _LIMIT:
                raise ValueError(f"{path} is a GGUF file of an unknown version")
            found = {}
            for _ in range(count):
                key = _string(stream)
                value = _value(stream, _number(stream, "<I"))
                if value is not None:
                    found[key] = value
            return found
        except (struct.error, UnicodeDecodeError, KeyError):
            raise ValueError(f"{path} is a damaged GGUF file") from None


def _number(stream: BinaryIO, code: str) -> int:
    return int(struct.unpack(code, stream.read(struct.calcsize(code)))[0])


def _string(stream: BinaryIO) -> str:
    length = _number(stream, "<Q")
    if length > _LIMIT:
        raise struct.error
    return stream.read(length).decode("utf-8")


def _value(stream: BinaryIO, kind: int) -> Scalar | None:
    if kind == _STRING:
        return _string(stream)
    if kind == _ARRAY:
        _skip_array(stream)
        return None
    code = _NUMBERS[kind]
    value: Scalar = struct.unpack(code, stream.read(struct.calcsize(code)))[0]
    return value


def _skip_array(stream: BinaryIO) -> None:
    kind, count = _number(stream, "<I"), _number(stream, "<Q")
    if count > _LIMIT:
        raise struct.error
    if kind in _NUMBERS:
        stream.seek(struct.calcsize(_NUMBERS[kind]) * count, 1)
    elif kind == _STRING:
        for _ in range(count):
            length = _number(stream, "<Q")
            stream.seek(length, 1)
    else:
        raise KeyError(kind)
