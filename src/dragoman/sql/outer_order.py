"""How the outermost query of a statement orders and cuts its rows."""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from dragoman.sql.parse import parse

_COLLATING = frozenset({"mysql", "tsql"})
"""Dialects whose default collation holds different texts equal."""


@dataclass(frozen=True, slots=True)
class OuterOrder:
    """The ORDER BY and the LIMIT of the outermost query.

    keys         one entry for each sort key in order: the position of the output column that shows it, its name
                 where a star hides the position, None where it is not projected
    limit        rows asked for, None without a LIMIT; -1 where it is not a plain number
    offset       rows skipped
    unlimited    the same query without its LIMIT and OFFSET; "" without a LIMIT
    with_keys    `unlimited` with every unprojected sort key as a further column at the end, in key order; "" where
                 that would change the rows (DISTINCT, set operations)
    collated     whether a sort key may follow a collation that holds different texts equal
    """

    keys: tuple[int | str | None, ...] = ()
    limit: int | None = None
    offset: int = 0
    unlimited: str = ""
    with_keys: str = ""
    collated: bool = False

    @property
    def ordered(self) -> bool:
        """Whether the outermost query has an ORDER BY."""
        return bool(self.keys)

    @property
    def projected(self) -> bool:
        """Whether every sort key can be seen in the output."""
        return None not in self.keys


def outer_order(sql: str, dialect: str) -> OuterOrder:
    """Read the order of `sql`. An ORDER BY or LIMIT inside a subquery is none of its own. Raises `Unreadable`."""
    query = _unwrapped(parse(sql, dialect))
    order = query.args.get("order")
    terms = [term.this if isinstance(term, exp.Ordered) else term for term in order.expressions] if order else []
    keys = tuple(_place(term, query, dialect) for term in terms)
    collated = bool(terms) and (dialect in _COLLATING or query.find(exp.Collate) is not None)
    cut = _limit(query, dialect)
    if cut is None and not query.args.get("offset"):
        return OuterOrder(keys, collated=collated)
    unlimited = query.copy()
    for part in ("limit", "offset"):
        unlimited.set(part, None)
    hidden = [term for term, key in zip(terms, keys, strict=True) if key is None]
    return OuterOrder(
        keys,
        _number(cut.args.get("expression") or cut.args.get("count")) if cut is not None else None,
        _offset(query),
        unlimited.sql(dialect=dialect),
        _with_columns(unlimited, hidden, dialect),
        collated,
    )


def with_ranks(sql: str, dialect: str) -> str:
    """`sql` without its LIMIT and OFFSET, and for every sort key a further column at the end: its rank for the engine.

    Keys that the engine holds equal have equal ranks, whatever their collation. "" without an ORDER BY, and where the
    ranks cannot be had without a change of the rows or of what a key means. Raises `Unreadable`.
    """
    query = _unwrapped(parse(sql, dialect)).copy()
    order = query.args.get("order")
    for part in ("limit", "offset"):
        query.set(part, None)
    if not order:
        return ""
    if isinstance(query, exp.SetOperation):
        return _ranked_around(query, order, dialect)
    terms = [term.this if isinstance(term, exp.Ordered) else term for term in order.expressions]
    distinct = query.args.get("distinct")
    if not isinstance(query, exp.Select) or (
        distinct and (distinct.args.get("on") or None in [_place(term, query, dialect) for term in terms])
    ):
        return ""
    keys = [_meant(term, query) for term in terms]
    ranks = [_rank(term, key) for term, key in zip(order.expressions, keys, strict=True) if key is not None]
    return query.select(*ranks).sql(dialect=dialect) if len(ranks) == len(keys) else ""


def _rank(term: exp.Expr, key: exp.Expr) -> exp.Expr:
    """The rank by `key`, in the direction of the term of ORDER BY."""
    turned = term.copy() if isinstance(term, exp.Ordered) else exp.Ordered(this=term.copy())
    turned.set("this", key.copy())
    return exp.Window(this=exp.DenseRank(), order=exp.Order(expressions=[turned]))


def _meant(term: exp.Expr, query: exp.Select) -> exp.Expr | None:
    """What a sort key stands for outside ORDER BY, None where a name in it may be that of an output column."""
    shown = query.selects
    while isinstance(term, exp.Paren):
        term = term.this
    if isinstance(term, exp.Literal) and term.is_int:
        before = shown[: int(term.this)]
        return None if not before or any(item.is_star for item in before) else before[-1].unalias()
    aliases = {item.alias.lower(): item.unalias() for item in reversed(shown) if isinstance(item, exp.Alias)}
    if isinstance(term, exp.Column) and not term.table:
        named = [item for item in shown if item.alias_or_name.lower() == term.name.lower()]
        return named[0].unalias() if named else term
    bare = [column for column in term.find_all(exp.Column) if not column.table and column.name.lower() in aliases]
    plain = all(aliases[column.name.lower()] == column for column in bare)
    return term if plain else None


