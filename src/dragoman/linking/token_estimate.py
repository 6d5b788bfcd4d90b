"""How many tokens a text has, estimated without a model."""

from __future__ import annotations

import re

_TOKEN = re.compile(r"[A-Z]?[a-z]{1,5}|[A-Z]{1,2}|\d|[^\sA-Za-z\d]+|\n")


def estimate_tokens(text: str) -> int:
    """Tokens of `text`, estimated: pieces of words, digits one by one, runs of signs. Rather too many than too few."""
    return len(_TOKEN.findall(text))
