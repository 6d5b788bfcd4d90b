"""The linker of the embedded model: of a schema that is too large, the tables that a question needs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache

from dragoman.linking.group_tables import group_tables
from dragoman.linking.named_members import named_members
from dragoman.linking.ranker import Ranker
from dragoman.linking.ranking import FullName, Ranking
from dragoman.linking.words import words
from dragoman.schema import Column, Schema, Table
from dragoman.schema.render import compact

MOST_MEMBERS = 4
"""Tables of one group that a question may name; one that names more speaks of them all, and one stands for them."""

ENOUGH = 0.3
"""Share of the budget that is filled in any case, with tables that a question seems to have nothing to do with."""
SPOKEN_OF = 0.25
"""Score of a table that a question has to do with; others come in an order that is the same for all questions."""

Size = Callable[[Schema], int]
Values = Sequence[tuple[str, str, str]]
"""(table, column, value) that a question names."""


def link(
    schema: Schema,
    question: str,
    values: Values = (),
    budget: int = 2200,
    size: Size = lambda schema: len(compact(schema)),
    keep: frozenset[str] = frozenset(),
) -> Schema:
    """The part of `schema` that fits `budget` (in units of `size`, by default characters), in a lasting order.

    `values` are (table, column, value) hints. Tables named in `keep` stay whatever the budget. Tables come in by
    their rank with those that join them to the ones already in, but not all that would fit: what a small model need
    not look at leads it astray and costs time. Of tables that differ in a date those come that the question names, or
    the latest. A table wider than the budget loses columns. The same arguments give the same part; a schema that fits
    comes back whole.
    """
    if size(schema) <= budget:
        return schema
    index = _index(schema)
    ranking = index.ranker.rank(question, values)
    sizes = {table.full_name: size(replace(schema, tables=(table,))) for table in schema}
    chosen: dict[FullName, None] = {table.full_name: None for table in schema if table.name in keep}
    room = budget - sum(sizes[name] for name in chosen)
    for table, spoken_of in index.ranked(ranking, question):
        if not spoken_of and budget - room >= ENOUGH * budget:
            break
        for name in index.standing(table, question, values):
            way = [there for there in index.way(name, chosen) if there not in chosen]
            for attempt in ([*way, name], [name]):
                fresh = [there for there in dict.fromkeys(attempt) if there not in chosen]
                cost = sum(sizes[there] for there in fresh)
                if cost <= room:
                    chosen |= dict.fromkeys(fresh)
                    room -= cost
                    break
    if not chosen:
        widest, _ = next(index.ranked(ranking, question))
        return _narrowed(replace(schema, tables=(widest,)), ranking, budget, size)
    kept = sum(table.name in keep for table in schema)
    return _part(schema, index.order, list(chosen), lambda part: size(part) <= budget, kept)


def relevance(schema: Schema, question: str) -> Callable[[str, str], float]:
    """How much the question has to do with (table, column), for `ValueIndex.match`; computed when first asked for."""

    @cache
    def scores() -> Mapping[str, tuple[float, Mapping[str, float]]]:
        ranking = _index(schema).ranker.rank(question)
        columns: dict[FullName, dict[str, float]] = {}
        for (name, path), score in ranking.columns.items():
            columns.setdefault(name, {})[path] = score
        return {name[-1]: (score, columns.get(name, {})) for name, score in ranking.tables.items()}

    def score(table: str, column: str) -> float:
        found = (scores()[name] for name in (table, *_index(schema).alike(table)) if name in scores())
        of_table, of_columns = next(found, (0.0, {}))
        return of_table + of_columns.get(column, 0.0)

    return score


def values_seen(schema: Schema, seen: Schema, values: Values) -> list[tuple[str, str, str]]:
    """The values of columns in `seen`, a part of `schema`; what stands for another table takes over its values."""
    found: dict[tuple[str, str, str], None] = {}
    for name, column, value in values:
        for there in (name,) if seen.table(name) or seen is schema else _index(schema).alike(name):
            table = seen.table(there)
            if table is not None and table.column(column):
                found[there, column, value] = None
    return list(found)


class _Index:
    """What is the same for all questions over one schema."""

    def __init__(self, schema: Schema) -> None:
        grouped = group_tables(schema)
        self.ranker = Ranker(grouped.schema)
        self._shown, self._groups = grouped.schema, grouped.groups
        self._near: dict[FullName, list[FullName]] = {table.full_name: [] for table in schema}
        for owner, key in schema.foreign_keys:
            target = schema.table(key.target, key.target_schema or owner.schema)
            if target is not None:
                self._near[owner.full_name].append(target.full_name)
                self._near[target.full_name].append(owner.full_name)
        self._names = {table.full_name for table in grouped.schema}
        self.order = sorted(schema, key=lambda t: (t.full_name not in self._names, -len(self._near[t.full_name])))

    def ranked(self, ranking: Ranking, question: str) -> Iterator[tuple[Table, bool]]:
        """Tables of the grouped schema, and whether the question speaks of them: these by score, the rest in order."""
        asked = set(words(question))
        score = {
            table.full_name: score
            for table in self._shown
            if (score := ranking.tables[table.full_name]) >= SPOKEN_OF or asked.issuperset(words(table.name))
        }
        yield from (
            (t, True) for t in sorted(self._shown, key=lambda t: -score.get(t.full_name, 0)) if t.full_name in score
        )
        yield from ((t, False) for t in self.order if t.full_name in self._names and t.full_name not in score)

    def standing(self, table: Table, question: str, values: Values) -> tuple[FullName, ...]:
        """The tables that stand for one of the grouped schema: members that question or values name, else itself."""
        members = table.members if table.full_name in self._groups else ()
        hinted = {name for name, _, _ in values}
        for named in (named_members(question, members), [member for member in members if member in hinted]):
            if 1 <= len(named) <= MOST_MEMBERS:
                return tuple((*table.full_name[:-1], member) for member in named)
        return (table.full_name,)

    def alike(self, name: str) -> tuple[str, ...]:
        """The tables that stand together with the one of this name."""
        return next((table.members for table in self._shown if name in table.members), ())

    def way(self, start: FullName, ends: Iterable[FullName]) -> tuple[FullName, ...]:
        """Tables on a shortest way along foreign keys from `start` to one of `ends`, both left out; () without one."""
        goal = set(ends)
        ways: dict[FullName, tuple[FullName, ...]] = {start: ()}
        queue = [start]
        for here in queue:
            for there in self._near[here]:
                if there in goal:
                    return ways[here]
                if there not in ways:
                    ways[there] = (*ways[here], there)
                    queue.append(there)
        return ()


@lru_cache(maxsize=8)
def _index(schema: Schema) -> _Index:
    return _Index(schema)


def _part(
    schema: Schema, order: Sequence[Table], chosen: Sequence[FullName], fits: Callable[[Schema], bool], kept: int
) -> Schema:
    """The chosen tables in order; should they not fit together, without the last ones, but with the first `kept`."""
    names = list(chosen)
    while True:
        part = replace(schema, tables=tuple(table for table in order if table.full_name in names))
        if len(names) <= max(1, kept) or fits(part):
            return part
        names.pop()


def _narrowed(schema: Schema, ranking: Ranking, budget: int, size: Size) -> Schema:
    """The one table of `schema` with as many columns as fit: keys, then those the question speaks of, then the rest."""
    (table,) = schema.tables
    linked = {name for key in table.foreign_keys for name in key.columns}
    ranked = sorted(
        table.columns,
        key=lambda c: (
            not c.primary_key and c.name not in linked,
            -ranking.columns.get((table.full_name, c.name), 0.0),
        ),
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
