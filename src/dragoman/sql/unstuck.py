"""A reply without the endless repetition in which models get stuck."""

from __future__ import annotations

import re

SHORT = 2000
"""Characters; shorter texts are left as they are."""
KEPT = 50
"""Times that what repeats without end is kept."""

_STUCK = re.compile(
    rf"(?P<blank>\s{{{KEPT}}})\s{{{KEPT},}}|(?P<unit>.{{1,200}}?)(?P=unit){{{2 * KEPT - 1},}}", re.DOTALL
)


def unstuck(text: str) -> str:
    """The text, of which up to 200 characters that stand there 100 times in a row or more are kept 50 times.

    Of as much white space, of any kind, 50 characters are kept. Whoever reads a reply may try something at each of its
    places, and would be at it for minutes.
    """
    return text if len(text) <= SHORT else _STUCK.sub(lambda found: found["blank"] or found["unit"] * KEPT, text)
