"""A database whose columns are told in another order, so that prompts differ where the data do not."""

from __future__ import annotations

import hashlib
from contextlib import AbstractContextManager
from dataclasses import replace

from dragoman.databases import Database, Limits, Rows
from dragoman.databases.database import RowStream
from dragoman.schema import Schema


class ShuffledColumns:
    """`database` with the columns of every table shuffled in its schema (CHASE-SQL, section 3.1).

    Queries run as they are, so `SELECT *` keeps the order of the database. Closing it closes nothing.
    """

    def __init__(self, database: Database, seed: int) -> None:
        self.dialect = database.dialect
        self.name = database.name
        self._database = database
        self._seed = seed

    def schema(self) -> Schema:
        """The schema with columns in an order that depends on seed and names alone: like tables stay alike."""
        schema = self._database.schema()
        tables = [
            replace(table, columns=tuple(sorted(table.columns, key=lambda c: self._place(c.name)))) for table in schema
        ]
        return replace(schema, tables=tuple(tables))

    def _place(self, name: str) -> bytes:
        return hashlib.sha256(f"{self._seed} {name}".encode("utf-8", "replace")).digest()

    def fingerprint(self) -> str:
        return self._database.fingerprint()

    def execute(self, sql: str, limits: Limits = Limits()) -> Rows:
        return self._database.execute(sql, limits)

    def stream(self, sql: str, limits: Limits = Limits()) -> AbstractContextManager[RowStream]:
        return self._database.stream(sql, limits)

    def close(self) -> None:
        """The database belongs to whoever opened it."""
