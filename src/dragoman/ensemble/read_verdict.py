"""What a judge's reply says."""

from __future__ import annotations

import re

from dragoman.ensemble.judge import Winner
from dragoman.sql.unstuck import unstuck

_NAMED = re.compile(
    r"(?i:better|best|winner|verdict|choice|preferred|preference|decision|final answer)[\"')]*(?:\s+(?i:one|query|is))*"
    r"\s*[:=]?\s*(?i:the\s+)?(?:(?i:SQL|query|candidate|option|answer|solution)\s+)?"
    r"[\"'(\[]*(A|B|(?i:neither|both|tie|equal|none))[\"')\]]*(?![\w'])"
)
_SAID = re.compile(
    r"\b(A|B)\b[\"')]*\s+(?:is|seems|looks)\s+(?:the\s+|clearly\s+|more\s+)*(?:better|best|correct|right|preferable|winner)"
)
_MARKED = re.compile(r"\[\[\s*(A|B)\s*\]\]")
_ALONE = re.compile(r"(?:(?i:query|candidate|option|answer)\s+)?\(?(A|B)\)?[.!]?")
_WINNERS: dict[str, Winner] = {"A": "first", "B": "second"}


def read_verdict(reply: str) -> Winner | None:
    """Which side wins; "undecided" where the reply says that neither does, None where it says nothing of the kind.

    What comes after thinking counts, and the last word on the matter: `Better: B`, `{"better": "B"}`, `[[B]]`,
    `Query B is better`, or the letter as a line of its own.
    """
    text = re.sub(r"[*_`#]", "", unstuck(reply.rpartition("</think>")[2]))
    for pattern in (_NAMED, _MARKED, _SAID):
        found = list(pattern.finditer(text))
        if found:
            return _WINNERS.get(found[-1].group(1), "undecided")
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    alone = _ALONE.fullmatch(lines[-1]) if lines else None
    return _WINNERS[alone.group(1)] if alone else None
