"""Other forms under which a database may hold what a question says: `towels` is Towel, `French` is France."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources

from dragoman.linking.words import stem

SHORTEST = 4
"""Letters; shorter words are not bent."""


def singulars(phrase: str) -> Iterator[str]:
    """A folded phrase with its last word in the singular, where that is in the plural."""
    before, space, word = phrase.rpartition(" ")
    if len(word) < SHORTEST or not word.isalpha():
        return
    if (singular := stem(word)) != word:
        yield f"{before}{space}{singular}"
    if word.endswith("es") and singular != word[:-2]:
        yield f"{before}{space}{word[:-2]}"


def places_meant(phrase: str) -> tuple[str, ...]:
    """The folded names of the place whose adjective a folded phrase is."""
    return _places().get(phrase, ())


@cache
def _places() -> Mapping[str, tuple[str, ...]]:
    lines = resources.files("dragoman.linking").joinpath("demonyms.txt").read_text("utf-8").splitlines()
    found: dict[str, tuple[str, ...]] = {}
    for line in lines:
        adjectives, colon, names = line.partition(": ")
        if colon and not line.startswith("#"):
            found |= dict.fromkeys(adjectives.split(", "), tuple(names.split(", ")))
    return found
