"""A file of JSON Lines that survives the process being killed at any moment."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from dragoman.errors import SetupError


class Ledger:
    """Appends whole lines, one write each. A line that a kill cut short is dropped when the file is opened again."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        self._drop_cut_line()

    def append(self, record: Mapping[str, Any]) -> None:
        """Add one record. The line is with the operating system when this returns."""
        line = encode(record)
        with self._lock:
            written = os.write(self._file, line)
            while written < len(line):
                written += os.write(self._file, line[written:])

    def close(self) -> None:
        os.close(self._file)

    def _drop_cut_line(self) -> None:
        data = self.path.read_bytes()
        whole = data.rfind(b"\n") + 1
        if whole < len(data):
            os.ftruncate(self._file, whole)


def encode(record: Mapping[str, Any]) -> bytes:
    """One line: UTF-8, keys in their order, no spaces. Text that is not valid Unicode is escaped."""
    text = json.dumps(record, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    try:
        return text.encode() + b"\n"
    except UnicodeEncodeError:
        return json.dumps(record, separators=(",", ":"), allow_nan=False).encode() + b"\n"


def read_ledger(path: Path) -> list[dict[str, Any]]:
    """The records of a file; none if it is absent. Raises `SetupError` naming the line that is not a JSON object."""
    if not path.exists():
        return []
    records = []
    for number, line in enumerate(path.read_bytes().split(b"\n"), 1):
        if not line:
            continue
        try:
            record = json.loads(line)
        except ValueError:
            record = None
        if not isinstance(record, dict):
            raise SetupError(f"{path}, line {number} is damaged. Remove that line and run again.")
        records.append(record)
    return records


def replace_ledger(path: Path, records: Iterable[Mapping[str, Any]]) -> None:
    """Write the whole file anew in one step: a kill leaves either the old file or the new one."""
    fresh = path.with_name(path.name + ".new")
    with fresh.open("wb") as file:
        for record in records:
            file.write(encode(record))
        file.flush()
        os.fsync(file.fileno())
    os.replace(fresh, path)
