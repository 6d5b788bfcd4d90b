"""Two ways to abbreviate a word that have nothing in common: a rule, and a list."""

from __future__ import annotations

from random import Random

from dragoman.bench.perturb.word_list import read_word_list

VOWELS = frozenset("aeiou")
SHORTEST = 4
"""Words with fewer letters stay as they are."""


def by_rule(word: str, random: Random) -> str:
    """A word without its vowels but the first letter, or cut after three or four letters, as `random` decides.

    A doubled consonant is written once. The result is at least two letters and shorter than the word.
    """
    if len(word) < SHORTEST or not word.isascii():
        return word
    if random.random() < 0.5:
        short = drop_vowels(word)
        if 2 <= len(short) < len(word):
            return short
    return word[: random.choice((3, 4)) if len(word) > 4 else 3]


def drop_vowels(word: str) -> str:
    """The first letter and the consonants after it, repeated ones once."""
    kept = word[0]
    for letter in word[1:]:
        if letter not in VOWELS and letter != kept[-1]:
            kept += letter
    return kept


def by_list(word: str) -> str:
    """The short form of a word in `abbreviations.txt`, plurals by their singular; the word itself if it has none."""
    known = read_word_list("abbreviations.txt")
    if word in known:
        return known[word]
    singular = word.removesuffix("s")
    return known[singular] + "s" if singular in known else word
