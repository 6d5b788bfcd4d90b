"""Words of names and questions: parts of names apart, endings away, and which words may mean the same."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from importlib import resources
from itertools import pairwise

from dragoman.linking.one_edit import SHORTEST, is_one_edit

SAME, SHORT, LIKE, PART, MEANT = 1.0, 0.8, 0.7, 0.5, 0.35
"""How much a match counts: the word itself, its short form, another ending, a part or a misspelling of it, another
word for it."""

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_a-zA-Z]+|\d+")
_VOWELS = frozenset("aeiou")


def words(text: str) -> list[str]:
    """Words in lower case without plural endings, camel case and digits apart: `custOrders_2` gives cust, order, 2."""
    return [stem(word.lower()) for word in _WORD.findall(text)]


@lru_cache(1 << 15)
def stem(word: str) -> str:
    """The word without its plural ending."""
    for ending, other in (("ies", "y"), ("sses", "ss"), ("s", "")):
        if word.endswith(ending) and len(word) > len(ending) + 1 and not word.endswith("ss"):
            return word[: -len(ending)] + other
    return word


def with_compounds(parts: list[str]) -> Iterator[str]:
    """The words, and each two that follow each other as one, so that "zip code" finds zipcode."""
    yield from parts
    for first, second in pairwise(parts):
        if first.isalpha() and second.isalpha():
            yield first + second


class Vocabulary:
    """The words of a schema, to be looked up by a question's words."""

    def __init__(self, known: Iterable[str]) -> None:
        self._known = frozenset(known)
        self._by_first: dict[str, list[str]] = {}
        self._by_last: dict[str, list[str]] = {}
        for word in sorted(self._known):
            if len(word) >= 3:
                self._by_first.setdefault(word[:1], []).append(word)
                self._by_last.setdefault(word[-2:], []).append(word)
        self._found: dict[str, Mapping[str, float]] = {}

    def meant_by(self, word: str) -> Mapping[str, float]:
        """Known words that `word` may stand for, each with how much the match counts."""
        if word not in self._found:
            self._found[word] = self._look_up(word)
        return self._found[word]

    def has(self, word: str) -> bool:
        """Whether the word is known as it is."""
        return word in self._known

    def _look_up(self, word: str) -> dict[str, float]:
        found: dict[str, float] = {}
        for other in self._by_first.get(word[:1], ()) if len(word) >= 3 else ():
            if weight := _likeness(word, other):
                found[other] = weight
        for other in self._by_last.get(word[-2:], ()) if len(word) >= 4 else ():
            if len(other) > len(word) and other.endswith(word):
                found[other] = max(found.get(other, 0.0), PART)
        for other in _meanings().get(word, ()):
            if other in self._known:
                found[other] = max(found.get(other, 0.0), MEANT)
        for other in _short_forms().get(word, ()):
            if other in self._known:
                found[other] = SHORT
        if word in self._known:
            found[word] = SAME
        if not found and len(word) >= SHORTEST:
            found |= {other: PART for other in self._by_first.get(word[:1], ()) if is_one_edit(word, other)}
        return found


def _likeness(word: str, other: str) -> float:
    """How much two words of three letters and more that begin alike count as one."""
    longer, shorter = (word, other) if len(word) >= len(other) else (other, word)
    common = 0
    while common < len(shorter) and longer[common] == shorter[common]:
        common += 1
    if common >= max(4, 0.75 * len(longer)) or common >= max(6, 0.65 * len(longer)):
        return LIKE
    if common == len(shorter):
        return PART
    if word[-1] == other[-1] and not _VOWELS.intersection(other[1:-1]) and _is_within(other, word):
        return PART
    return 0.0


def _is_within(short: str, word: str) -> bool:
    """Whether the letters of `short` stand in `word` in this order."""
    letters = iter(word)
    return all(letter in letters for letter in short)


@cache
def _meanings() -> Mapping[str, frozenset[str]]:
    """The other words of every group that a word is in."""
    found: dict[str, set[str]] = {}
    for group in _lines("synonyms.txt"):
        for word in group:
            found.setdefault(stem(word), set()).update(stem(other) for other in group if other != word)
    return {word: frozenset(others) for word, others in found.items()}


@cache
def _short_forms() -> Mapping[str, frozenset[str]]:
    """Short forms by the long one, and the other way round."""
    found: dict[str, set[str]] = {}
    for long, *short in _lines("abbreviations.txt"):
        for form in short:
            found.setdefault(stem(long), set()).add(form)
            found.setdefault(form, set()).add(stem(long))
    return {word: frozenset(others) for word, others in found.items()}


def _lines(name: str) -> list[list[str]]:
    text = resources.files("dragoman.linking").joinpath(name).read_text("utf-8")
    return [line.split() for line in text.splitlines() if line and not line.startswith("#")]


@cache
def stop_words(file: str = "stop_words.txt") -> frozenset[str]:
    """Words that a question is not about."""
    return frozenset(resources.files("dragoman.linking").joinpath(file).read_text("utf-8").split())
