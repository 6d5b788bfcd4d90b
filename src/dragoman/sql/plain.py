"""One spelling for queries that mean the same: no needless alias or qualifier, strings in single quotes.

A table that occurs once in its FROM carries no alias, one that occurs more often `t1`, `t2`, .. by its position;
a column is qualified by its table where several tables are in scope and bare where there is one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from sqlglot import exp

from dragoman.schema import Schema
from dragoman.sql.parse import parse


def plain_sql(sql: str, schema: Schema, written: Callable[[str], str] = str) -> str:
    """`sql` in plain spelling with every name as `written` spells it, quotes included. Raises `Unreadable`."""
    tree = plain(parse(sql, schema.dialect), schema)
    for name in tree.find_all(exp.Identifier):
        spelled = written(name.this)
        name.set("quoted", spelled.startswith('"'))
        name.set("this", spelled[1:-1].replace('""', '"') if name.quoted else spelled)
    return tree.sql(dialect="sqlite")


def plain(tree: exp.Expression, schema: Schema) -> exp.Expression:
    """A copy of `tree` in plain spelling. Names stay in their case; the result of running it stays the same."""
    tree = tree.copy()
    _strings(tree, schema)
    for select in tree.find_all(exp.Select):
        _qualify(select, schema)
    for select in tree.find_all(exp.Select):
        _name_sources(select)
    for select in tree.find_all(exp.Select):
        _order_joins(select)
        _unqualify(select)
    for ordered in tree.find_all(exp.Ordered):
        ordered.set("desc", ordered.args.get("desc") or None)
    return tree


def _strings(tree: exp.Expression, schema: Schema) -> None:
    """`"Paris"` names no column, so SQLite reads it as a string: write it as one."""
    names = {column.name.lower() for table in schema for column in table.columns}
    names |= {alias.alias.lower() for alias in tree.find_all(exp.Alias)}
    for column in list(tree.find_all(exp.Column)):
        name = column.this
        if not column.table and isinstance(name, exp.Identifier) and name.quoted and name.this.lower() not in names:
            column.replace(exp.Literal.string(name.this))


def sources(select: exp.Select) -> list[exp.Expression]:
    """What one SELECT reads from, in order: tables and derived tables."""
    begin = select.args.get("from_")
    joins = select.args.get("joins") or []
    return [part.this for part in ([begin] if begin else []) + joins]


def visible(column: exp.Column) -> Iterator[exp.Select]:
    """The SELECTs whose sources `column` may name, innermost first."""
    select = column.find_ancestor(exp.Select)
    while select is not None:
        yield select
        select = select.find_ancestor(exp.Select)


def called(source: exp.Expression) -> str:
    """What a table or subquery in FROM is called in its scope, in lower case."""
    return str(source.alias_or_name).lower()


def owner(column: exp.Column) -> exp.Expression | None:
    """The source that a qualified column belongs to."""
    wanted = column.table.lower()
    return next((s for select in visible(column) for s in sources(select) if called(s) == wanted), None)


def _own_columns(select: exp.Select) -> list[exp.Column]:
    return [c for c in select.find_all(exp.Column) if c.find_ancestor(exp.Select) is select]


def _qualify(select: exp.Select, schema: Schema) -> None:
    """Give bare columns the one table in scope that has them, where several tables are in scope."""
    found = sources(select)
    tables = [(s, schema.table(s.name)) for s in found if isinstance(s, exp.Table)]
    if len(found) < 2 or len(tables) < len(found):
        return
    for column in _own_columns(select):
        owners = [s for s, table in tables if table is not None and table.column(column.name)]
        if not column.table and len(owners) == 1 and not isinstance(column.this, exp.Star):
            column.set("table", exp.to_identifier(called(owners[0])))


def _name_sources(select: exp.Select) -> None:
    """Drop the aliases of tables that occur once and number those of tables that occur again."""
    found = sources(select)
    if not all(isinstance(s, exp.Table) or s.alias for s in found):
        return
    times = Counter(s.name.lower() if isinstance(s, exp.Table) else called(s) for s in found)
    new: dict[int, str] = {}
    for place, source in enumerate(found, 1):
        if isinstance(source, exp.Table):
            new[id(source)] = source.name if times[source.name.lower()] == 1 else f"t{place}"
    columns = [(c, new[id(s)]) for c in select.find_all(exp.Column) if c.table and id(s := owner(c)) in new]
    if any(_shadowed(column, select, name) for column, name in columns):
        return
    for column, name in columns:
        column.set("table", exp.to_identifier(name))
    for source in found:
        if isinstance(source, exp.Table):
            name = new[id(source)]
            source.set("alias", exp.TableAlias(this=exp.to_identifier(name)) if name != source.name else None)


def _shadowed(column: exp.Column, select: exp.Select, name: str) -> bool:
    """Whether a SELECT between `column` and `select` has a source of that name, so that the name would miss."""
    for inner in visible(column):
        if inner is select:
            return False
        if any(name.lower() in (called(s), s.name.lower()) for s in sources(inner)):
            return True
    return False


def _order_joins(select: exp.Select) -> None:
    """`JOIN` for `INNER JOIN`, and in `ON a.x = b.y` the joined table's column on the right."""
    for join in select.args.get("joins") or []:
        if join.kind == "INNER":
            join.set("kind", None)
        on, joined = join.args.get("on"), called(join.this)
        if isinstance(on, exp.EQ) and isinstance(on.this, exp.Column) and isinstance(on.expression, exp.Column):
            left, right = on.this, on.expression
            if left.table.lower() == joined != right.table.lower():
                on.set("this", right.copy())
                on.set("expression", left.copy())


def _unqualify(select: exp.Select) -> None:
    found = sources(select)
    if len(found) != 1:
        return
    for column in _own_columns(select):
        if column.table and column.table.lower() == called(found[0]):
            column.set("table", None)
