"""Which tables may stand together in one FROM, and how they join.

Tables join along foreign keys. Where two tables have none, columns that look like one stand in: keys of the same
name, or a name that ends in the other table's name and key (`start_station_id` and `station.id`). Where no chain of
foreign keys leads from one to the other, any columns of the same name do.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations

from dragoman.models.embedded.spelling import written
from dragoman.schema import Schema, Table

Scope = frozenset[int]
"""Numbers of tables that one FROM holds, connected by joins."""

_KEY, _NAMED, _ALIKE = 2, 3, 4
_MOST_EITHER = 3
"""Keys between two tables of which a join may take one or another, as in `a.id = b.from_id OR a.id = b.to_id`."""


@dataclass(frozen=True, slots=True)
class Join:
    """Table `right` joins a FROM that holds table `left`. `on` is the written condition, `cost` how far-fetched."""

    left: int
    right: int
    on: str
    cost: int


@dataclass(frozen=True, slots=True)
class Repeated:
    """A FROM with one table twice. `froms` are its spellings, `members` the name and the number of each table in it.

    Tables that occur twice are called `t1`, `t2`, .. by their place.
    """

    froms: tuple[str, ...]
    members: tuple[tuple[str, int], ...]


def joins(tables: Sequence[Table], schema: Schema) -> tuple[Join, ...]:
    """Every way in which one of `tables` joins another, in both directions."""
    pairs: dict[tuple[int, int], list[Join]] = {}
    for number, other, columns in _keys(tables, schema):
        if other != number:
            for join in _both_ways(number, tables[number], other, tables[other], columns, _KEY):
                pairs.setdefault((join.left, join.right), []).append(join)
    for (one, two), found in pairs.items():
        either = [f"{first.on} OR {second.on}" for first, second in permutations(found, 2)]
        found += [Join(one, two, on, _KEY + 1) for on in either if len(found) <= _MOST_EITHER]
    islands = _islands(len(tables), list(pairs))
    for (one, a), (two, b) in combinations(enumerate(tables), 2):
        if (one, two) not in pairs:
            for x, y, cost in _alike(a, b, islands[one] != islands[two]):
                for join in _both_ways(one, a, two, b, [(x, y)], cost):
                    pairs.setdefault((join.left, join.right), []).append(join)
    return tuple(dict.fromkeys(join for found in pairs.values() for join in found))


def scopes(count: int, ways: Sequence[Join], most: int, largest: int = 4) -> tuple[Scope, ...]:
    """The closest `most` sets of up to `largest` of `count` tables that joins connect, single tables first."""
    near: dict[int, dict[int, int]] = {number: {} for number in range(count)}
    for way in ways:
        near[way.left][way.right] = min(way.cost, near[way.left].get(way.right, way.cost))
    queue: list[tuple[int, int, tuple[int, ...]]] = [(0, 1, (number,)) for number in range(count)]
    seen = {frozenset(members) for _, _, members in queue}
    found: list[Scope] = []
    while queue and len(found) < max(most, count):
        cost, size, members = heapq.heappop(queue)
        found.append(frozenset(members))
        if size == largest:
            continue
        for member in members:
            for other, step in near[member].items():
                wider = frozenset((*members, other))
                if wider not in seen:
                    seen.add(wider)
                    heapq.heappush(queue, (cost + step, size + 1, tuple(sorted(wider))))
    return tuple(found)


def repeated(tables: Sequence[Table], schema: Schema) -> Iterator[Repeated]:
    """Every table beside itself, along its own keys or equal columns, and behind a table that refers to it twice."""
    keys = list(_keys(tables, schema))
    for number, table in enumerate(tables):
        own = [columns[0] for one, two, columns in keys if one == two == number and len(columns) == 1]
        pairs = own + [(y, x) for x, y in own] + [(column.name, column.name) for column in table.columns]
        name = written(table.name)
        ons = dict.fromkeys(f"t1.{written(x)} = t2.{written(y)}" for x, y in pairs)
        yield Repeated(tuple(f"{name} AS t1 JOIN {name} AS t2 ON {on}" for on in ons), (("t1", number), ("t2", number)))
    for (one, two, first), (also, again, second) in permutations(keys, 2):
        if (one, two) == (also, again) and one != two and len(first) == len(second) == 1:
            left, right = written(tables[one].name), written(tables[two].name)
            steps = (
                f"JOIN {right} AS t{place} ON {left}.{written(x)} = t{place}.{written(y)}"
                for place, (x, y) in ((2, first[0]), (3, second[0]))
            )
            yield Repeated((" ".join((left, *steps)),), ((left, one), ("t2", two), ("t3", two)))


def joins_by_left(ways: Sequence[Join]) -> Mapping[int, tuple[Join, ...]]:
    """The joins that a FROM with a given table allows."""
    by_left: dict[int, list[Join]] = {}
    for way in ways:
        by_left.setdefault(way.left, []).append(way)
    return {left: tuple(found) for left, found in by_left.items()}


def _keys(tables: Sequence[Table], schema: Schema) -> Iterator[tuple[int, int, Sequence[tuple[str, str]]]]:
    """(number of the table, number of the one it refers to, pairs of columns) of each foreign key."""
    numbers = {table.full_name: number for number, table in enumerate(tables)}
    for number, table in enumerate(tables):
        for key in table.foreign_keys:
            target = schema.table(key.target, key.target_schema or table.schema)
            other = numbers.get(target.full_name) if target else None
            if other is not None and key.target_columns:
                yield number, other, tuple(zip(key.columns, key.target_columns, strict=False))


def _both_ways(one: int, a: Table, two: int, b: Table, columns: Sequence[tuple[str, str]], cost: int) -> Iterator[Join]:
    forth = " AND ".join(f"{_column(a, x)} = {_column(b, y)}" for x, y in columns)
    back = " AND ".join(f"{_column(b, y)} = {_column(a, x)}" for x, y in columns)
    yield Join(one, two, forth, cost)
    yield Join(two, one, back, cost)


def _islands(count: int, pairs: Sequence[tuple[int, int]]) -> list[int]:
    """For each table the smallest number among the tables that pairs connect it with."""
    islands = list(range(count))
    for _ in range(count):
        for one, two in pairs:
            islands[one] = islands[two] = min(islands[one], islands[two])
    return islands


def _alike(a: Table, b: Table, apart: bool) -> Iterator[tuple[str, str, int]]:
    """(column of a, column of b, cost) of columns that look like a foreign key or, between tables `apart`, alike."""
    same = [(c.name, d.name) for c in a.columns for d in b.columns if c.name.lower() == d.name.lower()]
    keys = [(x, y) for x, y in same if {x, y} & {*a.primary_key, *b.primary_key} or x.lower().endswith(("id", "code"))]
    named = [(c.name, key) for c in a.columns for key in b.primary_key if _names(c.name, b.name, key)]
    named += [(key, c.name) for c in b.columns for key in a.primary_key if _names(c.name, a.name, key)]
    best = dict.fromkeys(keys + named)
    yield from ((x, y, _NAMED) for x, y in best)
    yield from ((x, y, _ALIKE) for x, y in same if apart and (x, y) not in best)


def _names(column: str, table: str, key: str) -> bool:
    """Whether `column` is called after the key of `table`."""
    low = table.lower()
    singular = low.removesuffix("s")
    return any(column.lower().endswith(f"{name}_{key.lower()}") for name in (low, singular)) or (
        column.lower() in (low, singular) and bool(singular)
    )


def _column(table: Table, name: str) -> str:
    return f"{written(table.name)}.{written(name)}"
