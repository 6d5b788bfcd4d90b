"""A name as its words, and back."""

from __future__ import annotations

import re
from collections.abc import Callable

_PIECE = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_]+|\d+|[\W_]+")


def change_words(name: str, change: Callable[[str], str]) -> str:
    """`name` with `change` applied to each of its words in lower case, the case of each kept.

    Words are told apart by capitals, digits, underscores and spaces, which stay where they are.
    """
    return "".join(_in_case(piece, change(piece.lower())) if piece.isalpha() else piece for piece in pieces(name))


def pieces(name: str) -> list[str]:
    """Words and what stands between them, in order; joined they are the name."""
    return _PIECE.findall(name)


def _in_case(model: str, word: str) -> str:
    if model.isupper() and len(model) > 1:
        return word.upper()
    return word[:1].upper() + word[1:] if model[:1].isupper() else word
