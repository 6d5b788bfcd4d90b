"""The texts that a query compares its columns with."""

from __future__ import annotations

from sqlglot import exp

from dragoman.schema import Schema
from dragoman.sql.binding import Origin
from dragoman.sql.parse import Tree
from dragoman.sql.resolve import resolve


def compared_values(tree: Tree, schema: Schema) -> tuple[tuple[Origin, str], ...]:
    """((table, column), text) for every `column = 'text'`, `<>`, IN and LIKE, in order and once; `%` of LIKE left out.

    A column inside a function counts as well, as in LOWER(name) = 'x'. Names are the schema's own.
    """
    found: dict[tuple[Origin, str], None] = {}
    for bound in resolve(tree, schema).names:
        if bound.column is None or not bound.origins:
            continue
        for text in _texts(bound.column):
            found[bound.origins[0], text] = None
    return tuple(found)


def _texts(column: exp.Column) -> list[str]:
    node: exp.Expr | None = column
    while isinstance(node.parent if node else None, exp.Func | exp.Paren) and node is not None:
        node = node.parent
    comparison = node.parent if node is not None else None
    if not isinstance(comparison, exp.EQ | exp.NEQ | exp.In | exp.Like | exp.ILike):
        return []
    others = [*(comparison.args.get("expressions") or ()), comparison.args.get("expression"), comparison.this]
    literals = [
        inner
        for other in others
        if other is not None and other is not node
        for inner in (other, *(other.find_all(exp.Literal) if isinstance(other, exp.Func | exp.Paren) else ()))
        if isinstance(inner, exp.Literal) and inner.is_string
    ]
    return [text for literal in literals if (text := literal.name.strip("% "))]
