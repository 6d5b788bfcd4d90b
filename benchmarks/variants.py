"""Right copies of a query, made on its tree: the same meaning in other words. Nothing where one does not apply."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from mutations import outermost, places
from sqlglot import exp

from dragoman.schema import Schema

Variant = Callable[[exp.Expr, Schema], Iterator[exp.Expr]]


def other_aliases(tree: exp.Expr, schema: Schema) -> Iterator[exp.Expr]:
    copy = tree.copy()
    names = {t.alias.lower(): f"x{i}" for i, t in enumerate(copy.find_all(exp.Table)) if t.alias}
    if not names:
        return
    for node in copy.find_all(exp.Column, exp.Table):
        if isinstance(node, exp.Table) and node.alias.lower() in names:
            node.set("alias", exp.TableAlias(this=exp.to_identifier(names[node.alias.lower()])))
        elif isinstance(node, exp.Column) and node.table.lower() in names:
            node.set("table", exp.to_identifier(names[node.table.lower()]))
    yield copy


def named_outputs(tree: exp.Expr, schema: Schema) -> Iterator[exp.Expr]:
    for copy, node in places(tree, exp.Select, lambda s: s.parent is None):
        items = [item if item.is_star or isinstance(item, exp.Alias) else exp.alias_(item, f"out_{i}")
                 for i, item in enumerate(node.expressions)]  # fmt: skip
        node.set("expressions", items)
        yield copy


def joins_turned_round(tree: exp.Expr, schema: Schema) -> Iterator[exp.Expr]:
    for copy, node in places(tree, exp.Select, outermost):
        joins, begin = node.args.get("joins") or [], node.args.get("from_")
        plain = len(joins) == 1 and joins[0].args.get("on") and not joins[0].side
        if plain and isinstance(begin.this, exp.Table) and isinstance(joins[0].this, exp.Table) and not _starred(node):
            first, second = begin.this.copy(), joins[0].this.copy()
            begin.set("this", second)
            joins[0].set("this", first)
            yield copy


def conditions_turned_round(tree: exp.Expr, schema: Schema) -> Iterator[exp.Expr]:
    for copy, node in places(tree, exp.And):
        node.replace(exp.And(this=node.expression, expression=node.this))
        yield copy


def comparison_turned_round(tree: exp.Expr, schema: Schema) -> Iterator[exp.Expr]:
    turned = {exp.GT: exp.LT, exp.LT: exp.GT, exp.GTE: exp.LTE, exp.LTE: exp.GTE, exp.EQ: exp.EQ}
    for kind, other in turned.items():
        for copy, node in places(tree, kind, lambda c: c.find_ancestor(exp.Where) and not c.find_ancestor(exp.Join)):
            node.replace(other(this=node.expression, expression=node.this))
            yield copy


def bracketed_condition(tree: exp.Expr, schema: Schema) -> Iterator[exp.Expr]:
    for copy, node in places(tree, exp.Where):
        node.set("this", exp.paren(node.this.copy()))
        yield copy


def between_in_two_parts(tree: exp.Expr, schema: Schema) -> Iterator[exp.Expr]:
    for copy, node in places(tree, exp.Between):
        low = exp.GTE(this=node.this.copy(), expression=node.args["low"])
        node.replace(exp.paren(exp.And(this=low, expression=exp.LTE(this=node.this, expression=node.args["high"]))))
        yield copy


def comma_join(tree: exp.Expr, schema: Schema) -> Iterator[exp.Expr]:
    for copy, node in places(tree, exp.Select, outermost):
        joins = node.args.get("joins") or []
        if joins and all(join.args.get("on") and not join.side for join in joins):
            for join in joins:
                node.where(join.args["on"].copy(), copy=False)
                join.set("on", None)
                join.set("kind", "CROSS")
            yield copy


def common_table_expression(tree: exp.Expr, schema: Schema) -> Iterator[exp.Expr]:
    if not tree.args.get("order") and not tree.args.get("with_"):
        copy = tree.copy()
        yield exp.select("*").from_("answer").with_("answer", as_=copy)


def distinct_as_group(tree: exp.Expr, schema: Schema) -> Iterator[exp.Expr]:
    for copy, node in places(tree, exp.Select, lambda s: outermost(s) and s.args.get("distinct")):
        plain = all(isinstance(item, exp.Column) and not item.is_star for item in node.expressions)
        if plain and not node.args.get("group") and not node.args.get("order"):
            node.set("distinct", None)
            node.set("group", exp.Group(expressions=[item.copy() for item in node.expressions]))
            yield copy


def one_more_sort_key(tree: exp.Expr, schema: Schema) -> Iterator[exp.Expr]:
    """A tie-breaker behind the keys that are there: any order among equal keys is right."""
    for copy, node in places(tree, exp.Order, lambda o: o.parent.parent is None and isinstance(o.parent, exp.Select)):
        shown = [item for item in node.parent.expressions if isinstance(item, exp.Column) and not item.is_star]
        if shown:
            node.append("expressions", exp.Ordered(this=shown[0].copy(), desc=True, nulls_first=False))
            yield copy


def average_by_hand(tree: exp.Expr, schema: Schema) -> Iterator[exp.Expr]:
    for copy, node in places(tree, exp.Avg, lambda a: isinstance(a.this, exp.Column)):
        total = exp.Mul(this=exp.Sum(this=node.this.copy()), expression=exp.Literal.number("1.0"))
        node.replace(exp.paren(exp.Div(this=total, expression=exp.Count(this=node.this))))
        yield copy


VARIANTS: dict[str, Variant] = {
    variant.__name__.replace("_", " "): variant
    for variant in (
        other_aliases, named_outputs, joins_turned_round, conditions_turned_round, comparison_turned_round,
        bracketed_condition, between_in_two_parts, comma_join, common_table_expression, distinct_as_group,
        one_more_sort_key, average_by_hand,
    )
}  # fmt: skip


def _starred(select: exp.Expr) -> bool:
    return any(item.is_star and not isinstance(item, exp.Count) for item in select.expressions)
