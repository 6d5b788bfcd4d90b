"""Another word for the same thing."""

from __future__ import annotations

from dragoman.bench.perturb.word_list import read_word_list


def synonym(word: str) -> str:
    """The other word for it in `synonyms.txt`, plurals by their singular; the word itself if there is none."""
    known = read_word_list("synonyms.txt")
    if word in known:
        return known[word]
    singular = word.removesuffix("s")
    return known[singular] + "s" if singular in known else word
