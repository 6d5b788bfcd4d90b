"""get_sql_pattern: query forms that we wrote, by the kind of question."""

from __future__ import annotations

from functools import cache
from importlib import resources

from dragoman.agent.desk import Desk, Observation
from dragoman.agent.sentences import say
from dragoman.agent.words import best_passages

MOST, CLOSE = 2, 0.5


def get_sql_pattern(desk: Desk, kind: str) -> Observation:
    """The forms that fit the words best."""
    found = best_passages(kind, patterns(), MOST, CLOSE)
    if found:
        return Observation("\n\n".join(f"## {patterns()[i]}" for i in found))
    names = ", ".join(pattern.partition("\n")[0] for pattern in patterns())
    return Observation(say("no_pattern", names=names), "empty")


@cache
def patterns() -> tuple[str, ...]:
    """All forms, each beginning with its name."""
    text = resources.files("dragoman.agent").joinpath("patterns.md").read_text("utf-8")
    return tuple(section.strip() for section in text.split("\n## ")[1:])
