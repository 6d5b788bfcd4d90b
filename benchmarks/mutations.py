"""Wrong copies of a query, made on its tree: each function returns changed trees, [] where it does not apply.

Every copy means something else than the query; whether its result shows that depends on the data.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sqlglot import exp

from dragoman.schema import Schema

Mutation = Callable[[exp.Expr, Schema], Iterator[exp.Expr]]


def lost_distinct(tree: exp.Expr, schema: Schema) -> Iterator[exp.Expr]:
    for copy, node in places(tree, exp.Select, lambda s: s.args.get("distinct")):
        node.set("distinct", None)
        yield copy
    for copy, node in places(tree, exp.Distinct, lambda d: isinstance(d.parent, exp.AggFunc)):
        node.replace(node.expressions[0])
        yield copy


def added_distinct(tree: exp.Expr, schema: Schema) -> Iterator[exp.Expr]:
    for copy, node in places(tree, exp.Select, outermost):
        if not node.args.get("distinct") and not node.args.get("group"):
            node.set("distinct", exp.Distinct())
            yield copy


def swapped_columns(tree: exp.Expr, schema: Schema) -> Iterator[exp.Expr]:
    for copy, node in places(tree, exp.Select, lambda s: outermost(s) and len(s.expressions) > 1):
        first, second, *rest = node.expressions
        node.set("expressions", [second, first, *rest])
        yield copy


def lost_column(tree: exp.Expr, schema: Schema) -> Iterator[exp.Expr]:
    for copy, node in places(tree, exp.Select, lambda s: outermost(s) and len(s.expressions) > 1):
        node.set("expressions", node.expressions[:-1])
        yield copy


def extra_column(tree: exp.Expr, schema: Schema) -> Iterator[exp.Expr]:
    for copy, node in places(tree, exp.Select, lambda s: outermost(s) and not isinstance(s.parent, exp.SetOperation)):
        shown = {item.sql().lower() for item in node.expressions}
        used = [column for column in node.find_all(exp.Column) if column.sql().lower() not in shown]
        if used and not node.args.get("group") and not any(item.find(exp.AggFunc) for item in node.expressions):
            own = [column for column in used if column.find_ancestor(exp.Select) is node]
            if own:
                node.append("expressions", own[0].copy())
                yield copy


def limit_off_by_one(tree: exp.Expr, schema: Schema) -> Iterator[exp.Expr]:
    for copy, node in places(tree, exp.Limit):
        node.set("expression", exp.Literal.number(int(node.expression.this) + 1))
        yield copy


def lost_limit(tree: exp.Expr, schema: Schema) -> Iterator[exp.Expr]:
    for copy, node in places(tree, exp.Limit):
        node.pop()
        yield copy


def lost_filter(tree: exp.Expr, schema: Schema) -> Iterator[exp.Expr]:
    for copy, node in places(tree, exp.Where):
        if isinstance(node.this, exp.And):
            node.set("this", node.this.this)
        else:
            node.pop()
        yield copy


def changed_comparison(tree: exp.Expr, schema: Schema) -> Iterator[exp.Expr]:
    turned = {exp.GT: exp.GTE, exp.GTE: exp.GT, exp.LT: exp.LTE, exp.LTE: exp.LT}
    for kind, other in turned.items():
        for copy, node in places(tree, kind):
            node.replace(other(this=node.this, expression=node.expression))
            yield copy


def turned_equality(tree: exp.Expr, schema: Schema) -> Iterator[exp.Expr]:
    for copy, node in places(
        tree, exp.EQ, lambda e: e.find_ancestor(exp.Where, exp.Having) and not e.find_ancestor(exp.Join)
    ):
        node.replace(exp.NEQ(this=node.this, expression=node.expression))
        yield copy


def changed_number(tree: exp.Expr, schema: Schema) -> Iterator[exp.Expr]:
    for copy, node in places(tree, exp.Literal, lambda n: not n.is_string and n.find_ancestor(exp.Where, exp.Having)):
        if isinstance(node.parent, (exp.Limit, exp.Offset)) or not str(node.this).isdigit():
            continue
        node.replace(exp.Literal.number(int(node.this) + 1))
        yield copy


def and_for_or(tree: exp.Expr, schema: Schema) -> Iterator[exp.Expr]:
    for kind, other in ((exp.And, exp.Or), (exp.Or, exp.And)):
        for copy, node in places(tree, kind, lambda c: not c.find_ancestor(exp.Join)):
            node.replace(other(this=node.this, expression=node.expression))
            yield copy


def changed_aggregate(tree: exp.Expr, schema: Schema) -> Iterator[exp.Expr]:
    for kind, other in ((exp.Max, exp.Min), (exp.Min, exp.Max), (exp.Avg, exp.Sum), (exp.Sum, exp.Avg)):
        for copy, node in places(tree, kind):
            node.replace(other(this=node.this))
            yield copy


def lost_aggregate(tree: exp.Expr, schema: Schema) -> Iterator[exp.Expr]:
    for copy, node in places(tree, exp.AggFunc, lambda a: isinstance(a.this, exp.Column)):
        node.replace(node.this)
        yield copy


def wrong_join_column(tree: exp.Expr, schema: Schema) -> Iterator[exp.Expr]:
    for copy, node in places(tree, exp.Column, lambda c: c.find_ancestor(exp.Join) and isinstance(c.parent, exp.EQ)):
        owner = next((t for t in copy.find_all(exp.Table) if t.alias_or_name.lower() == node.table.lower()), None)
        table = schema.table(owner.name) if owner is not None else None
        others = [c.name for c in table.columns if c.name.lower() != node.name.lower()] if table else []
        if others:
            node.set("this", exp.to_identifier(others[0], quoted=True))
            yield copy


def lost_join_condition(tree: exp.Expr, schema: Schema) -> Iterator[exp.Expr]:
    for copy, node in places(tree, exp.Join, lambda j: j.args.get("on")):
        node.set("on", None)
        yield copy


def left_join(tree: exp.Expr, schema: Schema) -> Iterator[exp.Expr]:
    for copy, node in places(tree, exp.Join, lambda j: j.args.get("on") and not j.side):
        node.set("side", "LEFT")
        yield copy


def turned_order(tree: exp.Expr, schema: Schema) -> Iterator[exp.Expr]:
    for copy, node in places(tree, exp.Ordered):
        node.set("desc", not node.args.get("desc"))
        node.set("nulls_first", not node.args.get("desc"))
        yield copy


def lost_order(tree: exp.Expr, schema: Schema) -> Iterator[exp.Expr]:
    for copy, node in places(tree, exp.Order):
        node.pop()
        yield copy


def lost_having(tree: exp.Expr, schema: Schema) -> Iterator[exp.Expr]:
    for copy, node in places(tree, exp.Having):
        node.pop()
        yield copy


def lost_group(tree: exp.Expr, schema: Schema) -> Iterator[exp.Expr]:
    for copy, node in places(tree, exp.Group):
        node.pop()
        yield copy


def changed_set_operation(tree: exp.Expr, schema: Schema) -> Iterator[exp.Expr]:
    for kind, other in ((exp.Intersect, exp.Union), (exp.Except, exp.Intersect), (exp.Union, exp.Intersect)):
        for copy, node in places(tree, kind):
            changed = other(this=node.this, expression=node.expression, distinct=True)
            if node is copy:
                yield changed
            else:
                node.replace(changed)
                yield copy


def union_all(tree: exp.Expr, schema: Schema) -> Iterator[exp.Expr]:
    for copy, node in places(tree, exp.Union, lambda u: u.args.get("distinct")):
        node.set("distinct", False)
        yield copy


def lost_not(tree: exp.Expr, schema: Schema) -> Iterator[exp.Expr]:
    for copy, node in places(tree, exp.Not):
        node.replace(node.this)
        yield copy


MUTATIONS: dict[str, Mutation] = {
    mutation.__name__.replace("_", " "): mutation
    for mutation in (
        lost_distinct, added_distinct, swapped_columns, lost_column, extra_column, limit_off_by_one, lost_limit,
        lost_filter, changed_comparison, turned_equality, changed_number, and_for_or, changed_aggregate, lost_aggregate,
        wrong_join_column, lost_join_condition, left_join, turned_order, lost_order, lost_having, lost_group,
        changed_set_operation, union_all, lost_not,
    )
}  # fmt: skip


def places(
    tree: exp.Expr, kind: type, fits: Callable[[exp.Expr], object] = lambda node: True
) -> Iterator[tuple[exp.Expr, exp.Expr]]:
    """A copy of the tree for every fitting node, with that node of the copy."""
    marks = [i for i, node in enumerate(tree.walk()) if isinstance(node, kind) and fits(node)]
    for mark in marks:
        copy = tree.copy()
        yield copy, next(node for i, node in enumerate(copy.walk()) if i == mark)


def outermost(select: exp.Expr) -> bool:
    return select.parent is None or (isinstance(select.parent, exp.SetOperation) and select.parent.parent is None)
