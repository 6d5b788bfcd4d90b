"""The functions that a query calls, read off its tokens: by the names as written, whatever a parser makes of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sqlglot import exp
from sqlglot.tokenizer_core import Token, TokenType

_NAMES = frozenset({TokenType.VAR, TokenType.IDENTIFIER})
_NO_CALLS = frozenset(
    {TokenType.L_PAREN, TokenType.R_PAREN, TokenType.COMMA, TokenType.STRING, TokenType.NUMBER, TokenType.R_BRACKET,
     TokenType.L_BRACKET, TokenType.STAR, TokenType.L_BRACE, TokenType.COLON, TokenType.DCOLON, TokenType.ARROW,
     TokenType.PLACEHOLDER, TokenType.R_BRACE}
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Call:
    """A name before a bracket, in lower case. `qualifier` is what stands before it and a dot, "" if nothing.

    `method` where it follows a value and not a name, as in `(x).f()`.
    """

    name: str
    qualifier: str = ""
    method: bool = False

    @property
    def full_name(self) -> str:
        return f"{self.qualifier}.{self.name}" if self.qualifier else self.name


def calls(tokens: Sequence[Token], tree: exp.Expr) -> Iterator[Call]:
    """Every name before a bracket that is not the alias of a source, keywords included."""
    aliases = {
        alias.this.meta.get("start")
        for alias in tree.find_all(exp.TableAlias)
        if isinstance(alias.this, exp.Identifier) and alias.args.get("columns")
    }
    for position, token in enumerate(tokens[:-1]):
        if tokens[position + 1].token_type != TokenType.L_PAREN or token.token_type in _NO_CALLS:
            continue
        if token.start in aliases or not (token.text[:1].isalpha() or token.token_type in _NAMES or "_" in token.text):
            continue
        name = token.text.lower()
        if token.token_type != TokenType.IDENTIFIER:
            name = name.split()[-1]  # "group by" is one token
        before = tokens[position - 1] if position else None
        if before is not None and before.token_type == TokenType.TABLE_SAMPLE:
            continue
        if before is None or before.token_type != TokenType.DOT:
            yield Call(name)
            continue
        qualifiers: list[str] = []
        at = position - 1
        while at >= 1 and tokens[at].token_type == TokenType.DOT and _is_name(tokens[at - 1]):
            qualifiers.insert(0, tokens[at - 1].text.lower())
            at -= 2
        yield Call(name, ".".join(qualifiers), method=not qualifiers)


def _is_name(token: Token) -> bool:
    return token.token_type in _NAMES or (token.text[:1].isalpha() and token.token_type not in _NO_CALLS)
