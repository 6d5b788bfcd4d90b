"""Q(c): which questions of a workload a column matters to, by what their gold queries read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from dragoman.errors import Unreadable
from dragoman.questions import Example
from dragoman.refine.refinement import Place, tables_by_key
from dragoman.schema import Schema
from dragoman.sql.parse import parse
from dragoman.sql.references import references

_STRING = re.compile(r"'(?:[^']|'')*'")
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class QueryIndex:
    """The questions of each column, and of each table under (table, ""), in the order of the workload.

    `fallback` numbers the questions whose gold cannot be parsed: there a column counts as read where its bare name
    stands outside strings, which takes in homonyms.
    """

    questions: Mapping[Place, tuple[int, ...]]
    fallback: frozenset[int] = frozenset()
    unread: tuple[int, ...] = field(default=())

    def of(self, place: Place) -> tuple[int, ...]:
        """Numbers of the questions whose gold reads the place, stars included; () if none does."""
        return self.questions.get(place, ())

    def of_all(self, places: Iterable[Place]) -> tuple[int, ...]:
        """Numbers of the questions that read any of the places."""
        return tuple(sorted({number for place in places for number in self.of(place)}))


def query_index(examples: Iterable[Example], schema: Schema) -> QueryIndex:
    """Index the gold queries (the first gold of each; questions without one read nothing)."""
    found: dict[Place, list[int]] = {}
    fallback, unread = set(), []
    for number, example in enumerate(examples):
        if not example.sql:
            unread.append(number)
            continue
        try:
            places = references(parse(example.sql, schema.dialect), schema, stars=True)
        except Unreadable:
            places = _by_words(example.sql, schema)
            fallback.add(number)
        for place in sorted(places):
            found.setdefault(place, []).append(number)
    return QueryIndex({place: tuple(numbers) for place, numbers in found.items()}, frozenset(fallback), tuple(unread))


def _by_words(sql: str, schema: Schema) -> frozenset[Place]:
    """Columns whose bare name the text has outside single quotes, whatever table they belong to."""
    words = {word.lower() for word in _WORD.findall(_STRING.sub(" ", sql))}
    places = set()
    for key, table in tables_by_key(schema).items():
        columns = {
            (key, c.name) for c in table.columns if set(_WORD.findall(c.name.lower())) <= words and c.name.strip()
        }
        places |= columns
        if columns and set(_WORD.findall(table.name.lower())) <= words:
            places.add((key, ""))
    return frozenset(places)
