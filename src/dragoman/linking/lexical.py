"""The minimal schema linker: keep the tables whose names, columns or values a question mentions."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from dragoman.schema import Column, Schema, Table
from dragoman.schema.render import compact

NAME_WEIGHT = 3
"""What a word of a table's name, or a value found in it, counts against a word of a column's name."""

_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_a-zA-Z]+|\d+")


def link(
    schema: Schema,
    question: str,
    values: Sequence[tuple[str, str, str]] = (),
    budget: int = 2200,
    size: Callable[[Schema], int] = lambda schema: len(compact(schema)),
    keep: frozenset[str] = frozenset(),
) -> Schema:
    """The part of `schema` that fits `budget` (in units of `size`, by default characters), in the schema's order.

    `values` are (table, column, value) hints. Tables named in `keep` stay whatever the budget. Tables come in by
    their score with those that join them to the ones already in; a table wider than the budget loses columns. The
    same arguments give the same part; a schema that fits comes back whole.
    """
    if size(schema) <= budget:
        return schema
    asked = _stems(question)
    scores = {t.full_name: _table_score(t, asked, values) for t in schema}
    ranked = sorted(schema, key=lambda t: (t.name not in keep, -scores[t.full_name]))
    chosen: set[tuple[str, ...]] = {t.full_name for t in schema if t.name in keep}
    for table in ranked:
        wanted = chosen | {table.full_name, *_path(schema, table, chosen)}
        for attempt in (wanted, chosen | {table.full_name}):
            if size(_part(schema, attempt)) <= budget:
                chosen = attempt
                break
    if not chosen:
        return _narrowed(replace(schema, tables=(ranked[0],)), asked, budget, size)
    return _part(schema, chosen)


def _part(schema: Schema, names: set[tuple[str, ...]]) -> Schema:
    return replace(schema, tables=tuple(t for t in schema if t.full_name in names))


def _narrowed(schema: Schema, asked: set[str], budget: int, size: Callable[[Schema], int]) -> Schema:
    """The one table of `schema` with as many columns as fit: keys, then those the question mentions, then the rest."""
    (table,) = schema.tables
    linked = {name for key in table.foreign_keys for name in key.columns}
    ranked = sorted(
        table.columns, key=lambda c: (not c.primary_key and c.name not in linked, -len(_stems(c.name) & asked))
    )
    low, high = 1, len(ranked)
    while low < high:
        middle = (low + high + 1) // 2
        fits = size(replace(schema, tables=(_with_columns(table, ranked[:middle]),))) <= budget
        low, high = (middle, high) if fits else (low, middle - 1)
    return replace(schema, tables=(_with_columns(table, ranked[:low]),))


def _with_columns(table: Table, columns: Sequence[Column]) -> Table:
    names = {c.name for c in columns}
    keys = tuple(k for k in table.foreign_keys if names.issuperset(k.columns))
    return replace(table, columns=tuple(c for c in table.columns if c.name in names), foreign_keys=keys)


def _table_score(table: Table, asked: set[str], values: Sequence[tuple[str, str, str]]) -> float:
    name = _stems(table.name)
    columns = set().union(*(_stems(c.name) for c in table.columns)) - name
    hinted = sum(where.lower() == table.name.lower() for where, _, _ in values)
    named = len(name & asked)
    return NAME_WEIGHT * (named + hinted) + len(columns & asked) + (named / len(name) if name else 0)


def _path(schema: Schema, table: Table, chosen: set[tuple[str, ...]]) -> set[tuple[str, ...]]:
    """Tables on a shortest way along foreign keys from `table` to a chosen one, ends left out."""
    neighbours: dict[tuple[str, ...], list[tuple[str, ...]]] = {t.full_name: [] for t in schema}
    for owner, key in schema.foreign_keys:
        target = schema.table(key.target, key.target_schema or owner.schema)
        if target is not None:
            neighbours[owner.full_name].append(target.full_name)
            neighbours[target.full_name].append(owner.full_name)
    ways: dict[tuple[str, ...], tuple[tuple[str, ...], ...]] = {table.full_name: ()}
    queue = [table.full_name]
    for here in queue:
        for there in neighbours[here]:
            if there in chosen:
                return {name for name in ways[here] + (here,) if name != table.full_name}
            if there not in ways:
                ways[there] = (*ways[here], there)
                queue.append(there)
    return set()


def _stems(text: str) -> set[str]:
    """Words in lower case, camel case and digits apart, without plural endings."""
    return {_stem(word.lower()) for word in _WORDS.findall(text)}


def _stem(word: str) -> str:
    for ending, other in (("ies", "y"), ("sses", "ss"), ("s", "")):
        if word.endswith(ending) and len(word) > len(ending) + 1 and not word.endswith("ss"):
            return word[: -len(ending)] + other
    return word
