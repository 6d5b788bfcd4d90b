"""The words that stand near a name: in its table, its neighbours, comments, values and the domain."""

from __future__ import annotations

import re
from collections.abc import Iterable

from dragoman.refine.expand_word import Surroundings, expand_word
from dragoman.refine.subject import Subject
from dragoman.refine.value_kind import value_kind, value_kinds
from dragoman.refine.vocabulary import looks_like_word, name_words, singular

_TEXT = re.compile(r"[A-Za-z]+")
VALUES, COMMENT, TABLE, NEIGHBOUR, KEY, DOMAIN, ELSEWHERE = 1.0, 0.9, 0.6, 0.45, 0.6, 0.3, 0.25
"""How near a word is, by where it stands."""


def surroundings(subject: Subject) -> Surroundings:
    """The words near a subject, each with how near and where, and the words that its values speak against."""
    near: dict[str, tuple[float, str]] = {}

    def put(words: Iterable[str], weight: float, where: str) -> None:
        for word in words:
            if len(word) > 2:
                near[singular(word)] = max(near.get(singular(word), (0.0, "")), (weight, where))

    table, column = subject.table, subject.column
    comment = column.comment if column else table.comment
    put(_text(subject.domain), DOMAIN, "a word of the domain")
    put(_names(name for name in subject.tables if name != table.name), ELSEWHERE, "the name of another table")
    put(_text(table.comment), NEIGHBOUR, "in the table's comment")
    put(_names(other.name for other in subject.neighbours), NEIGHBOUR, "in the name of a neighbour")
    put(_names(name for place in subject.links for name in place if name), KEY, "in a column that a key links to it")
    put(_text(comment), COMMENT, "in the comment")
    if column is None:
        return Surroundings(near)
    put(_clear(table.name), TABLE, "in the name of the table")
    kind = value_kind(subject.samples)
    if kind:
        put(kind.words, VALUES, f"the values look like {kind.name.replace('_', ' ')}")
    against = _against(subject)
    return Surroundings(near, against)


def _against(subject: Subject) -> frozenset[str]:
    """Words of kinds that the values do not belong to, where there are values: nobody calls a number an email."""
    if len(subject.samples) < 3:
        return frozenset()
    kind = value_kind(subject.samples)
    telling = ("date", "email", "url", "currency")
    allowed = set(kind.words) if kind else set()
    found = {word for name in telling for word in value_kinds()[name].words} - allowed
    numbers = all(re.fullmatch(r"-?\d+([.,]\d+)?", value) for value in subject.samples)
    texts = not any(re.search(r"\d", value) for value in subject.samples)
    if numbers:
        found -= {"date", "day"}  # a number may be one of days
        found |= {"name", "text", "description", "comment"}
    if texts:
        found |= {"amount", "count", "number", "percent", "quantity", "price", "total"}
    return frozenset(found)


def _text(text: str) -> list[str]:
    return [word for word in map(str.lower, _TEXT.findall(text)) if looks_like_word(word)]


def _names(names: Iterable[str]) -> list[str]:
    return [word for name in names for word in name_words(name) if looks_like_word(word)]


def _clear(name: str) -> list[str]:
    """The words of a table's name, short forms by their likeliest reading."""
    return [word for part in name_words(name) for word in expand_word(part)[0].words]
