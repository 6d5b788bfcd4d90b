"""Near-identical tables as one: a representative in full, the members' names, and what differs in which member.

After ReFoRCE (Deng et al. 2025, section 3.2.1), but with nothing lost: tables stand together only where their columns
are alike, and `ungroup` gives the original schema back.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from dragoman.linking.column_paths import column_paths
from dragoman.linking.name_ranges import in_order, variable_parts
from dragoman.schema import Column, Schema, Table

ALIKE = 0.8
"""Share of column paths that two tables must have in common (Dice coefficient) to stand together."""

RETYPED = 0.5
"""Share of these that may have another type."""

Columns = tuple[Column, ...]
Cluster = list[list[tuple[int, Table]]]
"""Tables with their positions, those of equal columns together; the most common columns come first."""
_Difference = tuple[tuple[tuple[str, str], ...], tuple[tuple[str, str], ...], tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Edit:
    """`columns` stand where the representative has those from `start` up to `stop`."""

    start: int
    stop: int
    columns: Columns


@dataclass(frozen=True, slots=True)
class Member:
    """One table of a group: its place among the schema's tables, all of it but its columns, and their differences."""

    position: int
    head: Table
    edits: tuple[Edit, ...] = ()


@dataclass(frozen=True, slots=True)
class Drift:
    """How the columns of some members differ from the representative's, as (path, type).

    `added` are in these members alone, `changed` have another type there, `missing` are not there.
    """

    members: tuple[str, ...]
    added: tuple[tuple[str, str], ...]
    changed: tuple[tuple[str, str], ...]
    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """Tables that stand together. `representative` is one of them as it was; `drifts` hold for what differs."""

    representative: Table
    members: tuple[Member, ...]
    drifts: tuple[Drift, ...]


@dataclass(frozen=True, slots=True)
class GroupedSchema:
    """`schema` has one table for each group, which names all its members; `groups` go by that table's full name.

    `positions` are the places of the tables of `schema` among those of the original.
    """

    schema: Schema
    groups: dict[tuple[str, ...], Group]
    positions: tuple[int, ...]


def group_tables(schema: Schema, smallest: int = 2) -> GroupedSchema:
    """Put tables together whose names differ in numbers, dates or months alone and whose columns are alike.

    The representative has the columns that most members have, and is the last of these in the order of numbers and
    dates. Groups of fewer than `smallest` tables stay apart.
    """
    kept: list[tuple[int, Table]] = []
    groups: dict[tuple[str, ...], Group] = {}
    for cluster in _clusters(schema):
        if sum(map(len, cluster)) < smallest:
            kept += (item for same in cluster for item in same)
            continue
        position, representative = max(cluster[0], key=lambda item: _order(item[1]))
        groups[representative.full_name] = _group(representative, cluster)
        kept.append((position, _standing_for(representative, cluster)))
    kept.sort(key=lambda item: item[0])
    shown = replace(schema, tables=tuple(table for _, table in kept))
    return GroupedSchema(shown, groups, tuple(position for position, _ in kept))


def ungroup(grouped: GroupedSchema) -> Schema:
    """The original schema, equal in everything and in the same order."""
    tables: dict[int, Table] = {}
    for position, table in zip(grouped.positions, grouped.schema, strict=True):
        group = grouped.groups.get(table.full_name)
        if group is None:
            tables[position] = table
            continue
        for member in group.members:
            columns = _edited(group.representative.columns, member.edits)
            tables[member.position] = replace(member.head, columns=columns)
    return replace(grouped.schema, tables=tuple(tables[position] for position in sorted(tables)))


def _clusters(schema: Schema) -> Iterator[Cluster]:
    """Tables that stand together; most clusters have one."""
    buckets: dict[tuple[str, str, str], list[tuple[int, Table]]] = {}
    for position, table in enumerate(schema):
        pattern, parts = variable_parts(table.name)
        if not parts or table.members:
            yield [[(position, table)]]
        else:
            buckets.setdefault((table.schema, table.kind, pattern), []).append((position, table))
    for bucket in buckets.values():
        yield from [[bucket]] if len(bucket) == 1 else _alike(bucket)


def _alike(bucket: list[tuple[int, Table]]) -> Iterator[Cluster]:
    """The bucket parted by columns; the most common columns come first and gather those that are like them."""
    same: dict[Columns, list[tuple[int, Table]]] = {}
    for item in bucket:
        same.setdefault(item[1].columns, []).append(item)
    clusters: list[tuple[dict[str, str], Cluster]] = []
    for columns, items in sorted(same.items(), key=lambda found: -len(found[1])):
        here = {path.lower(): type_ for path, type_ in _paths(columns).items()}
        for there, cluster in clusters:
            if _are_alike(here, there):
                cluster.append(items)
                break
        else:
            clusters.append((here, [items]))
    return (cluster for _, cluster in clusters)


def _are_alike(one: dict[str, str], other: dict[str, str]) -> bool:
    common = one.keys() & other.keys()
    retyped = sum(one[path] != other[path] for path in common)
    return 2 * len(common) >= ALIKE * (len(one) + len(other)) and retyped <= RETYPED * len(common)


def _order(table: Table) -> tuple[tuple[int, int], ...]:
    return in_order(variable_parts(table.name)[1])


def _standing_for(representative: Table, cluster: Cluster) -> Table:
    tables = sorted((table for same in cluster for _, table in same), key=_order)
    rows = [table.rows for table in tables if table.rows is not None]
    total = sum(rows) if len(rows) == len(tables) else None
    return replace(representative, members=tuple(table.name for table in tables), rows=total)


def _group(representative: Table, cluster: Cluster) -> Group:
    drifting: dict[_Difference, list[str]] = {}
    members: list[Member] = []
    for same in cluster:
        columns = same[0][1].columns
        edits = () if same is cluster[0] else _edits(representative.columns, columns)
        members += (Member(position, replace(table, columns=()), edits) for position, table in same)
        if edits:
            names = (table.name for _, table in same)
            drifting.setdefault(_difference(representative.columns, columns), []).extend(names)
    drifts = tuple(Drift(tuple(names), *found) for found, names in drifting.items() if any(found))
    return Group(representative, tuple(members), drifts)


def _edits(old: Columns, new: Columns) -> tuple[Edit, ...]:
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    return tuple(Edit(a, b, new[c:d]) for tag, a, b, c, d in matcher.get_opcodes() if tag != "equal")


def _edited(columns: Columns, edits: tuple[Edit, ...]) -> Columns:
    result, position = list[Column](), 0
    for edit in edits:
        result += [*columns[position : edit.start], *edit.columns]
        position = edit.stop
    return (*result, *columns[position:])


def _difference(old: Columns, new: Columns) -> _Difference:
    """(added, changed, missing)."""
    before, after = _paths(old), _paths(new)
    added = tuple((path, type_) for path, type_ in after.items() if path not in before)
    changed = tuple((path, type_) for path, type_ in after.items() if before.get(path, type_) != type_)
    return added, changed, tuple(path for path in before if path not in after)


def _paths(columns: Columns) -> dict[str, str]:
    return {path: type_ for column in columns for path, type_ in column_paths(column)}