def _ranked_around(query: exp.SetOperation, order: exp.Expr, dialect: str) -> str:
    """The ranks around a set operation, whose sort keys are columns of its output."""
    names = [item.args.get("alias") or item.this for item in query.selects]
    folded = {name.name.lower() for name in names if isinstance(name, exp.Identifier)}
    ranks = []
    for term in order.expressions:
        place = _place(term.this, query, dialect)
        if not isinstance(place, int) or place >= len(names) or len(folded) < len(names):
            return ""
        term.set("this", exp.column(names[place].copy()))
        ranks.append(_rank(term, term.this))
    query.set("order", None)
    outer = exp.select("*", *ranks).from_(query.subquery("answer"))
    outer.set("order", order)
    return outer.sql(dialect=dialect)


def _limit(query: exp.Expression, dialect: str) -> exp.Expression | None:
    """The LIMIT of `query`; a negative one is none on SQLite."""
    cut: exp.Expression | None = query.args.get("limit")
    return None if cut and dialect == "sqlite" and isinstance(cut.args.get("expression"), exp.Neg) else cut


def _unwrapped(tree: exp.Expression) -> exp.Expression:
    """The query inside brackets that add nothing of their own."""
    while isinstance(tree, exp.Subquery) and not any(tree.args.get(part) for part in ("order", "limit", "offset")):
        tree = tree.this
    return tree


def _place(term: exp.Expression, query: exp.Expression, dialect: str) -> int | str | None:
    """Where a sort key stands in the output of `query`."""
    if isinstance(term, exp.Literal) and term.is_int:
        return int(term.this) - 1
    while isinstance(term, exp.Paren):
        term = term.this
    shown = query.selects if isinstance(query, exp.Query) else []
    starred = next((i for i, item in enumerate(shown) if item.is_star), len(shown))
    if isinstance(term, exp.Column) and not term.table:
        named = [i for i, item in enumerate(shown) if item.alias_or_name.lower() == term.name.lower()]
        if named:
            return named[0] if named[0] < starred else term.name
    for i, item in enumerate(shown):
        if _same(term, item.unalias(), dialect):
            return i if i < starred else (item.alias_or_name or None)
    if isinstance(term, exp.Column) and any(_covers(item, term) for item in shown if item.is_star):
        return term.name
    return None


def _covers(star: exp.Expr, column: exp.Column) -> bool:
    """Whether `*` or `t.*` may show a column; one without a table may be of any."""
    table = star.table if isinstance(star, exp.Column) else ""
    return not (table and column.table) or table.lower() == column.table.lower()


def _same(one: exp.Expr, other: exp.Expr, dialect: str) -> bool:
    """Whether two expressions are the same text, case aside and with bare columns equal to qualified ones."""
    if isinstance(one, exp.Column) and isinstance(other, exp.Column):
        tables = (one.table.lower(), other.table.lower())
        return one.name.lower() == other.name.lower() and (tables[0] == tables[1] or "" in tables)
    texts = [_bare(tree).sql(dialect=dialect, normalize_functions="upper") for tree in (one, other)]
    return texts[0].lower() == texts[1].lower() and _literals(one) == _literals(other)


def _bare(tree: exp.Expr) -> exp.Expr:
    tree = tree.copy()
    for name in tree.find_all(exp.Identifier):
        name.set("quoted", False)
    return tree


def _literals(tree: exp.Expr) -> list[str]:
    return [str(literal.this) for literal in tree.find_all(exp.Literal)]


def _number(value: exp.Expression | None) -> int:
    if isinstance(value, exp.Literal) and not value.is_string and str(value.this).isdigit():
        return int(value.this)
    return -1


def _offset(query: exp.Expression) -> int:
    skip = query.args.get("offset")
    return 0 if skip is None else _number(skip.args.get("expression"))


def _with_columns(query: exp.Expression, terms: list[exp.Expression], dialect: str) -> str:
    if not terms:
        return query.sql(dialect=dialect)
    if not isinstance(query, exp.Select) or query.args.get("distinct"):
        return ""
    return query.select(*(term.copy() for term in terms)).sql(dialect=dialect)
