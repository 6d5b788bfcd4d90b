"""Near-identical tables as one: a representative in full, the members' names, and what differs in which member.

After ReFoRCE (Deng et al. 2025, section 3.2.1), but with nothing lost: tables stand together only where their columns
are alike, and `ungroup` gives the original schema back.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from dragoman.linking.name_ranges import in_order, variable_parts
from dragoman.schema import Column, Schema, Table

ALIKE = 0.8
"""Share of column paths that two tables must have in common (Dice coefficient) to stand together."""

Columns = tuple[Column, ...]


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
        if len(cluster) < smallest:
            kept += cluster
            continue
        position, representative = _representative(cluster)
        group = _group(representative, cluster)
        groups[representative.full_name] = group
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


def paths(columns: Columns) -> dict[str, str]:
    """Type by path of every column and of every field below a nested one; containers have the empty type."""
    found: dict[str, str] = {}
    for column in columns:
        found[column.name] = "" if column.nested else column.type
        inner = [f"{column.name}{'' if path.startswith('[]') else '.'}{path}" for path, _ in column.nested]
        for position, (_, type_) in enumerate(column.nested):
            path = inner[position]
            below = (f"{path}.", f"{path}[]")
            found[path] = "" if "".join(inner[position + 1 : position + 2]).startswith(below) else type_
    return found


def _clusters(schema: Schema) -> Iterator[list[tuple[int, Table]]]:
    """Tables that stand together with their positions; most clusters have one."""
    buckets: dict[tuple[str, str, str], list[tuple[int, Table]]] = {}
    for position, table in enumerate(schema):
        pattern, parts = variable_parts(table.name)
        if not parts or table.members:
            yield [(position, table)]
        else:
            buckets.setdefault((table.schema, table.kind, pattern), []).append((position, table))
    for bucket in buckets.values():
        yield from _alike(bucket)


def _alike(bucket: list[tuple[int, Table]]) -> Iterator[list[tuple[int, Table]]]:
    """The bucket parted by columns; the most common columns come first and gather those that are like them."""
    same: dict[Columns, list[tuple[int, Table]]] = {}
    for item in bucket:
        same.setdefault(item[1].columns, []).append(item)
    clusters: list[tuple[set[str], list[tuple[int, Table]]]] = []
    for columns, items in sorted(same.items(), key=lambda found: -len(found[1])):
        names = {path.lower() for path in paths(columns)}
        for others, cluster in clusters:
            if 2 * len(names & others) >= ALIKE * (len(names) + len(others)):
                cluster += items
                break
        else:
            clusters.append((names, list(items)))
    return (cluster for _, cluster in clusters)


def _representative(cluster: Sequence[tuple[int, Table]]) -> tuple[int, Table]:
    """The cluster begins with the tables that have the most common columns."""
    columns = cluster[0][1].columns
    same = [item for item in cluster if item[1].columns == columns]
    return max(same, key=lambda item: in_order(variable_parts(item[1].name)[1]))


def _standing_for(representative: Table, cluster: Sequence[tuple[int, Table]]) -> Table:
    tables = sorted((table for _, table in cluster), key=lambda table: in_order(variable_parts(table.name)[1]))
    rows = [table.rows for table in tables if table.rows is not None]
    total = sum(rows) if len(rows) == len(tables) else None
    return replace(representative, members=tuple(table.name for table in tables), rows=total)


def _group(representative: Table, cluster: Sequence[tuple[int, Table]]) -> Group:
    edits: dict[Columns, tuple[Edit, ...]] = {representative.columns: ()}
    drifting: dict[tuple[tuple[tuple[str, str], ...], tuple[tuple[str, str], ...], tuple[str, ...]], list[str]] = {}
    members = []
    for position, table in sorted(cluster, key=lambda item: item[0]):
        if table.columns not in edits:
            edits[table.columns] = _edits(representative.columns, table.columns)
        members.append(Member(position, replace(table, columns=()), edits[table.columns]))
        if edits[table.columns]:
            drifting.setdefault(_difference(representative.columns, table.columns), []).append(table.name)
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


def _difference(
    old: Columns, new: Columns
) -> tuple[tuple[tuple[str, str], ...], tuple[tuple[str, str], ...], tuple[str, ...]]:
    """(added, changed, missing), with paths below what is missing left out."""
    before, after = paths(old), paths(new)
    added = tuple((path, type_) for path, type_ in after.items() if path not in before)
    changed = tuple((path, type_) for path, type_ in after.items() if before.get(path, type_) != type_)
    return added, changed, tuple(path for path in before if path not in after)
