"""Edits of SQL text at the places that the parser noted for its identifiers."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp
from sqlglot.tokenizer_core import TokenType

from dragoman.errors import Unreadable
from dragoman.sql.parse import tokenize
from dragoman.sql.quote import quote, quote_always


class Edits:
    """Replacements of parts of one text, applied together. The last edit of a place counts."""

    def __init__(self, sql: str, dialect: str) -> None:
        self.sql = sql
        self.dialect = dialect
        self._tokens = tokenize(sql, dialect)
        self._changes: dict[tuple[int, int], str] = {}

    def apply(self) -> str:
        """The edited text."""
        text = self.sql
        for (start, end), new in sorted(self._changes.items(), reverse=True):
            text = text[:start] + new + text[end:]
        return text

    def text(self, node: exp.Expr) -> str:
        """The identifier as it is written, with its quotes."""
        start, end = _span(node)
        return self.sql[start:end]

    def set(self, node: exp.Expr, text: str) -> None:
        """Write `text` where the identifier stands."""
        self._changes[_span(node)] = text

    def set_last_part(self, parts: Sequence[exp.Expr], name: str) -> None:
        """Rename the last of some dotted parts; BigQuery may hold all of them in one pair of backticks."""
        last = parts[-1]
        if len(parts) > 1 and _span(parts[-2]) == _span(last):
            path = ".".join([*(part.name for part in parts[:-1]), name])
            self.set(last, quote_always(path, self.dialect))
        else:
            self.set(last, quote(name, self.dialect))

    def set_star(self, star: exp.Expr, text: str) -> None:
        """Write `text` for a star, with the qualifier that it may have."""
        if isinstance(star, exp.Column):
            start = _span(star.parts[0])[0]
            dot = next(i for i, t in enumerate(self._tokens) if t.start > start and t.token_type == TokenType.STAR)
            for span in [span for span in self._changes if start <= span[0] < self._tokens[dot].start]:
                del self._changes[span]
            self._changes[start, self._tokens[dot].end + 1] = text
        else:
            self.set(star, text)

    def add_alias(self, node: exp.Identifier) -> None:
        """Follow a changed identifier by AS and what it was."""
        span = _span(node)
        written = self.sql[span[0] : span[1]]
        if self._changes.get(span, written) != written:
            self._changes[span] += f" AS {written}"

    def using_to_on(self, column: exp.Expr, condition: str) -> None:
        """Write a condition for the USING clause that holds the column."""
        at = self._index(_span(column.this if isinstance(column, exp.Column) else column)[0])
        first = next(i for i in range(at, -1, -1) if self._tokens[i].token_type == TokenType.USING)
        last = next(i for i in range(at, len(self._tokens)) if self._tokens[i].token_type == TokenType.R_PAREN)
        self._changes[self._tokens[first].start, self._tokens[last].end + 1] = condition

    def natural_to_on(self, join: exp.Join, condition: str) -> None:
        """Take NATURAL away and write a condition after the joined table."""
        names = [node for node in join.this.find_all(exp.Identifier) if node.meta]
        begin, end = min(_span(node)[0] for node in names), max(_span(node)[1] for node in names)
        at = self._index(begin)
        natural = next(i for i in range(at, -1, -1) if self._tokens[i].token_type == TokenType.NATURAL)
        self._changes[self._tokens[natural].start, self._tokens[natural + 1].start] = ""
        depth = 0
        for token in self._tokens[natural:]:
            depth += {TokenType.L_PAREN: 1, TokenType.R_PAREN: -1}.get(token.token_type, 0)
            if token.end + 1 >= end and depth == 0:
                end = token.end + 1
                break
        self._changes[end, end] = f" {condition}"

    def begin_group_by(self, table: exp.Expr, text: str) -> None:
        """Write `text` before all that the SELECT groups by that reads the table."""
        depth = lowest = 0
        for number in range(self._index(_span(table)[0]), len(self._tokens) - 1):
            token, following = self._tokens[number : number + 2]
            depth += {TokenType.L_PAREN: 1, TokenType.R_PAREN: -1}.get(token.token_type, 0)
            lowest = min(lowest, depth)
            if token.token_type == TokenType.GROUP_BY and depth == lowest:
                if following.text.upper() != "DISTINCT":
                    self._changes[following.start, following.start] = text
                return

    def _index(self, start: int) -> int:
        return next(i for i, token in enumerate(self._tokens) if token.start >= start)


def _span(node: exp.Expr) -> tuple[int, int]:
    if "start" not in node.meta:
        raise Unreadable(f"The place of {node.name or 'a star'} in the query is not known, so it cannot be renamed.")
    return int(node.meta["start"]), int(node.meta["end"]) + 1
