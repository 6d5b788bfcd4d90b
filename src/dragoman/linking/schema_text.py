"""A schema as text within a budget of tokens: what the model needs to see of a database.

The text is the same for the same arguments. What no question changes comes first, so that a prompt's beginning can
be kept: the whole schema where it fits, else the names of all tables and then the columns that matter most for the
question. What is left out is said.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from dragoman.linking.column_paths import column_paths
from dragoman.linking.fit_columns import Fitted, fit_columns, shortened
from dragoman.linking.group_tables import GroupedSchema
from dragoman.linking.ranking import FullName, Ranking
from dragoman.linking.recipes import recipes
from dragoman.linking.table_text import (
    Item,
    Samples,
    bare,
    column_lines,
    drift_lines,
    has_ranges,
    heading,
    items,
    names_of,
    notes,
)
from dragoman.linking.token_estimate import estimate_tokens
from dragoman.schema import Column, Schema, Table
from dragoman.schema.render import keeps_case

SHARE_OF_NAMES = 0.5
"""Of the budget, at most, for naming tables without their columns."""
SHARE_OF_RECIPES = 0.1
"""Of the budget, at most, for the dialect's ways to read shards, arrays, structs and JSON."""
RESERVE = 60
"""Tokens for what is said on what is left out."""
SLACK, MOST_FITTINGS = 0.03, 4
"""Columns in ranges take less than they seem to: if more than this share of the budget is left, it is fitted again."""
LEAST_REPEATED = 4
"""Columns; a table that has exactly those of another one is shown as such from here on."""

JSON = ("JSON", "JSONB", "VARIANT", "OBJECT", "ARRAY")
"""Types whose values are read by JSON paths."""

Count = Callable[[str], int]


@dataclass(frozen=True, slots=True)
class SchemaText:
    """`tokens` of `text` by the counter that was given. `shown` are the tables whose columns are seen, with these.

    `named` are the full names of all tables that are named; the table of a group stands for all its members.
    `left_out` are sentences, also part of the text.
    """

    text: str
    tokens: int
    shown: Schema
    named: tuple[FullName, ...]
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Parts:
    """What a schema's text is made of, by full name of the table."""

    grouped: GroupedSchema
    items: Mapping[FullName, Sequence[Item]]
    notes: Mapping[FullName, Mapping[str, str]]
    head: str


def schema_text(
    grouped: GroupedSchema,
    budget: int | None = None,
    ranking: Ranking | None = None,
    count: Count = estimate_tokens,
    samples: Samples | None = None,
) -> SchemaText:
    """The most of a schema that fits into `budget` (tokens by `count`; None is no bound), for the question ranked.

    In turn: all with comments and `samples`, all with short comments, all without; then names of all tables, columns
    by `ranking`, and short comments on the best. A budget that not even a few names fit into is exceeded by these.
    """
    parts = _parts(grouped, samples or {})
    full = _whole(parts, parts.notes, (), count)
    if budget is None or full.tokens <= budget:
        return full
    plain = _whole(parts, {}, ("Comments are left out.",), count)
    if plain.tokens <= budget:
        short = {name: {c: shortened(n) for c, n in found.items()} for name, found in parts.notes.items()}
        cut = _whole(parts, short, ("Comments are cut.",), count)
        return cut if cut.tokens <= budget else plain
    parts = replace(parts, head=legend(grouped, int(budget * SHARE_OF_RECIPES)))
    return _cut(parts, ranking or _in_order(grouped.schema), budget, count)


def _parts(grouped: GroupedSchema, samples: Samples) -> _Parts:
    schema = grouped.schema
    return _Parts(
        grouped,
        {table.full_name: items(table, schema.dialect) for table in schema},
        {table.full_name: notes(table, samples) for table in schema},
        legend(grouped, None),
    )


