"""Which of some passages are about the words of a query."""

from __future__ import annotations

import math
import unicodedata
from collections import Counter
from collections.abc import Sequence
from functools import cache
from importlib import resources

from dragoman.linking.words import words

_SATURATION, _LENGTH = 1.2, 0.6  # BM25's k1 and b
HEADING = 3
"""Times that a word of a passage's first line counts."""


def plain_words(text: str) -> list[str]:
    """The words of a text without accents, plural endings and those that say nothing alone."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return [word for word in words(plain) if word not in _stop_words()]


def best_passages(query: str, passages: Sequence[str], most: int, least: float = 0.0) -> list[int]:
    """Indices of up to `most` passages that share words with the query, best first (BM25), ties in order.

    The first line of a passage is its heading. Passages that score less than `least` of the best are left out.
    """
    bags = [_bag(passage) for passage in passages]
    length = sum(bag.total() for bag in bags) / max(1, len(bags))
    found = Counter(word for bag in bags for word in bag)
    asked = dict.fromkeys(plain_words(query))
    scores = [sum(_weight(word, bag, found[word], len(bags), length) for word in asked) for bag in bags]
    least *= max(scores, default=0.0)
    ranked = sorted((i for i, score in enumerate(scores) if score and score >= least), key=lambda i: (-scores[i], i))
    return ranked[:most]


def _weight(word: str, bag: Counter[str], holders: int, total: int, length: float) -> float:
    times = bag[word]
    if not times:
        return 0.0
    rarity = math.log(1 + (total - holders + 0.5) / (holders + 0.5))
    damping = _SATURATION * (1 - _LENGTH + _LENGTH * bag.total() / length)
    return rarity * times * (_SATURATION + 1) / (times + damping)


def _bag(passage: str) -> Counter[str]:
    bag = Counter(plain_words(passage))
    for word in plain_words(passage.partition("\n")[0]):
        bag[word] += HEADING - 1
    return bag


@cache
def _stop_words() -> frozenset[str]:
    text = resources.files("dragoman.agent").joinpath("stop_words.txt").read_text("utf-8")
    return frozenset(word for word in words(text))
