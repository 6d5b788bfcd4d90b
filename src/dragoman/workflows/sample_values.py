"""A few values of every column, read from the first rows of its table."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import islice
from typing import Any

from dragoman.agent.result_text import cell_text
from dragoman.databases import Database, Limits
from dragoman.errors import QueryError, Refused
from dragoman.schema import Schema, Table
from dragoman.schema.render import quoted
from dragoman.sql.quote import quote_table

READ = Limits(rows=200, seconds=5.0)
"""What is read of a table, once."""
LONGEST = 50
"""Characters of a value; longer ones are prose and are not shown."""


class SampleValues:
    """Distinct values by column of each table of `database`, each table read once. Safe in several threads."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = threading.Lock()
        self._read: dict[tuple[str, ...], Mapping[str, tuple[Any, ...]]] = {}

    def of(self, table: Table) -> Mapping[str, tuple[Any, ...]]:
        """The distinct values of the table's first rows by column, NULL left out; nothing if they cannot be read."""
        with self._lock:
            if table.full_name not in self._read:
                whole = self._database.schema().table(table.name, table.schema) or table
                self._read[table.full_name] = self._first_rows(whole)
            return self._read[table.full_name]

    def _first_rows(self, table: Table) -> Mapping[str, tuple[Any, ...]]:
        dialect = self._database.dialect
        names = [column.name for column in table.columns]
        listed = ", ".join(quoted(name, dialect) for name in names)
        try:
            rows = self._database.execute(
                f"SELECT {listed} FROM {quote_table(table, self._database.schema())}", READ
            ).rows
        except (QueryError, Refused):
            return {}
        return {name: _distinct(row[place] for row in rows) for place, name in enumerate(names)}


def with_values(schema: Schema, values: SampleValues | None, most: int) -> Schema:
    """The schema with up to `most` values of each column in its comment."""
    if values is None or not most:
        return schema
    tables = []
    for table in schema:
        found = values.of(table)
        columns = tuple(
            replace(
                column, comment="; ".join(filter(None, (column.comment, _examples(found.get(column.name, ()), most))))
            )
            for column in table.columns
        )
        tables.append(replace(table, columns=columns))
    return replace(schema, tables=tuple(tables))


def examples(values: Iterable[Any], most: int) -> list[str]:
    """The first `most` values as text, texts in quotes, long ones and bytes passed over."""
    short = (value for value in values if _is_short(value))
    shown = (repr(value) if isinstance(value, str) else cell_text(value, LONGEST) for value in short)
    return list(islice(shown, most))


def _examples(values: Iterable[Any], most: int) -> str:
    shown = examples(values, most)
    return f"e.g. {', '.join(shown)}" if shown else ""


def _is_short(value: Any) -> bool:
    return not isinstance(value, (bytes, bytearray, memoryview)) and len(str(value)) <= LONGEST


def _distinct(cells: Iterable[Any]) -> tuple[Any, ...]:
    """The cells without NULL and repetition, in order; lists and structs are told apart by how they look."""
    found: dict[str, Any] = {}
    for cell in cells:
        if cell is not None:
            found.setdefault(repr(cell), cell)
    return tuple(found.values())
