"""The further databases of a distilled test suite, which lie beside the one that a question is about."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from dragoman.databases import Database, connect
from dragoman.questions import Example


class SuiteNeighbours(Mapping[str, Mapping[str, Any]]):
    """By example id, the `neighbours` of `metrics.Case`: every other `.sqlite` file in the folder of its database.

    Files are opened when they are asked for, once. Sets without a suite are empty mappings.
    """

    def __init__(self, examples: tuple[Example, ...], databases: Mapping[str, str]) -> None:
        files = {name: _others(Path(path)) for name, path in databases.items()}
        self._database = {e.question.id: e.database for e in examples if files.get(e.database)}
        self._files = files
        self._opened: dict[str, tuple[Database, ...]] = {}
        self._lock = threading.Lock()

    def __getitem__(self, example: str) -> Mapping[str, Any]:
        name = self._database[example]
        with self._lock:
            if name not in self._opened:
                self._opened[name] = tuple(connect(str(path)) for path in self._files[name])
            return {"neighbours": self._opened[name]}

    def __iter__(self) -> Iterator[str]:
        return iter(self._database)

    def __len__(self) -> int:
        return len(self._database)


def _others(path: Path) -> list[Path]:
    nested = path.parent.name == path.stem
    return sorted(other for other in path.parent.glob("*.sqlite") if other != path) if nested else []
