"""Gold results from another database than the one on which the answer runs."""

from __future__ import annotations

from dragoman.databases import Database, Rows
from dragoman.metrics import Digest, GoldCache


class GoldElsewhere(GoldCache):
    """Runs gold queries on `home`, whatever database is on trial: gold speaks the names from before a refinement."""

    def __init__(self, cache: GoldCache, home: Database) -> None:
        super().__init__(cache.bound)
        self._cache = cache
        self._home = home

    def digest(self, database: Database, sql: str) -> Digest:
        return self._cache.digest(self._home, sql)

    def rows(self, database: Database, sql: str) -> Rows:
        return self._cache.rows(self._home, sql)

    def again(self, database: Database, sql: str) -> Digest:
        return self._cache.again(self._home, sql)
