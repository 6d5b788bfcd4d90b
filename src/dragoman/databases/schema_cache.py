"""A schema that is read again only when its mark has changed."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from dragoman.schema import Schema

QUICK_SECONDS = 0.1
SHARE = 20


class SchemaCache:
    """Keeps one schema; safe to use from several threads.

    The mark is asked for at every call. Where that takes more than 100 ms (thousands of tables), it is asked for so
    seldom that it takes at most a twentieth of the time.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._mark = ""
        self._schema: Schema | None = None
        self._good_until = 0.0

    def get(self, read: Callable[[str], tuple[str, Schema | None]]) -> Schema:
        """The schema. `read` gets the known mark ("" if none) and gives the present one, and None if it is the same."""
        with self._lock:
            started = time.monotonic()
            if self._schema is not None and started < self._good_until:
                return self._schema
            self._mark, found = read(self._mark)
            if found is not None:
                self._schema = found
            else:
                elapsed = time.monotonic() - started
                self._good_until = started + SHARE * elapsed if elapsed > QUICK_SECONDS else 0.0
            assert self._schema is not None
            return self._schema
