"""The words that names are made of: which are common, which are short forms, and how a name falls into words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from importlib import resources

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_a-zA-Z]+|\d+")
_CLUSTER = re.compile(r"[^aeiouy]{4}|[^aeiouy]{3}$|^[^aeiouy]{3}(?<!str)(?<!scr)(?<!spr)(?<!sch)(?<!thr)")
_ENDINGS = (("ies", "y"), ("sses", "ss"), ("ches", "ch"), ("shes", "sh"), ("xes", "x"), ("s", ""))


def name_words(name: str) -> list[str]:
    """The words of a name in lower case; capitals, digits, underscores and spaces tell them apart."""
    return [word.lower() for word in _WORD.findall(name)]


def snake(words: Sequence[str]) -> str:
    """Words as one name in snake case."""
    return "_".join(words)


@lru_cache(1 << 14)
def singular(word: str) -> str:
    """The word without its plural ending, where the vocabulary has it so; else the word."""
    if word in tiers():
        return word
    for ending, other in _ENDINGS:
        if word.endswith(ending) and word[: -len(ending)] + other in tiers():
            return word[: -len(ending)] + other
    return word


def plural(word: str) -> str:
    """The plural of a regular noun."""
    if word.endswith(("s", "x", "ch", "sh")):
        return word + "es"
    return word[:-1] + "ies" if word.endswith("y") and word[-2:-1] not in "aeiou" else word + "s"


def is_word(word: str) -> bool:
    """Whether the vocabulary has the word, in the singular or the plural."""
    return singular(word) in tiers()


@lru_cache(1 << 14)
def is_form(word: str) -> bool:
    """Whether the word, or what it is a form of, is in the vocabulary: `captured`, `helpful`."""
    if is_word(word):
        return True
    if word in short_forms():
        return False
    stems = [word.removesuffix(ending) for ending in ("ed", "d", "ing", "ly", "er", "ful", "less", "ness")]
    known = tiers()
    return any(
        stem != word and len(stem) > 2 and (stem in known or stem + "e" in known or stem[:-1] in known)
        for stem in stems
    )


@lru_cache(1 << 14)
def looks_like_word(word: str) -> bool:
    """Whether people would read it as a word: known, or long and easy to speak; other scripts are not judged."""
    if is_form(word) or not word.isascii():
        return True
    vowels = sum(letter in "aeiouy" for letter in word)
    return word not in short_forms() and len(word) > 5 and 3 * vowels >= len(word) and not _CLUSTER.search(word)


@cache
def tiers() -> Mapping[str, int]:
    """Word -> how common it is in names: 1 in almost every database, 2 in many, 3 in those of one trade."""
    found: dict[str, int] = {}
    tier = 0
    for line in _lines("vocabulary.txt"):
        if line.startswith("["):
            tier = int(line.strip("[]"))
        else:
            for word in line.split():
                found.setdefault(word, tier)
    return found


@cache
def short_forms() -> Mapping[str, tuple[str, ...]]:
    """Short form -> what it may stand for, the likeliest first; words of one reading are joined by "_"."""
    return {short: tuple(long) for short, *long in map(str.split, _lines("short_forms.txt"))}


@cache
def filler() -> Mapping[str, frozenset[str]]:
    """What names and comments can do without, by where: "tables", "flags", "tails" and "comments"."""
    lines = (line.partition(":") for line in _lines("filler.txt"))
    return {name: frozenset(words.split()) for name, _, words in lines}


def _lines(file: str) -> list[str]:
    text = resources.files("dragoman.refine").joinpath(f"words/{file}").read_text("utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]
