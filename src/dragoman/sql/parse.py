"""Reads SQL text as one tree.

sqlglot's parser recurses, and its compiled form does so on the C stack, where running out is a crash and not an
exception. So the nesting of a text is counted on its tokens before any of it is parsed.
"""

from __future__ import annotations

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect
from sqlglot.errors import SqlglotError
from sqlglot.tokenizer_core import Token, TokenType

from dragoman.errors import Unreadable

Tree = exp.Expression

MAX_CHARACTERS = 200_000
"""Longer texts are refused unread. The longest gold query of Spider2-Lite has under 20,000."""

MAX_NESTING = 60
"""Deepest nesting that is parsed: brackets, CASE, and prefix operators that stand side by side, added up."""

MAX_CHAIN = 1_000
"""Longest run of operators and keywords at one level of nesting (a condition with 500 ANDs is still read)."""

_OPENING = frozenset({TokenType.L_PAREN, TokenType.L_BRACKET, TokenType.L_BRACE, TokenType.CASE})
_CLOSING = frozenset({TokenType.R_PAREN, TokenType.R_BRACKET, TokenType.R_BRACE, TokenType.END})
_STARTS = frozenset(
    {TokenType.SELECT, TokenType.WITH, TokenType.VALUES, TokenType.FROM, TokenType.TABLE, TokenType.L_PAREN}
)


def parse(sql: str, dialect: str) -> Tree:
    """The tree of the one query in `sql`; comments, empty statements and a byte order mark around it are ignored.

    `dialect` is sqlglot's name. Raises `Unreadable` for no query, several statements, something that is not a
    query, a syntax error, more than `MAX_CHARACTERS`, or nesting beyond `MAX_NESTING`.
    """
    tokens = tokenize(sql, dialect)
    if tokens[0].token_type not in _STARTS:
        raise Unreadable(f"Only queries are read, and this statement starts with {tokens[0].text[:40]!r}.")
    check_nesting(tokens)
    try:
        trees = Dialect.get_or_raise(dialect).parser().parse(tokens, sql)
    except (SqlglotError, RecursionError, ValueError) as error:
        raise Unreadable(f"This is not SQL that can be read as {dialect}: {_reason(error)}.") from None
    if len(trees) != 1 or not isinstance(trees[0], exp.Expression):
        raise Unreadable("Exactly one statement is read at a time.")
    return trees[0]


def tokenize(sql: str, dialect: str, *, several: bool = False) -> list[Token]:
    """The tokens of the one statement in `sql`, without the semicolons around it. Raises `Unreadable`.

    Offsets count from behind a byte order mark. `several` allows more than one statement.
    """
    if len(sql) > MAX_CHARACTERS:
        raise Unreadable(f"The SQL is longer than {MAX_CHARACTERS} characters.")
    try:
        tokens = list(Dialect.get_or_raise(dialect).tokenize(sql.removeprefix("\ufeff")))
    except (SqlglotError, ValueError) as error:
        raise Unreadable(f"This is not SQL that can be read as {dialect}: {_reason(error)}.") from None
    while tokens and tokens[-1].token_type == TokenType.SEMICOLON:
        tokens.pop()
    start = next((i for i, token in enumerate(tokens) if token.token_type != TokenType.SEMICOLON), len(tokens))
    tokens = tokens[start:]
    if not tokens:
        raise Unreadable("There is no statement.")
    if not several and any(token.token_type == TokenType.SEMICOLON for token in tokens):
        raise Unreadable("Exactly one statement is read at a time, and this text has several.")
    return tokens


def check_nesting(tokens: list[Token]) -> None:
    """Raise `Unreadable` where parsing these tokens could recurse too deep. Linear in the number of tokens."""
    depth = 0
    for token in tokens:
        kind = token.token_type
        if kind in _OPENING:
            depth += 1
        elif kind in _CLOSING:
            depth -= 1
        if depth > MAX_NESTING:
            raise Unreadable(f"The SQL is nested deeper than {MAX_NESTING} levels.")


def _reason(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    details = getattr(error, "errors", None)
    if details and details[0].get("description"):
        first = details[0]
        where = f" at line {first['line']}, column {first['col']}" if first.get("line") else ""
        return f"{str(first['description']).rstrip('.')}{where}"
    return str(error).split("\n")[0].rstrip(".")[:200]
