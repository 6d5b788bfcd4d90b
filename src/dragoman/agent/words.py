"""Which of some passages are about the words of a query."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_A-Za-z]+|\d+")
_SATURATION, _LENGTH = 1.2, 0.6  # BM25's k1 and b


def words(text: str) -> list[str]:
    """The words in lower case, camel case and snake case apart, without accents and plural endings."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return [_stem(word.lower()) for word in _WORD.findall(plain)]


def best_passages(query: str, passages: Sequence[str], most: int, least: float = 0.0) -> list[int]:
    """Indices of up to `most` passages that share words with the query, best first (BM25), ties in order."""
    bags = [Counter(words(passage)) for passage in passages]
    length = sum(bag.total() for bag in bags) / max(1, len(bags))
    found = Counter(word for bag in bags for word in bag)
    asked = dict.fromkeys(words(query))
    scores = [sum(_weight(word, bag, found[word], len(bags), length) for word in asked) for bag in bags]
    ranked = sorted((i for i, score in enumerate(scores) if score > least), key=lambda i: (-scores[i], i))
    return ranked[:most]


def _weight(word: str, bag: Counter[str], holders: int, total: int, length: float) -> float:
    times = bag[word]
    if not times:
        return 0.0
    rarity = math.log(1 + (total - holders + 0.5) / (holders + 0.5))
    damping = _SATURATION * (1 - _LENGTH + _LENGTH * bag.total() / length)
    return rarity * times * (_SATURATION + 1) / (times + damping)


def _stem(word: str) -> str:
    for ending, other in (("ies", "y"), ("sses", "ss"), ("s", "")):
        if word.endswith(ending) and len(word) > len(ending) + 1 and not word.endswith("ss"):
            return word[: -len(ending)] + other
    return word
