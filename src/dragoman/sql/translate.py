"""From one dialect's SQL to another's."""

from __future__ import annotations

from sqlglot.errors import ErrorLevel, SqlglotError

from dragoman.errors import Unreadable
from dragoman.sql.parse import parse


def translate(sql: str, source: str, target: str) -> str:
    """One query in another dialect. Raises `Unreadable` where it cannot be read or the target has no words for it."""
    tree = parse(sql, source)
    try:
        return tree.sql(dialect=target, unsupported_level=ErrorLevel.RAISE)
    except (SqlglotError, ValueError) as error:
        raise Unreadable(f"This query cannot be written for {target}: {error}.") from None
