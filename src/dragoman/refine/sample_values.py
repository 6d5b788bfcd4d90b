"""Values that show what a column holds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dragoman.databases import Database, Limits
from dragoman.errors import QueryError
from dragoman.schema import Schema, Table
from dragoman.sql.quote import quote, quote_table

COUNT, LENGTH = 20, 100
"""Distinct values kept of a column, and characters kept of each (EGRefine, section III-C: N_s = 20)."""
ROWS = 1000
"""Rows of a table that are read to find them."""
_LIMITS = Limits(rows=ROWS, seconds=10.0, bytes=16 * 2**20)


def sample_values(database: Database, schema: Schema, table: Table) -> Mapping[str, tuple[str, ...]]:
    """Up to `COUNT` distinct values of every column, as text, in the order in which rows come; NULL and bytes left out.

    One query reads the first rows of the table; a column that is empty there is asked alone. What cannot be read is
    empty.
    """
    dialect, where = schema.dialect, quote_table(table, schema)
    names = [column.name for column in table.columns]
    columns = ", ".join(quote(name, dialect) for name in names)
    found = {name: _distinct(values) for name, values in _read(database, columns, where, names).items()}
    for name in names:
        if not found.get(name):
            written = quote(name, dialect)
            alone = _read(database, written, f"{where} WHERE {written} IS NOT NULL", [name])
            found[name] = _distinct(alone.get(name, []))
    return found


def _read(database: Database, columns: str, source: str, names: list[str]) -> Mapping[str, list[Any]]:
    if not names:
        return {}
    try:
        rows = database.execute(f"SELECT {columns} FROM {source}", _LIMITS).rows
    except QueryError:
        return {}
    return dict(zip(names, ([*column] for column in zip(*rows, strict=True)), strict=False))


def _distinct(values: list[Any]) -> tuple[str, ...]:
    texts = (" ".join(str(v).split())[:LENGTH] for v in values if v is not None and not isinstance(v, bytes))
    return tuple(dict.fromkeys(text for text in texts if text))[:COUNT]
