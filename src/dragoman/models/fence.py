"""Marks what comes from the database and from documents as data."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from dataclasses import dataclass

_TAG = re.compile(r"[<\uff1c\ufe64](?=[\s/\\|\u200c\u200d]*data)", re.IGNORECASE)
_PLAIN = re.compile(r"[\n\t\x20-\x7e]*")
_KEPT = frozenset("\n\t")
_JOINERS = frozenset("\u200c\u200d")


@dataclass(frozen=True, slots=True)
class Fence:
    """Puts text between two tags that the text cannot close.

    What looks like a tag inside is written `&lt;`, characters that cannot be seen are written as escapes, and the
    tags carry `marker`, which people who write the data do not see.
    """

    marker: str

    def __call__(self, text: str, kind: str) -> str:
        """The text as data; `kind` is our own word for what it is."""
        return f"<data {self.marker} {kind}>\n{_harmless(text.replace(self.marker, '[marker]'))}\n</data {self.marker}>"


def fence_for(seed: int, database: str) -> Fence:
    """The fence of a run: the same for the same seed and database, so that prompts keep their prefix and replay."""
    return Fence(hashlib.sha256(f"{seed}\n{database}".encode()).hexdigest()[:8])


def _harmless(text: str) -> str:
    if _PLAIN.fullmatch(text):
        return _TAG.sub("&lt;", text)
    seen = "".join(_visible(char, text[i - 1 : i]) for i, char in enumerate(text))
    return _TAG.sub("&lt;", seen)


def _visible(char: str, before: str) -> str:
    """The character, or its escape where nobody would see it. Joiners stay in scripts and emoji that need them."""
    if char in _KEPT or (char in _JOINERS and before > "\x7f"):
        return char
    return f"\\u{{{ord(char):x}}}" if unicodedata.category(char) in ("Cc", "Cf", "Co", "Cs") else char
