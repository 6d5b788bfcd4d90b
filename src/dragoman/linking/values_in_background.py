"""A value index that nobody waits for: while it is built, questions are matched with nothing."""

from __future__ import annotations

import threading
from pathlib import Path

from dragoman.databases import Database
from dragoman.linking.build_value_index import Progress, open_value_index
from dragoman.linking.value_index import ValueHint, ValueIndex


class ValuesInBackground:
    """Opens or builds the index of a database in a thread of its own, which ends with the process at the latest."""

    def __init__(self, database: Database, folder: Path, progress: Progress | None = None) -> None:
        self._index: ValueIndex | None = None
        self._error: Exception | None = None
        self._thread = threading.Thread(target=self._open, args=(database, folder, progress), daemon=True)
        self._thread.start()

    def match(self, question: str, most: int = 4, edits: int = 0) -> tuple[ValueHint, ...]:
        """As `ValueIndex.match`, or nothing as long as there is no index. Raises what the building raised."""
        if self._error is not None:
            raise self._error
        return () if self._index is None else self._index.match(question, most, edits)

    def wait(self, seconds: float | None = None) -> bool:
        """Whether the index is there within `seconds` (None: however long it takes)."""
        self._thread.join(seconds)
        return self._index is not None

    def _open(self, database: Database, folder: Path, progress: Progress | None) -> None:
        try:
            self._index = open_value_index(database, folder, progress)
        except Exception as error:
            self._error = error
