"""Refuses text that an engine might read otherwise than the parser: what is judged must be what runs."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sqlglot.tokenizer_core import Token, TokenType

from dragoman.errors import Refused

_EXECUTABLE = re.compile(r"/\*M?!", re.IGNORECASE)
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f\x85\u2028\u2029]")
_BARE_RETURN = re.compile(r"(?:--|#)[^\n]*\r(?!\n)")
_NO_COMMENT = re.compile(r"--[^\x00-\x7f]")
_MYSQL = frozenset({"mysql", "doris", "starrocks", "singlestore"})
_QUOTED = frozenset({TokenType.IDENTIFIER, TokenType.STRING, TokenType.NATIONAL_STRING})
_NO_SEMICOLONS = frozenset({"tsql", "fabric"})
_VERBS = re.compile(
    "ALTER|BACKUP|BEGIN|BULK|CHECKPOINT|COMMIT|CREATE|DBCC|DECLARE|DELETE|DENY|DROP|EXEC|EXECUTE|GOTO|GRANT|INSERT|KILL"
    "|MERGE|PRINT|RAISERROR|READTEXT|RECONFIGURE|RESTORE|REVERT|REVOKE|ROLLBACK|SAVE|SHUTDOWN|THROW|TRUNCATE|UPDATE"
    "|UPDATETEXT|WAITFOR|WHILE|WRITETEXT",
    re.IGNORECASE,
)


def refuse_ambiguous_text(sql: str, dialect: str) -> None:
    """Raise `Refused` for characters and comments that some engine reads otherwise than the parser does."""
    if _CONTROL.search(sql):
        raise Refused("The SQL holds control characters.")
    if dialect in _MYSQL and _EXECUTABLE.search(sql):
        raise Refused("Comments that the server executes (/*! .. */) are not accepted.")
    if _BARE_RETURN.search(sql):
        raise Refused("A comment ends at a carriage return on some servers and not on others; use line feeds.")


def refuse_ambiguous_tokens(tokens: Sequence[Token], sql: str, dialect: str) -> None:
    """Raise `Refused` for comments, strings and words that some engine reads otherwise than the parser does."""
    edges = [0, *(edge for token in tokens for edge in (token.start, token.end + 1)), len(sql)]
    gaps = [sql[start:end] for start, end in zip(edges[::2], edges[1::2], strict=True)]
    if any("{#" in gap or "#}" in gap for gap in gaps):
        raise Refused("Template comments ({# .. #}) are comments to the parser and not to the server.")
    if dialect in _MYSQL and any(_NO_COMMENT.search(gap) for gap in gaps):
        raise Refused("A comment that starts with -- needs a plain space behind it; this server reads it as two signs.")
    for token in tokens:
        if dialect in _NO_SEMICOLONS and token.token_type not in _QUOTED and _VERBS.fullmatch(token.text):
            raise Refused(f"{token.text.upper()} would start another statement here; put a name like that in brackets.")
        if any("/*" in comment or "*/" in comment for comment in token.comments):
            raise Refused("Comments within comments are read differently by different servers.")
        if token.token_type == TokenType.HEREDOC_STRING and re.match(r"[\w$]", sql[token.start - 1 : token.start]):
            raise Refused("A dollar-quoted string must not follow a name without a space.")
