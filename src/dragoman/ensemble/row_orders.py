"""Queries that ask for an order of their rows."""

from __future__ import annotations

from functools import lru_cache

from dragoman.errors import Unreadable
from dragoman.sql.outer_order import outer_order


@lru_cache(maxsize=20_000)
def is_ordered(sql: str, dialect: str) -> bool:
    """Whether the outermost query has an ORDER BY; not where it cannot be read."""
    try:
        return outer_order(sql, dialect).ordered
    except Unreadable:
        return False
