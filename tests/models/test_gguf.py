"""The head of GGUF files: written here by the format's own description, read back, damaged everywhere."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.models.embedded.gguf import Scalar, gguf_metadata


def text(value: str) -> bytes:
    data = value.encode()
    return struct.pack("<Q", len(data)) + data


def entry(key: str, value: Scalar) -> bytes:
    if isinstance(value, bool):
        return text(key) + struct.pack("<I?", 7, value)
    if isinstance(value, int):
        return text(key) + struct.pack("<Iq", 11, value)
    if isinstance(value, float):
        return text(key) + struct.pack("<Id", 12, value)
    return text(key) + struct.pack("<I", 8) + text(value)


def gguf(values: dict[str, Scalar], version: int = 3, extra: bytes = b"", more: int = 0) -> bytes:
    head = b"GGUF" + struct.pack("<IQQ", version, 0, len(values) + more)
    return head + extra + b"".join(entry(key, value) for key, value in values.items())


scalars = st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False) | st.text(max_size=20)


@given(st.dictionaries(st.text(max_size=10), scalars, max_size=5))
def test_scalars_come_back(tmp_path_factory: pytest.TempPathFactory, values: dict[str, Scalar]) -> None:
    path = tmp_path_factory.mktemp("gguf") / "a.gguf"
    path.write_bytes(gguf(values))
    assert gguf_metadata(path) == values


def test_arrays_are_skipped(tmp_path: Path) -> None:
    words = text("words") + struct.pack("<IIQ", 9, 8, 2) + text("one") + text("two")
    numbers = text("numbers") + struct.pack("<IIQ3f", 9, 6, 3, 1.0, 2.0, 3.0)
    (tmp_path / "a.gguf").write_bytes(gguf({"after": "arrays"}, extra=words + numbers, more=2))
    assert gguf_metadata(tmp_path / "a.gguf") == {"after": "arrays"}


def test_whatever_is_no_gguf_is_a_value_error(tmp_path: Path) -> None:
    path, whole = tmp_path / "a.gguf", gguf({"general.name": "x", "n": 1})
    damaged = [whole[:size] for size in range(len(whole))] + [gguf({}, version=99), b"GGUF" + b"\xff" * 40]
    for content in damaged:
        path.write_bytes(content)
        with pytest.raises(ValueError, match="GGUF"):
            gguf_metadata(path)


def test_the_adapter_names_its_order() -> None:
    import dragoman.models.embedded as room

    metadata = gguf_metadata(Path(room.__file__).with_name("adapter.gguf"))
    assert metadata["dragoman.sql_form.order"] in ("from", "select")
