"""Gold results, each computed once."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import replace

from dragoman.databases.database import Database, Rows
from dragoman.errors import QueryError, Refused
from dragoman.metrics.digest import Bound, Digest, digest_query


class GoldFailed(Exception):
    """A gold query failed, or its result is larger than what can be compared; the example is not scored."""


class GoldCache:
    """Results of gold queries by the fingerprint of their database and their text; safe to share between threads.

    Failures are kept too. The least recently used results go when more than `most` canonical bytes of rows are kept.
    """

    def __init__(self, bound: Bound = Bound(), most: int = 128 * 2**20) -> None:
        self.bound = bound
        self._room = most
        self._found: OrderedDict[tuple[str, str], Digest | str] = OrderedDict()
        self._lock = threading.Lock()

    def digest(self, database: Database, sql: str) -> Digest:
        """The whole result of a gold query. Raises `GoldFailed`."""
        key = (database.fingerprint(), sql)
        with self._lock:
            found = self._found.get(key)
            if found is not None:
                self._found.move_to_end(key)
        if found is None:
            found = self._run(database, sql, self.bound)
            self._keep(key, found)
        if isinstance(found, str):
            raise GoldFailed(found)
        return found

    def rows(self, database: Database, sql: str) -> Rows:
        """The rows of a gold query. Raises `GoldFailed`, also where they are too many to keep."""
        kept = self.digest(database, sql).kept
        if kept is None:
            raise GoldFailed(f"The result of the gold query is larger than {self.bound.keep} bytes.")
        return kept

    def again(self, database: Database, sql: str) -> Digest:
        """A second pass that keeps more rows (`Bound.again`) and is not stored. Raises `GoldFailed`."""
        found = self._run(database, sql, replace(self.bound, keep=self.bound.again))
        if isinstance(found, str):
            raise GoldFailed(found)
        return found

    def _keep(self, key: tuple[str, str], found: Digest | str) -> None:
        with self._lock:
            if key in self._found:
                return
            self._found[key] = found
            self._room -= _size(found)
            while self._room < 0 and len(self._found) > 1:
                self._room += _size(self._found.popitem(last=False)[1])

    def _run(self, database: Database, sql: str, bound: Bound) -> Digest | str:
        try:
            return digest_query(database, sql, bound)
        except (QueryError, Refused) as error:
            return f"The gold query failed: {error}"


def _size(found: Digest | str) -> int:
    """Canonical bytes that an entry holds, with something for the entry itself."""
    return 500 + (found.bytes if isinstance(found, Digest) and found.kept is not None else 0)
