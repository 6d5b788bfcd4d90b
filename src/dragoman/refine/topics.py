"""Which words of names belong together, and what they say of values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from importlib import resources

from dragoman.refine.vocabulary import singular


def topics_of(words: Iterable[str]) -> frozenset[str]:
    """The topics that any of the words, singular or joined by "_" into a term, belongs to."""
    known = _topics()
    return frozenset(topic for word in words for topic in known.get(singular(word), ()))


@cache
def sort(name: str) -> frozenset[str]:
    """The words and terms of a sort: "numbers", "texts", "days" or "modifiers"."""
    return _read("sorts")[name]


@cache
def _topics() -> Mapping[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for topic, words in _read("topics").items():
        for word in words:
            found[word] = found.get(word, frozenset()) | {topic}
    return found


@cache
def _read(file: str) -> Mapping[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for line in resources.files("dragoman.refine").joinpath(f"words/{file}.txt").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            name, _, words = line.partition(":")
            found[name] = found.get(name, frozenset()) | frozenset(words.split())
    return found