def legend(grouped: GroupedSchema, room: int | None) -> str:
    """The first lines: the dialect, and how marks in names and paths are to be read, left out if over `room` tokens."""
    schema = grouped.schema
    known = recipes(schema.dialect)
    said = [f"SQL dialect: {schema.dialect}."]
    ways: list[str] = []
    if not all(keeps_case(name, schema.dialect) for name in _all_names(schema)):
        case = "small letters" if schema.dialect in ("snowflake", "oracle") else "capital letters"
        said.append(f"Names with {case} need double quotes.")
    if grouped.groups or any(has_ranges(items(table, schema.dialect)) for table in schema):
        said.append("{a..c} in a name stands for a, all numbers, days or months up to c: each is a name of its own.")
    if grouped.groups:
        ways.append(f"Several tables of a range: {known['shards']}" if known else "")
    columns = [column for table in schema for column in table.columns]
    paths = [path for column in columns if column.nested for path, _ in column_paths(column)]
    structs = [column for column in columns if column.nested and column.type.upper() not in JSON]
    if any("[]" in path for path in paths):
        ways.append(f"a[] are the elements of array a: {known['array']}" if known else "[] are elements of an array.")
    if any(_is_list(column) for column in columns):
        ways.append(f"A value in an array: {known['values']}" if known else "")
    if any("[]" not in path for column in structs for path, _ in column_paths(column)):
        ways.append(f"a{{b, c}} are fields of a: {known['struct']}" if known else "a{b, c} are fields of a.")
    elif any("[]" not in path for path in paths):
        ways.append("a{b, c} are fields of a.")
    if any(column.type.upper() in JSON for column in columns):
        ways.append(f"A path in JSON: {known['json']}" if known else "")
    ways = [way for way in ways if way]
    if room is not None and estimate_tokens("\n".join(ways)) > room:
        ways = []
    return "\n".join([" ".join(said), *ways])


def _is_list(column: Column) -> bool:
    """Whether it is an array of plain values."""
    return not column.nested and bool(re.match(r"ARRAY\s*[<(]", column.type, re.I) or column.type.endswith("]"))


def _all_names(schema: Schema) -> Iterator[str]:
    for table in schema:
        yield table.name
        yield from (column.name for column in table.columns)


def _whole(
    parts: _Parts, said: Mapping[FullName, Mapping[str, str]], left_out: tuple[str, ...], count: Count
) -> SchemaText:
    schema = parts.grouped.schema
    text = "\n".join([parts.head, *_blocks(parts, schema.tables, parts.items, said), *left_out])
    return SchemaText(text, count(text), schema, tuple(table.full_name for table in schema), left_out)


def _cut(parts: _Parts, ranking: Ranking, budget: int, count: Count) -> SchemaText:
    """The names of all tables, or of the best, then the columns that fit."""
    schema, groups = parts.grouped.schema, parts.grouped.groups
    every = _names(parts, schema.tables)
    room = budget - count(parts.head) - RESERVE
    if count(every) <= room * SHARE_OF_NAMES:
        opening, known = f"{parts.head}\nAll tables.\n{every}", schema.tables
    else:
        known = _best_named(parts, ranking, int(room * SHARE_OF_NAMES), count)
        opening = f"{parts.head}\nTables that may matter, among {len(schema.tables)}.\n{_names(parts, known)}"
    candidates = {table.full_name: parts.items[table.full_name] for table in known}
    headings = {t.full_name: heading(t, groups.get(t.full_name), schema.dialect, comment=False) for t in known}
    taken = count(opening)
    room = budget - taken - RESERVE
    written = None
    for _ in range(MOST_FITTINGS):
        fitted = fit_columns(candidates, headings, parts.notes, ranking, room, count)
        fuller = _written(parts, opening, known, fitted, count)
        while fuller.tokens > budget and fitted.order:
            fitted.drop_last((fuller.tokens - budget) / max(1, fuller.tokens - taken))
            fuller = _written(parts, opening, known, fitted, count)
        if written is not None and _columns(fuller) <= _columns(written):
            return written
        written, room = fuller, room + budget - fuller.tokens
        if budget - fuller.tokens <= SLACK * budget:
            break
    assert written is not None
    return written


def _columns(text: SchemaText) -> int:
    return sum(len(column.nested) or 1 for table in text.shown for column in table.columns)


