"""What a query is made of, counted on its tree."""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from dragoman.sql.parse import parse


@dataclass(frozen=True, slots=True)
class Shape:
    """`selected` counts the outermost SELECT's expressions (a star is one), all else counts in every subquery too.

    `tables` counts mentions of tables, CTEs left out; `filters` the conditions that AND, OR and NOT join in WHERE
    and HAVING; `aggregates` the calls that fold rows, window functions left out.
    """

    selected: int
    tables: int
    aggregates: int
    filters: int
    groups: int
    distinct: bool
    window: bool
    set_operation: bool
    subquery: bool
    ordered: bool
    limited: bool


def shape(sql: str, dialect: str) -> Shape:
    """The shape of one query. Raises `Unreadable`."""
    tree = parse(sql, dialect)
    outer = tree
    while isinstance(outer, (exp.SetOperation, exp.Subquery)):
        outer = outer.this
    named = {cte.alias_or_name.lower() for cte in tree.find_all(exp.CTE)}
    tables = [table for table in tree.find_all(exp.Table) if table.db or table.name.lower() not in named]
    aggregates = [call for call in tree.find_all(exp.AggFunc) if not isinstance(call.parent, exp.Window)]
    return Shape(
        selected=len(outer.expressions) if isinstance(outer, exp.Select) else 0,
        tables=len(tables),
        aggregates=len(aggregates),
        filters=sum(_conditions(clause.this) for clause in tree.find_all(exp.Where, exp.Having)),
        groups=sum(len(group.expressions) for group in tree.find_all(exp.Group)),
        distinct=tree.find(exp.Distinct) is not None,
        window=tree.find(exp.Window) is not None,
        set_operation=tree.find(exp.SetOperation) is not None,
        subquery=sum(1 for _ in tree.find_all(exp.Select)) > sum(1 for _ in tree.find_all(exp.SetOperation)) + 1,
        ordered=tree.find(exp.Order) is not None,
        limited=tree.find(exp.Limit, exp.Fetch) is not None,
    )


def _conditions(tree: exp.Expr) -> int:
    if isinstance(tree, (exp.And, exp.Or)):
        return _conditions(tree.left) + _conditions(tree.right)
    if isinstance(tree, (exp.Not, exp.Paren)):
        return _conditions(tree.this)
    return 1
