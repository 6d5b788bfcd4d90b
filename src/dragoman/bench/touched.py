"""Whether a query refers to a table or column that was renamed."""

from __future__ import annotations

from collections.abc import Mapping

from dragoman.errors import Unreadable
from dragoman.schema import Schema
from dragoman.sql.parse import parse
from dragoman.sql.references import references

Names = frozenset[tuple[str, str]]
"""(table, column) and, for a renamed table, (table, ""), in lower case."""


def old_names(renamed: Mapping[str, str]) -> Names:
    """What was renamed, under the names from before."""
    return frozenset(_split(name) for name in renamed)


def new_names(renamed: Mapping[str, str]) -> Names:
    """What was renamed, under the names of now; a column of a renamed table stands under the table's new name."""
    tables = {name.lower(): new.lower() for name, new in renamed.items() if "." not in name}
    found = {(new, "") for new in tables.values()}
    for name, new in renamed.items():
        table, column = _split(name)
        if column:
            found.add((tables.get(table, table), new.lower()))
    return frozenset(found)


def touches(sql: str, schema: Schema, names: Names) -> bool | None:
    """Whether the query reads one of `names`, stars included; None where it cannot be read or there are no names."""
    if not names or not sql:
        return None
    try:
        found = references(parse(sql, schema.dialect), schema, stars=True)
    except Unreadable:
        return None
    return any((table.lower(), column.lower()) in names for table, column in found)


def _split(name: str) -> tuple[str, str]:
    table, _, column = name.lower().rpartition(".")
    return (table, column) if table else (column, "")
