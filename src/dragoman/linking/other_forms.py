"""Other forms under which a database may hold what a question says: `towels` is Towel, `French` is France."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import resources

from dragoman.linking.words import stem

SHORTEST = 4
"""Letters; shorter words are not bent."""
_SIBILANTS = ("ses", "xes", "zes", "ches", "shes", "oes")
_NO_PLURALS = frozenset({"news", "dans", "sans", "series", "species"})
_NARROWER = frozenset(
    {"north", "northern", "south", "southern", "east", "eastern", "west", "western", "central", "latin", "african"}
    | {"native", "caribbean"}
)
"""Before an adjective they make it that of another place: South African, Latin American."""


def singulars(words: Sequence[str], start: int, end: int, names: frozenset[str]) -> Iterator[str]:
    """The phrase of `words[start:end]`, in lower case, with its last word in the singular, where that is in the plural.

    None for a capitalised word within a sentence, which is a name, and none where the schema's own `names` (stems) have
    every word of the phrase: "how many orders" speaks of the table, even where some text is "order".
    """
    *before, last = words[start:end]
    word = last.casefold()
    if len(word) < SHORTEST or not word.isalpha() or word in _NO_PLURALS or (end > 1 and last[0].isupper()):
        return
    if all(stem(part.casefold()) in names for part in (*before, last)):
        return
    for ending, other in (("ies", "y"), ("ies", "ie"), *((ending, ending[:-2]) for ending in _SIBILANTS)):
        if word.endswith(ending):
            yield " ".join([*before, word[: -len(ending)] + other]).casefold()
    if word.endswith("s") and not word.endswith(("ss", "ies", "us")):
        yield " ".join([*before, word[:-1]]).casefold()


def places_meant(words: Sequence[str], start: int, end: int) -> tuple[str, ...]:
    """The folded names of the place whose adjective `words[start:end]` is."""
    phrase = " ".join(words[start:end]).casefold().removesuffix("'s")
    narrowed = start > 0 and words[start - 1].casefold() in _NARROWER
    another = phrase == "polish" and not words[start][0].isupper()
    card = phrase == "american" and end < len(words) and words[end].casefold() == "express"
    return () if narrowed or another or card else _places().get(phrase, ())


@cache
def _places() -> Mapping[str, tuple[str, ...]]:
    lines = resources.files("dragoman.linking").joinpath("demonyms.txt").read_text("utf-8").splitlines()
    found: dict[str, tuple[str, ...]] = {}
    for line in lines:
        adjectives, colon, names = line.partition(": ")
        if colon and not line.startswith("#"):
            found |= dict.fromkeys(adjectives.split(", "), tuple(names.split(", ")))
    return found
