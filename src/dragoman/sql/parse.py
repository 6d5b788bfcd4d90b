"""Reads SQL text as one tree.

sqlglot's parser recurses, and its compiled form does so on the C stack, where running out is a crash and not an
exception. So the nesting of a text is counted on its tokens before any of it is parsed.
"""

from __future__ import annotations

import logging
import re

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect
from sqlglot.errors import SqlglotError
from sqlglot.tokenizer_core import Token, TokenType

from dragoman.errors import Unreadable
from dragoman.sql.explain import explain
from dragoman.sql.nesting import nesting

Tree = exp.Expression

MAX_CHARACTERS = 200_000
"""Longer texts are refused unread. The longest gold query of Spider2-Lite has under 8,000."""

MAX_NESTING = 100
"""Deepest nesting that is parsed, counted as `nesting` counts it. Gold queries of Spider2-Lite stay under 25."""

MAX_CHAIN = 2_000
"""Longest run of operators and keywords at one level: a condition of 1,000 comparisons is the most there can be."""

# What sqlglot only warns of is refused here or left to the engine, so its warnings would be noise.
_NOISE = re.compile("parsing as a 'Command'|Invalid JSON path")
logging.getLogger("sqlglot").addFilter(lambda record: not _NOISE.search(record.getMessage()))

_TOKEN = re.compile(r"<Token token_type: \S+, text: (.*?), line: .*?>", re.DOTALL)
_STARTS = frozenset(
    {
        TokenType.SELECT,
        TokenType.WITH,
        TokenType.VALUES,
        TokenType.FROM,
        TokenType.TABLE,
        TokenType.PIVOT,
        TokenType.UNPIVOT,
        TokenType.L_PAREN,
    }
)


def parse(sql: str, dialect: str) -> Tree:
    """The tree of the one query in `sql`; comments, empty statements and a byte order mark around it are ignored.

    `dialect` is sqlglot's name. EXPLAIN gives `Describe` with the query in `this`, and "ANALYZE" as its `style` where
    it would run the query. Raises `Unreadable` for no query, several statements, something that is not a query, a
    syntax error, more than `MAX_CHARACTERS`, and nesting beyond `MAX_NESTING` or `MAX_CHAIN`.
    """
    return parse_tokens(tokenize(sql, dialect), sql, dialect)


def parse_tokens(tokens: list[Token], sql: str, dialect: str) -> Tree:
    """`parse` for those who have the tokens already."""
    if tokens[0].token_type not in _STARTS:
        raise Unreadable(f"Only queries are read, and this statement starts with {tokens[0].text[:40]!r}.")
    depth, chain = nesting(tokens)
    if depth > MAX_NESTING:
        raise Unreadable(f"The SQL is nested deeper than {MAX_NESTING} levels.")
    if chain > MAX_CHAIN:
        raise Unreadable(f"The SQL has more than {MAX_CHAIN} operators in a row.")
    try:
        trees = Dialect.get_or_raise(dialect).parser().parse(tokens, sql)
    except Exception as error:  # on hostile text the parser fails with whatever its code runs into
        raise Unreadable(f"This is not SQL that can be read as {dialect}: {_reason(error)}.") from None
    if len(trees) != 1 or not isinstance(trees[0], exp.Expression):
        raise Unreadable("Exactly one statement is read at a time.")
    explained = explain(sql)
    if explained is None:
        return trees[0]
    return exp.Describe(this=trees[0], style="ANALYZE" if explained.runs else None)


def tokenize(sql: str, dialect: str, *, several: bool = False) -> list[Token]:
    """The tokens of the one statement in `sql`, without the semicolons around it and EXPLAIN before it.

    Their offsets count in `sql`. `several` allows more than one statement. Raises `Unreadable`.
    """
    if len(sql) > MAX_CHARACTERS:
        raise Unreadable(f"The SQL is longer than {MAX_CHARACTERS} characters.")
    explained = explain(sql)
    text = " " * explained.end + sql[explained.end :] if explained else sql
    if text.startswith("\ufeff"):
        text = " " + text[1:]
    try:
        tokens = list(Dialect.get_or_raise(dialect).tokenize(text))
    except Exception as error:
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


def _reason(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    if not isinstance(error, SqlglotError):
        return "the parser cannot make sense of it"
    details = getattr(error, "errors", None)
    if details and details[0].get("description"):
        first = details[0]
        said = _TOKEN.sub(lambda m: m[1], str(first["description"])).rstrip(".")
        where = f" at line {first['line']}, column {first['col']}" if first.get("line") else ""
        return f"{said}{where}"
    return str(error).split("\n")[0].rstrip(".")[:200]
