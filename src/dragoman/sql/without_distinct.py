"""A query without the word DISTINCT."""

from __future__ import annotations

from sqlglot.tokenizer_core import TokenType

from dragoman.sql.parse import tokenize


def without_distinct(sql: str, dialect: str) -> str:
    """The text with every DISTINCT taken out, also inside COUNT(DISTINCT ..). Raises `Unreadable`."""
    for token in reversed(tokenize(sql, dialect)):
        if token.token_type == TokenType.DISTINCT:
            sql = sql[: token.start] + sql[token.end + 1 :]
    return sql
