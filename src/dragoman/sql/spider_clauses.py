"""A query as Spider's exact set match sees it: clauses of aggregates, columns and conditions, without values.

Source: Yu et al., "Spider", EMNLP 2018, section 4, and the evaluation published with it, whose parser reads a small
part of SQL. What that parser cannot read (outer joins, brackets around conditions, CASE, common table expressions,
functions other than the five aggregates, IS NULL, ..) is `None` here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlglot import exp

from dragoman.errors import Unreadable
from dragoman.schema import Schema
from dragoman.sql.parse import parse

Unit = tuple[object, ...]
"""("column", aggregate, table, name), or (operator, unit, unit)."""

Condition = tuple[object, ...]
"""(negated, operator, unit, nested query or None, nested query or None)."""

_AGGREGATES: dict[type, str] = {exp.Max: "max", exp.Min: "min", exp.Count: "count", exp.Sum: "sum", exp.Avg: "avg"}
_ARITHMETIC: dict[type, str] = {exp.Sub: "-", exp.Add: "+", exp.Mul: "*", exp.Div: "/"}
_COMPARISONS: dict[type, str] = {
    exp.EQ: "=", exp.GT: ">", exp.LT: "<", exp.GTE: ">=", exp.LTE: "<=", exp.NEQ: "!=", exp.Like: "like",
}  # fmt: skip
_SETS: dict[type, str] = {exp.Union: "union", exp.Intersect: "intersect", exp.Except: "except"}
_READ = frozenset({"expressions", "from_", "joins", "where", "group", "having", "order", "limit", "distinct"})


@dataclass(frozen=True, slots=True)
class Conditions:
    """The conditions of one clause in order, with the words ("and", "or") between them."""

    units: tuple[Condition, ...] = ()
    connectors: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Clauses:
    """One SELECT and, behind `operator`, the rest of a set operation.

    `select` pairs aggregates with units; `order` is (direction, units), () without ORDER BY; `limit` its number.
    """

    select: tuple[tuple[str, Unit], ...] = ()
    tables: tuple[object, ...] = ()
    joins: Conditions = Conditions()
    where: Conditions = Conditions()
    group: tuple[Unit, ...] = ()
    having: Conditions = Conditions()
    order: tuple[object, ...] = ()
    limit: int | None = None
    operator: str = ""
    branch: Clauses | None = None


class _Outside(Exception):
    """The query uses something that Spider's parser does not read."""


def spider_clauses(sql: str, schema: Schema) -> Clauses | None:
    """The clauses of `sql`; None where Spider's parser would fail on it."""
    try:
        return _Reader(schema).query(parse(sql, schema.dialect))
    except (Unreadable, _Outside):
        return None


