"""The order of clauses: `SELECT .. FROM ..` as every engine reads it, or FROM first with SELECT behind HAVING.

Both directions move one clause of each SELECT core, subqueries and both sides of set operations included, and
touch nothing else: literals, comments and white space inside a clause stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from sqlglot import tokenize
from sqlglot.errors import SqlglotError
from sqlglot.tokenizer_core import Token, TokenType

_SET = {TokenType.UNION, TokenType.INTERSECT, TokenType.EXCEPT}
_TAIL = {TokenType.ORDER_BY, TokenType.LIMIT, TokenType.OFFSET, TokenType.FETCH}
_MIDDLE = {TokenType.WHERE, TokenType.GROUP_BY, TokenType.HAVING, TokenType.WINDOW}


def from_first(sql: str, dialect: str = "sqlite") -> str:
    """`SELECT a FROM t WHERE b LIMIT 1` as `FROM t WHERE b SELECT a LIMIT 1`; text that cannot be read unchanged."""
    return _turn(sql, dialect, TokenType.SELECT, {TokenType.FROM, *_MIDDLE})


def select_first(sql: str, dialect: str = "sqlite") -> str:
    """The inverse of `from_first`; text already in SELECT-first order comes back as it is."""
    return _turn(sql, dialect, TokenType.FROM, {TokenType.SELECT})


def _turn(sql: str, dialect: str, first: TokenType, second: set[TokenType]) -> str:
    try:
        tokens = tokenize(sql, read=dialect)
    except SqlglotError:
        return sql.strip()
    text, _ = _level(sql, tokens, 0, (first, second))
    return text


def _level(sql: str, tokens: list[Token], start: int, turn: tuple[TokenType, set[TokenType]]) -> tuple[str, int]:
    """Text of one level of parentheses with its cores turned, and the index of the token that closes it."""
    words: list[tuple[TokenType, str]] = []
    index = start
    while index < len(tokens) and tokens[index].token_type != TokenType.R_PAREN:
        token = tokens[index]
        gap = sql[tokens[index - 1].end + 1 : token.start] if index > start else ""
        if token.token_type == TokenType.L_PAREN:
            inner, close = _level(sql, tokens, index + 1, turn)
            end = ")" if close < len(tokens) else ""
            words.append((TokenType.L_PAREN, f"{gap}({inner}{end}"))
            index = close
        else:
            words.append((token.token_type, gap + sql[token.start : token.end + 1]))
        index += 1
    return _cores(words, turn), index


def _cores(words: list[tuple[TokenType, str]], turn: tuple[TokenType, set[TokenType]]) -> str:
    bounds = [0, *(i for i, (kind, _) in enumerate(words) if kind in _SET), len(words)]
    return " ".join(filter(None, (_core(words[a:b], *turn) for a, b in pairwise(bounds))))


def _core(words: list[tuple[TokenType, str]], first: TokenType, second: set[TokenType]) -> str:
    """Swap the part from `first` on with the part from `second` on, up to ORDER BY or LIMIT."""
    kinds = [kind for kind, _ in words]
    if first not in kinds or not {TokenType.SELECT, TokenType.FROM}.intersection(kinds):
        return _text(words)
    begin = kinds.index(first)
    if begin and kinds[0] not in _SET and kinds[0] != TokenType.WITH:
        return _text(words)
    middle = next((i for i in _clauses(kinds) if i > begin and kinds[i] in second), None)
    if middle is None:
        return _text(words)
    tail = next((i for i in range(middle, len(kinds)) if kinds[i] in _TAIL), len(kinds))
    parts = (words[:begin], words[middle:tail], words[begin:middle], words[tail:])
    return " ".join(filter(None, map(_text, parts)))


def _clauses(kinds: list[TokenType]) -> Iterator[int]:
    """Where clauses may begin: everywhere but at the FROM of `IS [NOT] DISTINCT FROM`."""
    for i, kind in enumerate(kinds):
        compares = kinds[max(i - 2, 0) : i] in ([TokenType.IS, TokenType.DISTINCT], [TokenType.NOT, TokenType.DISTINCT])
        if not (kind == TokenType.FROM and compares):
            yield i


def _text(words: list[tuple[TokenType, str]]) -> str:
    return "".join(text for _, text in words).strip()
