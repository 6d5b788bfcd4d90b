"""Takes the schema away from before some tables, where they are reached by their bare names."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sqlglot import exp

from dragoman.errors import Unreadable
from dragoman.schema import Schema
from dragoman.sql.catalog import catalog_of
from dragoman.sql.parse import parse
from dragoman.sql.resolve import resolve


def bare_tables(sql: str, schema: Schema, tables: Collection[str]) -> str:
    """The query with `sales.orders` written as `orders`, also before columns, for the tables named as references do.

    All else is as it was written. Raises `Unreadable`.
    """
    binding = resolve(parse(sql, schema.dialect), schema)
    catalog = catalog_of(schema)
    cuts: set[tuple[int, int]] = set()
    for node, _, key in binding.tables:
        if key in tables and len(node.parts) > 1:
            cuts.add(_before_last(node.parts))
    for bound in binding.names:
        table = bound.sources[0].table if bound.sources else None
        if bound.column is None or table is None or catalog.key(table) not in tables:
            continue
        position = next(i for i, part in enumerate(bound.column.parts) if part is bound.node)
        if position > 1:
            cuts.add(_before_last(bound.column.parts[:position]))
    for start, end in sorted(cuts, reverse=True):
        sql = sql[:start] + sql[end:]
    return sql


def _before_last(parts: Sequence[exp.Expr]) -> tuple[int, int]:
    if any("start" not in part.meta for part in (parts[0], parts[-1])):
        raise Unreadable(f"The place of {parts[-1].name} in the query is not known.")
    return int(parts[0].meta["start"]), int(parts[-1].meta["start"])
