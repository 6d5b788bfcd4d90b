"""Refuses the names from before a refinement, and every way past the views that stand for the tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from sqlglot import exp

from dragoman.errors import Refused
from dragoman.schema import Schema
from dragoman.sql.binding import Binding, Bound
from dragoman.sql.parse import parse
from dragoman.sql.resolve import resolve

Covered = Mapping[str, Mapping[str, str]]
"""Table that a view stands for, in its new name -> {old name of a column in lower case: new name}."""

ROW_IDS = frozenset({"rowid", "oid", "_rowid_"})
"""What SQLite's tables have and its views do not: there it is NULL, and no error."""


def refuse_stale(sql: str, schema: Schema, covered: Covered) -> None:
    """Raise `Refused` where a query of the refined `schema` would reach behind the views of `covered`.

    That is a covered table with a qualifier (main.t is the table, t is the view), an old name of a column, also one
    in double quotes, which SQLite would take for a string, and SQLite's row ids.
    """
    tree = parse(sql, schema.dialect)
    binding = resolve(tree, schema)
    met = {key for _, _, key in binding.tables if key in covered}
    for node, table, key in binding.tables:
        if key in covered and len(node.parts) > 1:
            written = ".".join(part.name for part in node.parts)
            raise Refused(f"{written} would reach behind the refinement; write {table.name} alone.")
    if not met:
        return
    aliases = {alias.alias.lower() for alias in tree.find_all(exp.Alias)}
    for column in _unbound(binding):
        if column.name.lower() in aliases:
            continue
        for key in sorted(met):
            new = covered[key].get(column.name.lower())
            if new is not None:
                raise Refused(f"{key} has no column {column.name} under the names in use; it is called {new}.")
        if schema.dialect == "sqlite" and column.name.lower() in ROW_IDS:
            raise Refused(f"{column.name} is not known: {sorted(met)[0]} is a view, and views have no row ids.")


def _unbound(binding: Binding) -> Iterator[exp.Column]:
    """Columns that no table of the query is known to have."""
    yield from (column for column, _ in binding.unknown_columns)
    yield from (bound.column for bound in binding.names if bound.column is not None and _loose(bound))


def _loose(bound: Bound) -> bool:
    """Whether the name was only accepted because a source may have more columns than are known, or as a row id."""
    if bound.origins:
        return False
    named = [source for source in bound.sources if bound.node.name.lower() in source.columns]
    return not named and (not bound.sources or any(s.open or s.table is not None for s in bound.sources))
