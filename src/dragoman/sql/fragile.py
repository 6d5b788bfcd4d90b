"""What in a query would mean something else, silently, once names have changed around it."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from dragoman.schema import Schema
from dragoman.sql.binding import Binding, Merge, Source
from dragoman.sql.parse import parse
from dragoman.sql.rename import Names
from dragoman.sql.resolve import resolve


def fragile(sql: str, schema: Schema, names: Names) -> tuple[str, ...]:
    """One sentence for each danger in a stored query of the old names. Raises `Unreadable`.

    Joins by USING or NATURAL whose sides no longer share the names they did (NATURAL then joins by less, or by
    nothing), and, on SQLite, old names in double quotes, which turn into strings instead of errors.
    """
    tree = parse(sql, schema.dialect)
    return tuple(dict.fromkeys(_dangers(tree, resolve(tree, schema), schema, names)))


def _dangers(tree: exp.Expr, binding: Binding, schema: Schema, names: Names) -> Iterator[str]:
    for merge in binding.merges:
        kind = "NATURAL JOIN" if merge.natural else "USING"
        for name in merge.common:
            if len(_new_names(merge, name, names)) > 1:
                yield f"{kind} joins by {name}, which the two sides no longer both call the same"
        if merge.natural:
            left, right = (_all_names(side, names) for side in (merge.left, merge.right))
            kept = {new for name in merge.common for new in _new_names(merge, name, names)}
            for extra in sorted((left & right) - kept):
                yield f"NATURAL JOIN would join by {extra} as well"
    if schema.dialect == "sqlite":
        for bound in binding.names:
            changed = [origin for origin in bound.origins if names.get(origin, origin[1]) != origin[1]]
            if changed and bound.node.args.get("quoted") and not (bound.column and bound.column.table):
                yield f'"{bound.node.name}" in double quotes becomes a string and not an error'


def _new_names(merge: Merge, name: str, names: Names) -> set[str]:
    """What a shared column is called on either side after the change, in lower case."""
    found = set()
    for source in (*merge.left, *merge.right):
        if name in source.columns:
            own, origins = source.columns[name]
            found |= {names.get(origin, origin[1]).lower() for origin in origins} or {own.lower()}
    return found


def _all_names(sources: tuple[Source, ...], names: Names) -> set[str]:
    return {
        names.get(origin, origin[1]).lower()
        for source in sources
        for _, origins in source.columns.values()
        for origin in origins
    }
