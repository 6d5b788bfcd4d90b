"""The words that stand near a name: in its table, its neighbours, comments, values and the domain."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from dragoman.refine.expand_word import Surroundings, expand_word
from dragoman.refine.subject import Subject
from dragoman.refine.topics import sort, topics_of
from dragoman.refine.value_kind import value_kind, value_kinds
from dragoman.refine.vocabulary import filler, looks_like_word, name_words, singular, snake

_TEXT = re.compile(r"[A-Za-z]+")
_NUMBER = re.compile(r"-?\d+([.,]\d+)?")
_NUMERIC = re.compile(r"INT(?!ERVAL)|NUM|DEC|REAL|FLOAT|DOUB|MONEY", re.IGNORECASE)
_TEXTUAL = re.compile(r"CHAR|TEXT|CLOB|STRING", re.IGNORECASE)
_FLAG = re.compile(r"BOOL|^BIT\b|TINYINT\(1\)", re.IGNORECASE)
VALUES, COMMENT, TABLE, NEIGHBOUR, KEY, DOMAIN, ELSEWHERE = 0.7, 0.6, 1.0, 0.3, 0.6, 0.2, 0.2
SHORT_NEIGHBOUR, SURE = 0.15, 0.8
"""How near a word is, by where it stands. What a neighbour is short for counts where its reading has this weight."""


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
    short = (name for other in subject.neighbours for part in name_words(other.name) for name in _likeliest(part))
    put(short, SHORT_NEIGHBOUR, "short for a word of a neighbour")
    tables = tuple(filter(None, map(_lean, subject.tables)))
    if column is None:
        return Surroundings(near, topics=_topics(near), tables=tables)
    put(_clear(table.name), TABLE, "in the name of the table")
    kind = value_kind(subject.samples)
    if kind:
        put(kind.words, VALUES, f"the values look like {kind.name.replace('_', ' ')}")
    return Surroundings(near, _against(subject), _topics(near), tables)


def _topics(near: Mapping[str, tuple[float, str]]) -> Mapping[str, float]:
    """Topic -> how much of what stands near is of it, beside the topic that most is of."""
    found: dict[str, float] = {}
    for word, (weight, _) in near.items():
        own = topics_of([word])
        for topic in own:
            found[topic] = found.get(topic, 0.0) + weight / len(own)
    most = max(found.values(), default=0.0)
    return {topic: score / max(most, 1.0) for topic, score in found.items()}


def _against(subject: Subject) -> frozenset[str]:
    """Words of kinds that values or type do not belong to: nobody calls a number an email, or a flag a price."""
    kind = value_kind(subject.samples)
    like = [other for other in value_kinds().values() if other.fits(subject.samples)]
    allowed = {word for other in like for word in other.words}
    telling = [value_kinds()[name] for name in ("date", "email", "url", "currency")]
    found: set[str] = set()
    declared = subject.column.type if subject.column else ""
    opposed = value_kinds().values() if kind and kind.name != "flag" else telling
    if kind or len(subject.samples) >= 3:
        found |= {word for other in opposed for word in other.words}
    if len(subject.samples) >= (1 if _TEXTUAL.search(declared) else 3):
        found |= set() if any(re.search(r"\d", value) for value in subject.samples) else sort("numbers")
    numbers = len(subject.samples) >= 3 and all(_NUMBER.fullmatch(value) for value in subject.samples)
    if numbers or _NUMERIC.search(declared):
        found -= {"date", "day"}  # a number may be one of days
        found |= sort("texts")
    if kind and "date" in kind.words:
        found |= sort("texts") | (sort("numbers") - {"year", "month"})
    if not _FLAG.search(declared) and (not kind or kind.name != "flag"):
        found |= sort("modifiers")
    return frozenset(found - allowed)


def _text(text: str) -> list[str]:
    return [word for word in map(str.lower, _TEXT.findall(text)) if looks_like_word(word)]


def _names(names: Iterable[str]) -> list[str]:
    return [word for name in names for word in name_words(name) if looks_like_word(word)]


def _clear(name: str) -> list[str]:
    """The words of a table's name, short forms by their likeliest reading."""
    return [word for part in name_words(name) for word in expand_word(part)[0].words]


@lru_cache(1 << 12)
def _likeliest(part: str) -> tuple[str, ...]:
    """The words, and the term, that a part which is no word is surely short for; none where that is open."""
    best = expand_word(part)[0]
    sure = best.weight >= SURE and not looks_like_word(part)
    return (*best.words, snake(best.words)) if sure else ()


@lru_cache(1 << 12)
def _lean(name: str) -> tuple[str, ...]:
    """The words of a table's name in the singular, without those that say nothing."""
    words = [singular(word) for word in _clear(name)]
    return tuple(word for word in words if word not in filler()["tables"])
