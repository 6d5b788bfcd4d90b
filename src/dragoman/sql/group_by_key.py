"""Spells out what GROUP BY a primary key brings along on PostgreSQL, for views, which have no keys."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from sqlglot import exp

from dragoman.schema import Schema, Table
from dragoman.sql.binding import Binding, Bound, Source
from dragoman.sql.edits import Edits
from dragoman.sql.parse import parse
from dragoman.sql.quote import quote
from dragoman.sql.resolve import resolve

_SETS = (exp.Rollup, exp.Cube, exp.GroupingSets)
_BY_THEMSELVES = frozenset({"expressions", "having", "order", "distinct", "windows"})
"""The clauses of a SELECT in which a column must be grouped or aggregated."""


@dataclass(frozen=True, slots=True)
class Carried:
    """A table of a query whose key is grouped by, `key` as references name it, and the `columns` that come along.

    The columns are the schema's own; `written` are the same as the query would have to write them.
    """

    key: str
    columns: tuple[str, ...]
    written: tuple[str, ...]


def carried(sql: str, schema: Schema, tables: Collection[str]) -> tuple[Carried, ...]:
    """The columns of `tables` that GROUP BY brings along by their primary key alone. Raises `Unreadable`.

    Other dialects than PostgreSQL have none: they group by what is written, or look through views.
    """
    return tuple(found for _, found in _carried(sql, schema, tables))


def group_by_key(sql: str, schema: Schema, tables: Collection[str]) -> str:
    """The query with the columns that a key of `tables` brings along written into GROUP BY, all else as it was.

    It groups as before, for rows with one key have one value in each of these columns, also where an outer join made
    all of them NULL. GROUPING SETS, ROLLUP and CUBE are left as they are. Raises `Unreadable`.
    """
    edits = Edits(sql, schema.dialect)
    wanted: dict[int, tuple[exp.Table, list[str]]] = {}
    for node, found in _carried(sql, schema, tables):
        _, written = wanted.setdefault(id(node.find_ancestor(exp.Select)), (node, []))
        written += [text for text in found.written if text not in written]
    for node, written in wanted.values():
        edits.begin_group_by(node.parts[-1], "".join(f"{text}, " for text in written))
    return edits.apply()


def _carried(sql: str, schema: Schema, tables: Collection[str]) -> Iterator[tuple[exp.Table, Carried]]:
    if schema.dialect != "postgres" or "group" not in sql.lower():
        return
    tree = parse(sql, schema.dialect)
    binding = resolve(tree, schema)
    edits = Edits(sql, schema.dialect)
    uses = _uses(binding, edits)
    for node, table, key in binding.tables:
        select = node.find_ancestor(exp.Select)
        use = uses.get(id(node))
        if key not in tables or use is None or select is None or not _groups_by(select, table, use, binding):
            continue
        needed = {name: text for name, text in use.needed(select).items() if name not in use.grouped}
        if needed:
            columns = tuple(use.source.columns[name][1][0][1] for name in needed if name)
            yield node, Carried(key, columns, tuple(needed.values()))


@dataclass(slots=True)
class _Use:
    """How a query uses one of its tables: `read` are (the name's place, its folded name, how it is written)."""

    source: Source
    read: list[tuple[exp.Expr, str, str]] = field(default_factory=list)
    grouped: set[str] = field(default_factory=set)

    def needed(self, select: exp.Select) -> dict[str, str]:
        """Folded name -> how it is written, of what SELECT must group by; "" for the whole row."""
        return {name: text for node, name, text in self.read if _stands_alone(node, select)}


def _uses(binding: Binding, edits: Edits) -> dict[int, _Use]:
    """What is read of every table in FROM, by the id of its node."""
    found: dict[int, _Use] = {}

    def use(source: Source) -> _Use | None:
        return None if source.node is None else found.setdefault(id(source.node), _Use(source))

    for bound in binding.names:
        if bound.column is None or not bound.sources or not (own := use(bound.sources[0])):
            continue
        name = bound.node.name.lower()
        whole_row = name not in own.source.columns
        label = _label(own.source, edits)
        text = label if whole_row else f"{label}.{edits.text(bound.node)}"
        own.read.append((bound.column, "" if whole_row else name, text))
    for star, sources in binding.expansions:
        for own in filter(None, map(use, sources)):
            label = _label(own.source, edits)
            columns = own.source.columns.items()
            own.read += [(star, folded, f"{label}.{quote(name, edits.dialect)}") for folded, (name, _) in columns]
    return found


def _label(source: Source, edits: Edits) -> str:
    """The source as the query writes it before a column."""
    assert isinstance(source.node, exp.Table)
    alias = source.node.args.get("alias")
    return edits.text(alias.this if alias and alias.this else source.node.parts[-1])


def _groups_by(select: exp.Select, table: Table, use: _Use, binding: Binding) -> bool:
    """Whether the SELECT groups by the whole primary key of the table; notes in `use` what it groups by."""
    group = select.args.get("group")
    if group is None or group.args.get("all") or any(group.args.get(n) for n in ("rollup", "cube", "grouping_sets")):
        return False
    if any(isinstance(item, _SETS) for item in group.expressions):
        return False
    bound = {id(name.column): name for name in binding.names if name.column is not None}
    for item in group.expressions:
        name = bound.get(id(_meant(item, select, bound)))
        if name is not None and any(source.node is use.source.node for source in name.sources):
            use.grouped.add(name.node.name.lower())
    return bool(table.primary_key) and {column.lower() for column in table.primary_key} <= use.grouped


def _meant(item: exp.Expr, select: exp.Select, bound: dict[int, Bound]) -> exp.Expr:
    """The expression that an item of GROUP BY stands for: itself, or what its number or alias names in SELECT."""
    shown: exp.Expr | None = None
    if isinstance(item, exp.Literal) and not item.is_string and item.name.isdigit():
        number = int(item.name) - 1
        shown = select.expressions[number] if number < len(select.expressions) else None
    elif isinstance(item, exp.Column) and not item.table and not (id(item) in bound and bound[id(item)].sources):
        shown = next((p for p in select.expressions if isinstance(p, exp.Alias) and p.alias == item.name), None)
    elif isinstance(item, exp.Paren):
        return _meant(item.this, select, bound)
    return shown.unalias() if shown is not None else item


def _stands_alone(node: exp.Expr, select: exp.Select) -> bool:
    """Whether a column stands where SELECT wants it grouped: shown, in HAVING or ORDER BY, and in no aggregate."""
    while node.parent is not None and node.parent is not select:
        parent = node.parent
        inside = isinstance(parent, exp.AggFunc | exp.Filter | exp.WithinGroup)
        if inside and not isinstance(parent.parent, exp.Window):
            return False
        node = parent
    return node.parent is select and node.arg_key in _BY_THEMSELVES
