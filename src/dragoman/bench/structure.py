"""Where an answer's query differs from another in what it is made of, read off both trees."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from dragoman.errors import Unreadable
from dragoman.sql.shape import Shape, shape

Part = Literal["DISTINCT", "window function", "set operation"]
PARTS: tuple[Part, ...] = ("DISTINCT", "window function", "set operation")

Loss = Literal["SELECT count", "lost join", "lost aggregate", "lost filter", "non-structural", "no query"]
LOSSES: tuple[Loss, ...] = ("SELECT count", "lost join", "lost aggregate", "lost filter", "non-structural", "no query")


def mismatches(gold: str, sql: str, dialect: str) -> tuple[Part, ...] | None:
    """The parts that one of the two queries has and the other has not; None where either cannot be read."""
    a, b = _shape(gold, dialect), _shape(sql, dialect)
    if a is None or b is None:
        return None
    present = ((a.distinct, b.distinct), (a.window, b.window), (a.set_operation, b.set_operation))
    return tuple(part for part, (one, other) in zip(PARTS, present, strict=True) if one != other)


def loss(right: str, wrong: str, dialect: str) -> Loss:
    """What a query that is now wrong lost against the right one before it: the first class that applies."""
    a, b = _shape(right, dialect), _shape(wrong, dialect)
    if a is None or b is None:
        return "no query"
    if a.selected != b.selected:
        return "SELECT count"
    if b.tables < a.tables:
        return "lost join"
    if b.aggregates < a.aggregates:
        return "lost aggregate"
    if b.filters < a.filters:
        return "lost filter"
    return "non-structural"


@lru_cache(maxsize=20_000)
def _shape(sql: str, dialect: str) -> Shape | None:
    try:
        return shape(sql, dialect)
    except Unreadable:
        return None
