"""PostgreSQL's catalogue as a `Schema`, in five queries whatever the number of tables."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from dragoman.databases.catalogue_query import catalogue_query
from dragoman.schema import Column, ForeignKey, Schema, Table
from dragoman.schema.schema import TableKind

Fetch = Callable[[str], Sequence[tuple[Any, ...]]]

KINDS: dict[str, TableKind] = {
    "r": "table",
    "p": "table",
    "v": "view",
    "m": "materialized view",
    "f": "external",
}
DEEPEST_PATH = 6


@dataclass(frozen=True, slots=True)
class _Relation:
    """A row of relations.sql."""

    oid: int
    schema: str
    name: str
    kind: str
    comment: str | None
    rows: int
    usable: bool
    readable: bool
    partly: bool
    parent: int | None


@dataclass(frozen=True, slots=True)
class _Type:
    """A row of types.sql. `fields` are (name, type, oid) of a composite type."""

    oid: int
    kind: str
    base: int
    element: int
    labels: list[str] | None
    fields: list[list[str]] | None


def postgres_schema(fetch: Fetch, name: str) -> Schema:
    """Everything that the account may see; what it may not is named in `hidden`.

    `fetch` runs one catalogue query. Temporary views of the session stand in the default schema, in place of the
    tables that they shadow.
    """
    default = str(fetch("SELECT coalesce(current_schema()::text, '')")[0][0])
    relations = {row[0]: _Relation(*row) for row in fetch(catalogue_query("postgres", "relations"))}
    types = {row[0]: _Type(*row) for row in fetch(catalogue_query("postgres", "types"))}
    columns: defaultdict[int, list[tuple[Any, ...]]] = defaultdict(list)
    for row in fetch(catalogue_query("postgres", "columns")):
        columns[row[0]].append(row)
    keys = _keys(fetch(catalogue_query("postgres", "keys")))
    foreign = _foreign_keys(fetch(catalogue_query("postgres", "foreign_keys")), relations, columns)
    partitions = _partitions(relations)
    tables = []
    for oid, relation in relations.items():
        if relation.parent is None and relation.usable and relation.partly:
            tables.append(_table(relation, columns[oid], types, keys[oid], foreign[oid], partitions[oid]))
    hidden = _hidden(relations.values(), columns)
    return Schema(_shadowed(tables, default), "postgres", name, default, hidden)


def _table(
    relation: _Relation,
    columns: Sequence[tuple[Any, ...]],
    types: dict[int, _Type],
    keys: list[tuple[bool, list[int]]],
    foreign_keys: list[ForeignKey],
    partitions: list[_Relation],
) -> Table:
    primary = next((numbers for is_primary, numbers in keys if is_primary), [])
    names = {row[1]: row[2] for row in columns}
    visible = [row for row in columns if row[9]]
    shown = {row[2] for row in visible}
    unique = [tuple(names[n] for n in numbers if n in names) for is_primary, numbers in keys if not is_primary]
    counts = [part.rows for part in partitions if part.kind != "p"] if relation.kind == "p" else [relation.rows]
    return Table(
        relation.name,
        tuple(_column(row, types, primary) for row in visible),
        KINDS[relation.kind],
        relation.schema,
        relation.comment or "",
        tuple(key for key in foreign_keys if shown.issuperset(key.columns)),
        tuple(dict.fromkeys(key for key in unique if key and shown.issuperset(key))),
        None if relation.kind == "v" or min(counts, default=-1) < 0 else sum(counts),
        tuple(part.name for part in partitions),
    )


def _column(row: tuple[Any, ...], types: dict[int, _Type], primary: list[int]) -> Column:
    _, number, name, spelling, nullable, comment, default, generated, type_oid, _ = row
    labels, nested = _inside(type_oid, types)
    return Column(
        name,
        spelling,
        nullable,
        primary.index(number) + 1 if number in primary else 0,
        comment or "",
        None if generated else default,
        generated,
        labels,
        nested,
    )


def _inside(oid: int, types: dict[int, _Type], path: str = "") -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
    """Enum labels of a type, and the paths below it; arrays and domains are looked through."""
    found = types.get(oid)
    while found is not None and (found.element or found.kind == "d"):
        oid = found.element or found.base
        path += "[]" if found.element else ""
        found = types.get(oid)
    if found is None or path.count(".") >= DEEPEST_PATH:
        return (), ()
    paths: list[tuple[str, str]] = []
    for name, spelling, field in found.fields or ():
        below = f"{path}.{name}" if path else name
        paths += [(below, spelling), *_inside(int(field), types, below)[1]]
    return tuple(found.labels or ()), tuple(paths)


def _keys(rows: Sequence[tuple[Any, ...]]) -> defaultdict[int, list[tuple[bool, list[int]]]]:
    keys: defaultdict[int, list[tuple[bool, list[int]]]] = defaultdict(list)
    for oid, is_primary, numbers in rows:
        keys[oid].append((is_primary, numbers))
    return keys


def _foreign_keys(
    rows: Sequence[tuple[Any, ...]], relations: dict[int, _Relation], columns: dict[int, list[tuple[Any, ...]]]
) -> defaultdict[int, list[ForeignKey]]:
    names = {(row[0], row[1]): row[2] for group in columns.values() for row in group}
    found: defaultdict[int, list[ForeignKey]] = defaultdict(list)
    for owner, numbers, target, target_numbers in rows:
        if owner not in relations or target not in relations:
            continue
        there = relations[target]
        schema = "" if there.schema == relations[owner].schema else there.schema
        here = tuple(names[owner, n] for n in numbers if (owner, n) in names)
        if here:
            pointed = tuple(names[target, n] for n in target_numbers if (target, n) in names)
            found[owner].append(ForeignKey(here, there.name, pointed, schema))
    return found


def _partitions(relations: dict[int, _Relation]) -> defaultdict[int, list[_Relation]]:
    """Every partition, however deep, under its topmost table."""
    found: defaultdict[int, list[_Relation]] = defaultdict(list)
    for relation in relations.values():
        top = relation
        while top.parent is not None and top.parent in relations:
            top = relations[top.parent]
        if top is not relation:
            found[top.oid].append(relation)
    return found


def _hidden(relations: Any, columns: dict[int, list[tuple[Any, ...]]]) -> tuple[tuple[str, str], ...]:
    closed: defaultdict[str, int] = defaultdict(int)
    hidden: list[tuple[str, str]] = []
    for relation in relations:
        if relation.parent is not None:
            continue
        if not relation.usable:
            closed[relation.schema] += 1
        elif not relation.partly:
            hidden.append((f"{relation.schema}.{relation.name}", "no SELECT privilege"))
        else:
            closed_columns = (row[2] for row in columns[relation.oid] if not row[9])
            place = f"{relation.schema}.{relation.name}"
            hidden += [(f"{place}.{column}", "no SELECT privilege") for column in closed_columns]
    for schema, count in closed.items():
        hidden.append((schema, f"no USAGE privilege on the schema, which holds {count} tables or views"))
    return tuple(hidden)


def _shadowed(tables: list[Table], default: str) -> tuple[Table, ...]:
    """Temporary views moved to the default schema, in place of their namesakes."""
    views = {table.name: table for table in tables if table.schema == "pg_temp"}
    if not views:
        return tuple(tables)
    kept = [t for t in tables if t.schema != "pg_temp" and (t.schema, t.name) not in {(default, n) for n in views}]
    moved = [
        Table(v.name, v.columns, v.kind, default, v.comment, v.foreign_keys, v.unique, v.rows) for v in views.values()
    ]
    return tuple(sorted([*kept, *moved], key=lambda table: table.full_name))
