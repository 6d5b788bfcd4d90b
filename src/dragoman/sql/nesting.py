"""How deep a parser would recurse over a text, counted on its tokens."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot.tokenizer_core import Token, TokenType

_CLOSES = {
    TokenType.R_PAREN: TokenType.L_PAREN,
    TokenType.R_BRACKET: TokenType.L_BRACKET,
    TokenType.R_BRACE: TokenType.L_BRACE,
    TokenType.END: TokenType.CASE,
}
_OPENS = frozenset(_CLOSES.values())
_OPERANDS = frozenset(
    {TokenType.VAR, TokenType.IDENTIFIER, TokenType.NUMBER, TokenType.STRING, TokenType.STAR, TokenType.NULL,
     TokenType.TRUE, TokenType.FALSE, TokenType.PARAMETER, TokenType.PLACEHOLDER, TokenType.COMMA, *_CLOSES}
)  # fmt: skip
_INDEX_COST = 5  # an index on an index is slower to parse than an operator is
_ENDS_CHAIN = frozenset({TokenType.COMMA, TokenType.SELECT, TokenType.FROM, TokenType.WHERE, TokenType.UNION})


def nesting(tokens: Sequence[Token]) -> tuple[int, int]:
    """(depth, chain) at their largest.

    `depth` adds up, over everything that is open at a place, one for the bracket or CASE and one for each keyword or
    operator without an operand before it: `NOT NOT - (` counts four. `chain` is the most such tokens at one level
    between two commas, which is how long a left-deep tree of operators can get.
    """
    opened: list[tuple[TokenType, int, int]] = []
    depth = deepest = run = chain = longest = 0
    for token in tokens:
        kind = token.token_type
        if kind in _OPENS:
            opened.append((kind, depth, chain + (_INDEX_COST if kind == TokenType.L_BRACKET else 0)))
            depth += 1 + run
            run = chain = 0
        elif kind in _CLOSES:
            while opened and opened[-1][0] == TokenType.CASE and kind != TokenType.END:
                opened.pop()
            if opened and opened[-1][0] == _CLOSES[kind]:  # else END is a name here, or the text is broken
                _, depth, chain = opened.pop()
            run = 0
        elif kind in _OPERANDS:
            run = 0
            chain = 0 if kind == TokenType.COMMA else chain
        else:
            run += 1
            chain = 0 if kind in _ENDS_CHAIN else chain + 1
        deepest = max(deepest, depth + run)
        longest = max(longest, chain)
    return deepest, longest