def _written(parts: _Parts, opening: str, known: Sequence[Table], fitted: Fitted, count: Count) -> SchemaText:
    schema = parts.grouped.schema
    seen = {
        name: [item for place, item in enumerate(parts.items[name]) if place in places]
        for name, places in fitted.places.items()
    }
    tables = [table for table in schema if table.full_name in seen]
    total, shown = sum(map(len, parts.items.values())), sum(map(len, seen.values()))
    left_out = [f"{total - shown} of {total} columns and fields are left out."]
    if len(known) < len(schema.tables):
        left_out.append(f"{len(schema.tables) - len(known)} tables are not named.")
    lines = ["Columns that matter most.", *_blocks(parts, tables, seen, fitted.notes, comment=False)] if tables else []
    text = "\n".join([opening, *lines, *left_out])
    part = replace(schema, tables=tuple(_with(table, seen[table.full_name]) for table in tables))
    return SchemaText(text, count(text), part, tuple(t.full_name for t in known), tuple(left_out))


def _blocks(
    parts: _Parts,
    tables: Sequence[Table],
    seen: Mapping[FullName, Sequence[Item]],
    said: Mapping[FullName, Mapping[str, str]],
    comment: bool = True,
) -> Iterator[str]:
    """Tables with their columns, by namespace; a table with the very columns of an earlier one refers to it."""
    dialect = parts.grouped.schema.dialect
    earlier: dict[tuple[str, ...], str] = {}
    for namespace, together in _by_namespace(tables, parts.grouped.schema):
        if namespace:
            yield f"In {_namespace(namespace, dialect)}:"
        for table in together:
            name = table.full_name
            group = parts.grouped.groups.get(name)
            yield heading(table, group, dialect, comment)
            lines = tuple(column_lines(seen[name], said.get(name, {})))
            if lines in earlier and len(seen[name]) >= LEAST_REPEATED:
                yield f"  the columns of {earlier[lines]}"
            else:
                earlier.setdefault(lines, ".".join(name))
                yield from lines
            if missing := len(parts.items[name]) - len(seen[name]):
                yield f"  and {missing} more"
            if group is not None:
                yield from drift_lines(group.drifts, frozenset(item.path for item in seen[name]) if missing else None)


def _names(parts: _Parts, tables: Sequence[Table]) -> str:
    groups, dialect = parts.grouped.groups, parts.grouped.schema.dialect
    lines = []
    for namespace, together in _by_namespace(tables, parts.grouped.schema):
        names = ", ".join(names_of(table, groups.get(table.full_name), dialect) for table in together)
        lines.append(f"In {_namespace(namespace, dialect)}: {names}" if namespace else names)
    return "\n".join(lines)


def _best_named(parts: _Parts, ranking: Ranking, room: int, count: Count) -> tuple[Table, ...]:
    """The tables ranked best whose names fit, in the schema's order; at least one."""
    chosen: set[FullName] = set()
    spent = 0
    for table in sorted(parts.grouped.schema, key=lambda table: -ranking.tables.get(table.full_name, 0.0)):
        spent += count(names_of(table, parts.grouped.groups.get(table.full_name), parts.grouped.schema.dialect)) + 1
        if spent > room and chosen:
            break
        chosen.add(table.full_name)
    return tuple(table for table in parts.grouped.schema if table.full_name in chosen)


def _by_namespace(tables: Sequence[Table], schema: Schema) -> Iterator[tuple[str, Iterator[Table]]]:
    """Tables that stand together in one namespace; "" for the one in which bare names are looked up."""
    return groupby(tables, key=lambda table: table.schema if table.schema != schema.default_schema else "")


def _namespace(namespace: str, dialect: str) -> str:
    """The namespace as it stands before a table's name; BigQuery quotes the whole."""
    return f"`{namespace}`" if dialect == "bigquery" else ".".join(bare(part, dialect) for part in namespace.split("."))


def _with(table: Table, seen: Sequence[Item]) -> Table:
    """The table with the columns seen alone, and keys among them; nested columns with the fields seen."""
    columns = []
    by_column = {item.column: set[str]() for item in seen}
    for item in seen:
        by_column[item.column].add(item.path)
    for column in table.columns:
        if column.name in by_column:
            kept = {path.removeprefix(column.name).removeprefix(".") for path in by_column[column.name]}
            columns.append(replace(column, nested=tuple(n for n in column.nested if n[0] in kept)))
    keys = tuple(key for key in table.foreign_keys if by_column.keys() >= set(key.columns))
    return replace(table, columns=tuple(columns), foreign_keys=keys)


def _in_order(schema: Schema) -> Ranking:
    """Without a question: tables in the schema's order, each worth less than the one before."""
    return Ranking({table.full_name: 1 / (1 + place) for place, table in enumerate(schema)})
