"""Spider's hardness of a query: easy, medium, hard or extra.

Source: Yu et al., "Spider: A Large-Scale Human-Labeled Dataset for Complex and Cross-Domain Semantic Parsing and
Text-to-SQL Task", EMNLP 2018, section 4, counted as its public evaluation counts:

    component 1   WHERE, GROUP BY, ORDER BY and LIMIT, one each; every table joined; every OR; every LIKE
    component 2   queries nested in conditions; one for UNION, INTERSECT or EXCEPT
    others        one each for more than one aggregate, selected column, condition in WHERE, grouping column

Of a set operation only the first branch is counted. A query in FROM counts as a table. The habits of that evaluation
are kept, because the published labels come from it: a negated condition (NOT IN, NOT LIKE, NOT BETWEEN) and each
AND or OR in HAVING count as aggregates, and two of component 1 with two others are "extra", not "hard". What
Spider's SQL does not have is counted by likeness: a common table expression and a query in the SELECT list are nested
queries.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from sqlglot import exp

from dragoman.sql.parse import parse

Hardness = Literal["easy", "medium", "hard", "extra"]


@dataclass(frozen=True, slots=True)
class Components:
    """How often each kind of component occurs in a query."""

    component1: int
    component2: int
    others: int

    @property
    def hardness(self) -> Hardness:
        """The level that these counts stand for."""
        one, two, others = self.component1, self.component2, self.others
        if two == 0:
            if one <= 1 and others == 0:
                return "easy"
            if (one <= 1 and others <= 2) or (one <= 2 and others < 2):
                return "medium"
            if (one <= 2 and others > 2) or (one == 3 and others <= 2):
                return "hard"
        elif two == 1 and one <= 1 and others == 0:
            return "hard"
        return "extra"


def hardness(sql: str, dialect: str = "sqlite") -> Hardness:
    """The hardness of one query. Raises `Unreadable` for a text that is not one."""
    return components(sql, dialect).hardness


def components(sql: str, dialect: str = "sqlite") -> Components:
    """The counts behind `hardness`. Raises `Unreadable`."""
    tree = parse(sql, dialect)
    nested = len(list(tree.find_all(exp.CTE)))
    select, is_set = _first_select(tree)
    where, having = _conditions(select.args.get("where")), _conditions(select.args.get("having"))
    joins = select.args.get("joins") or []
    joined = [leaf for join in joins for leaf in _conditions(join.args.get("on"))]
    order = select.args.get("order")
    group = select.args.get("group")
    leaves = [*joined, *where, *having]
    aggregates = (
        _with_aggregate(select.expressions)
        + _with_aggregate(order.expressions if order else ())
        + sum(_negated(leaf) for leaf in [*where, *having])
        + max(len(having) - 1, 0)
    )
    grouping = len(group.expressions) if group else 0
    return Components(
        component1=sum(bool(select.args.get(part)) for part in ("where", "group", "order", "limit"))
        + len(joins)
        + _ors(select, joins)
        + sum(any(isinstance(node, exp.Like | exp.ILike) for node in _walk(leaf)) for leaf in leaves),
        component2=nested + is_set + sum(_queries(part) for part in [*leaves, *select.expressions]),
        others=sum(count > 1 for count in (aggregates, len(select.expressions), len(where), grouping)),
    )


def _first_select(tree: exp.Expr) -> tuple[exp.Expr, int]:
    """The leftmost SELECT, and 1 if it is a branch of a set operation."""
    is_set = 0
    while isinstance(tree, exp.SetOperation | exp.Subquery):
        is_set |= isinstance(tree, exp.SetOperation)
        tree = tree.this
    return tree, is_set


def _conditions(clause: exp.Expr | None) -> list[exp.Expr]:
    """The conditions between the ANDs and ORs of a clause, brackets and NOT before brackets opened."""
    if clause is None:
        return []
    if isinstance(clause, exp.Connector):
        return [*_conditions(clause.left), *_conditions(clause.right)]
    inner = clause.this
    if isinstance(clause, exp.Where | exp.Having | exp.Paren) or (
        isinstance(clause, exp.Not) and isinstance(inner, exp.Paren)
    ):
        return _conditions(inner)
    return [clause]


def _ors(select: exp.Expr, joins: Iterable[exp.Expr]) -> int:
    clauses = [select.args.get("where"), select.args.get("having"), *(join.args.get("on") for join in joins)]
    return sum(isinstance(node, exp.Or) for clause in clauses if clause for node in _walk(clause))


def _negated(leaf: exp.Expr) -> bool:
    if isinstance(leaf, exp.Not):
        return isinstance(leaf.this, exp.In | exp.Like | exp.ILike | exp.Between)
    return any(node.args.get("negate") for node in _walk(leaf) if isinstance(node, exp.Like | exp.ILike))


def _with_aggregate(items: Iterable[exp.Expr]) -> int:
    return sum(any(isinstance(node, exp.AggFunc) for node in _walk(item)) for item in items)


def _queries(part: exp.Expr) -> int:
    """Queries directly inside, not those inside them."""
    return sum(isinstance(node, exp.Query) and not isinstance(node, exp.Subquery) for node in _walk(part))


def _walk(tree: exp.Expr) -> Iterator[exp.Expr]:
    """The nodes of this query, entering no query inside it."""
    return tree.walk(prune=lambda node: isinstance(node, exp.Query) and not isinstance(node, exp.Subquery))
