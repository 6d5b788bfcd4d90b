"""What a query says, in plain words: for people who are asked which of two readings they mean."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

from sqlglot import exp

from dragoman.schema import Schema
from dragoman.sql.parse import Tree, parse
from dragoman.sql.resolve import resolve

LONGEST = 80
"""Characters of a part without words of its own, which is shown as SQL."""

_CALLS: Mapping[type[exp.Expr], str] = {exp.Sum: "sum", exp.Avg: "avg", exp.Max: "max", exp.Min: "min"}
_CONDITIONS: Mapping[type[exp.Expr], str] = {
    exp.EQ: "eq",
    exp.NEQ: "neq",
    exp.GT: "gt",
    exp.GTE: "gte",
    exp.LT: "lt",
    exp.LTE: "lte",
    exp.Like: "like",
    exp.ILike: "like",
    exp.Between: "between",
    exp.And: "and",
    exp.Or: "or",
}
_TOGETHER: Mapping[type[exp.Expr], str] = {exp.Union: "union", exp.Intersect: "intersect", exp.Except: "except"}


@dataclass(frozen=True, slots=True)
class Reading:
    """The parts of the outermost query in its first branch, each as phrases in the query's order.

    `tables` are names of the schema, subqueries included; `together` says what set operations add; `limit` is a number
    as text, "" without one.
    """

    shown: tuple[str, ...]
    tables: tuple[str, ...]
    conditions: tuple[str, ...]
    groups: tuple[str, ...]
    order: tuple[str, ...]
    limit: str
    together: tuple[str, ...]


def reading(sql: str, schema: Schema) -> Reading:
    """The reading of one query. Raises `Unreadable`."""
    tree = parse(sql, schema.dialect)
    words = _Words(tree, schema)
    outer, together = tree, []
    while isinstance(outer, (exp.SetOperation, exp.Subquery)):
        if isinstance(outer, exp.SetOperation):
            together.append(_phrases()["together"][_TOGETHER.get(type(outer), "union")])
        outer = outer.this
    shown = tuple(map(words.of, outer.expressions))
    if outer.args.get("distinct"):
        shown = tuple(_say("calls", "different", phrase) for phrase in shown)
    return Reading(
        shown,
        tuple(sorted({key for _, _, key in words.binding.tables})),
        words.conditions(outer),
        tuple(map(words.of, outer.args["group"].expressions)) if outer.args.get("group") else (),
        words.order(tree),
        words.limit(tree),
        tuple(together),
    )


class _Words:
    """The words for the parts of one tree: columns by their own names, with the table's where there are several."""

    def __init__(self, tree: Tree, schema: Schema) -> None:
        self.binding = resolve(tree, schema)
        self._dialect = schema.dialect
        self._origins = {id(name.column): name.origins for name in self.binding.names if name.column is not None}
        self._several = len({key for _, _, key in self.binding.tables}) > 1
        self._common = _common_names(schema)

    def of(self, node: exp.Expr) -> str:
        """The phrase of an expression; what has no words of its own is shown as SQL."""
        if isinstance(node, (exp.Alias, exp.Paren, exp.Ordered)):
            return self.of(node.this)
        if isinstance(node, exp.Star):
            return _phrases()["columns"]["all"]
        if isinstance(node, exp.Column):
            return self._column(node)
        if isinstance(node, exp.Literal):
            return str(node.this)
        if isinstance(node, exp.Count):
            return self._count(node)
        if type(node) in _CALLS:
            return _say("calls", _CALLS[type(node)], self._inside(node.this))
        return self._condition(node)

    def conditions(self, outer: exp.Expr) -> tuple[str, ...]:
        """What WHERE and HAVING ask for, one phrase for each condition that AND joins."""
        clauses = [outer.args[name].this for name in ("where", "having") if outer.args.get(name)]
        return tuple(self.of(part) for clause in clauses for part in _parts(clause))

    def order(self, tree: exp.Expr) -> tuple[str, ...]:
        keys = tree.args["order"].expressions if tree.args.get("order") else ()
        return tuple(_say("order", "descending" if k.args.get("desc") else "ascending", self.of(k)) for k in keys)

    def limit(self, tree: exp.Expr) -> str:
        found = tree.args.get("limit")
        count = found.args.get("expression") or found.args.get("count") if found is not None else None
        return count.sql(self._dialect) if count is not None else ""

    def _column(self, node: exp.Column) -> str:
        if isinstance(node.this, exp.Star):
            return _say("columns", "all_of", node.table)
        origins = self._origins.get(id(node), ())
        if not origins:
            return node.name
        table, column = origins[0]
        return _say("columns", "of", column, table) if self._several and column in self._common else column

    def _count(self, node: exp.Count) -> str:
        inside = node.this
        if isinstance(inside, exp.Distinct):
            return _say("calls", "count_different", self._inside(inside))
        return (
            _phrases()["calls"]["count_rows"]
            if isinstance(inside, exp.Star)
            else _say("calls", "count", self.of(inside))
        )

    def _inside(self, node: exp.Expr) -> str:
        if isinstance(node, exp.Distinct):
            return ", ".join(map(self.of, node.expressions))
        return self.of(node)

    def _condition(self, node: exp.Expr) -> str:
        if isinstance(node, exp.Not):
            return _say("conditions", "not", self.of(node.this))
        if isinstance(node, exp.Exists):
            return _phrases()["conditions"]["exists"]
        if isinstance(node, exp.Is) and isinstance(node.expression, exp.Null):
            return _say("conditions", "is_null", self.of(node.this))
        if isinstance(node, exp.In):
            if node.args.get("query"):
                return _say("conditions", "in_query", self.of(node.this))
            return _say("conditions", "in", self.of(node.this), ", ".join(map(self.of, node.expressions)))
        if isinstance(node, exp.Between):
            parts = (node.this, node.args["low"], node.args["high"])
            return _say("conditions", "between", *map(self.of, parts))
        if type(node) in _CONDITIONS:
            return _say("conditions", _CONDITIONS[type(node)], self.of(node.this), self.of(node.expression))
        text = node.sql(self._dialect)
        return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."


def _parts(clause: exp.Expr) -> list[exp.Expr]:
    if isinstance(clause, exp.And):
        return [*_parts(clause.left), *_parts(clause.right)]
    return [clause]


def _common_names(schema: Schema) -> frozenset[str]:
    """Names of columns that several tables have."""
    seen: dict[str, int] = {}
    for table in schema:
        for column in table.columns:
            seen[column.name] = seen.get(column.name, 0) + 1
    return frozenset(name for name, count in seen.items() if count > 1)


def _say(part: str, name: str, *inside: str) -> str:
    return _phrases()[part][name].format(*inside)


@cache
def _phrases() -> Mapping[str, Mapping[str, str]]:
    return tomllib.loads(resources.files("dragoman.sql").joinpath("phrases.toml").read_text("utf-8"))