class _Reader:
    """Reads one statement; aliases hold for the whole of it, as they do in Spider's parser."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self.aliases: dict[str, str] = {}

    def query(self, tree: exp.Expr) -> Clauses:
        for table in tree.find_all(exp.Table):
            self.aliases[table.alias_or_name.lower()] = table.name.lower()
            self.aliases.setdefault(table.name.lower(), table.name.lower())
        return self._query(tree)

    def _query(self, tree: exp.Expr) -> Clauses:
        branches, operators, last = _chain(tree)
        clauses = [self._select(branch) for branch in branches]
        if last is not None and (last.args.get("order") or last.args.get("limit")):
            order, limit = self._ordering(last, branches[-1])
            clauses[-1] = replace(clauses[-1], order=order, limit=limit)
        whole = clauses[-1]
        for left, operator in zip(reversed(clauses[:-1]), reversed(operators), strict=True):
            whole = replace(left, operator=operator, branch=whole)
        return whole

    def _select(self, tree: exp.Expr) -> Clauses:
        if not isinstance(tree, exp.Select) or any(tree.args[part] for part in tree.args.keys() - _READ):
            raise _Outside
        joins = tree.args.get("joins") or []
        begin = tree.args.get("from_")
        if begin is None or any(
            join.side or join.kind not in ("", "CROSS") or join.args.get("using") for join in joins
        ):
            raise _Outside
        joined = [self._conditions(join.args["on"], tree) for join in joins if _condition_of(join)]
        having, where, group = tree.args.get("having"), tree.args.get("where"), tree.args.get("group")
        return Clauses(
            tuple(self._selected(item, tree) for item in tree.expressions),
            tuple(self._source(source) for source in (begin.this, *(join.this for join in joins))),
            _together(joined),
            self._conditions(where.this, tree) if where else Conditions(),
            tuple(self._unit(item, tree) for item in group.expressions) if group else (),
            self._conditions(having.this, tree) if having else Conditions(),
            *self._ordering(tree, tree),
        )

    def _ordering(self, tree: exp.Expr, scope: exp.Expr) -> tuple[tuple[object, ...], int | None]:
        """The order, with one direction for all keys (the last that is written), and the limit."""
        order, limit = tree.args.get("order"), tree.args.get("limit")
        terms = order.expressions if order else []
        direction = "desc" if any(term.args.get("desc") for term in terms) else "asc"
        units = tuple(self._unit(term.this, scope) for term in terms)
        number = str(limit.expression.this) if limit else ""
        return (direction, units) if order else (), (int(number) if number.isdigit() else 1) if limit else None

    def _source(self, source: exp.Expr) -> object:
        if isinstance(source, exp.Subquery):
            return self._query(source.this)
        if not isinstance(source, exp.Table) or self.schema.table(source.name) is None:
            raise _Outside
        return source.name.lower()

    def _selected(self, item: exp.Expr, scope: exp.Expr) -> tuple[str, Unit]:
        item = item.unalias()
        aggregate = _AGGREGATES.get(type(item), "")
        return aggregate, self._unit(_argument(item) if aggregate else item, scope)

    def _unit(self, tree: exp.Expr, scope: exp.Expr) -> Unit:
        if isinstance(tree, exp.Paren):
            tree = tree.this
        if type(tree) in _ARITHMETIC:
            return (_ARITHMETIC[type(tree)], self._unit(tree.this, scope), self._unit(tree.expression, scope))
        aggregate = _AGGREGATES.get(type(tree), "none")
        column = _argument(tree) if aggregate != "none" else tree
        if isinstance(column, exp.Star):
            return ("column", aggregate, "", "*")
        if not isinstance(column, exp.Column):
            raise _Outside
        return ("column", aggregate, *self._column(column, scope))

    def _column(self, column: exp.Column, scope: exp.Expr) -> tuple[str, str]:
        name = column.name.lower()
        if isinstance(column.this, exp.Star):
            return (self.aliases.get(column.table.lower(), ""), "*")
        if column.table:
            owners = [self.aliases.get(column.table.lower(), "")]
        else:
            sources = [scope.args["from_"].this, *(join.this for join in scope.args.get("joins") or [])]
            owners = [source.name.lower() for source in sources if isinstance(source, exp.Table)]
        for owner in owners:
            table = self.schema.table(owner)
            if table is not None and table.column(name) is not None:
                return owner, name
        raise _Outside

    def _conditions(self, tree: exp.Expr, scope: exp.Expr) -> Conditions:
        if isinstance(tree, exp.And | exp.Or):
            left, right = self._conditions(tree.this, scope), self._conditions(tree.expression, scope)
            word = "and" if isinstance(tree, exp.And) else "or"
            return Conditions(left.units + right.units, (*left.connectors, word, *right.connectors))
        negated = False
        if isinstance(tree, exp.Not):
            negated, tree = True, tree.this
            if not isinstance(tree, exp.In | exp.Like | exp.Between):
                raise _Outside
        return Conditions((self._condition(tree, negated or bool(tree.args.get("negate")), scope),))

    def _condition(self, tree: exp.Expr, negated: bool, scope: exp.Expr) -> Condition:
        if isinstance(tree, exp.Between):
            values = (tree.args["low"], tree.args["high"])
            return (negated, "between", self._unit(tree.this, scope), *map(self._value, values))
        if isinstance(tree, exp.In) and tree.args.get("query"):
            return (negated, "in", self._unit(tree.this, scope), self._value(tree.args["query"]), None)
        if type(tree) in _COMPARISONS:
            unit = self._unit(tree.this, scope)
            return (negated, _COMPARISONS[type(tree)], unit, self._value(tree.expression), None)
        raise _Outside

    def _value(self, tree: exp.Expr) -> Clauses | None:
        """Values do not count; a nested query does."""
        if isinstance(tree, exp.Subquery):
            return self._query(tree.this)
        if not isinstance(tree, exp.Literal | exp.Neg | exp.Column) and type(tree) not in _ARITHMETIC:
            raise _Outside
        return None


def _chain(tree: exp.Expr) -> tuple[list[exp.Expr], list[str], exp.Expr | None]:
    """The branches of a set operation from left to right, the operators between them, and the operation itself."""
    if type(tree) not in _SETS:
        return [tree], [], None
    branches, operators, _ = _chain(tree.this)
    return [*branches, tree.expression], [*operators, _SETS[type(tree)]], tree


def _condition_of(join: exp.Expr) -> bool:
    """Whether a join has a condition of its own; without one sqlglot writes ON TRUE."""
    return not isinstance(join.args.get("on"), exp.Boolean | None)


def _argument(aggregate: exp.Expr) -> exp.Expr:
    inner = aggregate.this
    if isinstance(inner, exp.Distinct):
        if len(inner.expressions) != 1:
            raise _Outside
        inner = inner.expressions[0]
    if not isinstance(inner, exp.Expr) or aggregate.expressions:
        raise _Outside
    return inner


def _together(parts: Sequence[Conditions]) -> Conditions:
    units = tuple(unit for part in parts for unit in part.units)
    connectors = tuple(word for i, part in enumerate(parts) for word in (("and",) if i else ()) + part.connectors)
    return Conditions(units, connectors)
