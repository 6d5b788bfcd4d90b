"""Names in a query that name nothing: found on the tree, so that parts which never run count too."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.optimizer.scope import Scope, traverse_scope

from dragoman.schema import Schema
from dragoman.sql.parse import Tree

_ROW_IDS = frozenset({"rowid", "oid", "_rowid_", "ctid", "_partitiontime", "_table_suffix", "rownum", "level"})


@dataclass(frozen=True, slots=True)
class Unresolved:
    """A table or column that names nothing in its scope. `quoted` where it stood in the dialect's quotes."""

    name: str
    table: bool = False
    quoted: bool = False


def unresolved(tree: Tree, schema: Schema) -> tuple[Unresolved, ...]:
    """Tables and columns of `tree` that name nothing, in the order of the scopes.

    Only what is certain: where a source cannot be described (table functions, hidden tables, star over such), columns
    that might come from it are passed.
    """
    try:
        scopes = traverse_scope(tree)
    except SqlglotError:
        return ()
    found = [name for scope in scopes for name in (*_tables(scope, schema), *_columns(scope, schema))]
    return tuple(dict.fromkeys(found))


def _tables(scope: Scope, schema: Schema) -> Iterator[Unresolved]:
    for _, source in scope.selected_sources.values():
        if isinstance(source, exp.Table) and _unknown(source, schema):
            yield Unresolved(source.name, True, bool(source.this.args.get("quoted")))


def _columns(scope: Scope, schema: Schema) -> Iterator[Unresolved]:
    for column in scope.columns:
        own = column.find_ancestor(exp.Select, exp.SetOperation) is scope.expression  # a subquery's are in its scope
        if not own or isinstance(column.this, exp.Star) or column.name.lower() in _ROW_IDS:
            continue
        if not any(_offers(level, column, schema) for level in _levels(scope)):
            name = f"{column.table}.{column.name}" if column.table else column.name
            yield Unresolved(name, quoted=bool(column.this.args.get("quoted")))


def _levels(scope: Scope | None) -> Iterator[Scope]:
    """The scope itself and those around it, innermost first."""
    while scope is not None:
        yield scope
        scope = scope.parent


def _offers(scope: Scope, column: exp.Column, schema: Schema) -> bool:
    """Whether `scope` has (or may have) something of this name."""
    name, table = column.name.lower(), column.table.lower()
    sources = {alias.lower(): source for alias, source in scope.sources.items()}
    if table:
        if table not in sources:
            return any(_may_have(source, table, schema) for source in sources.values())  # a field of a struct
        return _may_have(sources[table], name, schema)
    if any(_may_have(source, name, schema) for source in sources.values()):
        return True
    query = scope.expression
    if isinstance(query, exp.SetOperation):
        return any(shown in ("*", name) for shown in map(str.lower, query.named_selects))
    selects = query.selects if isinstance(query, exp.Query) else []
    return any(item.alias.lower() == name for item in selects if isinstance(item, exp.Alias))


def _may_have(source: object, name: str, schema: Schema) -> bool:
    if isinstance(source, Scope):
        shown = source.expression.named_selects if isinstance(source.expression, exp.Query) else ["*"]
        if "*" not in shown:
            return _renamed(source) or name in (item.lower() for item in shown)
        return any(_may_have(inner, name, schema) for inner in source.sources.values()) or not source.sources
    if isinstance(source, exp.Table):
        if not isinstance(source.this, exp.Identifier):
            return True
        table = schema.table(source.name, source.db)
        return table is None or table.column(name) is not None
    return True


def _renamed(source: Scope) -> bool:
    """Whether the columns are named outside the query: WITH t(a, b) AS .., FROM (..) AS t(a, b), VALUES."""
    if isinstance(source.expression, exp.Values) or source.is_udtf:
        return True
    holder = source.expression.parent
    alias = holder.args.get("alias") if holder is not None else None
    return isinstance(alias, exp.TableAlias) and bool(alias.columns)


def _unknown(table: exp.Table, schema: Schema) -> bool:
    if not isinstance(table.this, exp.Identifier) or schema.table(table.name, table.db) is not None:
        return False
    hidden = {name.split(".")[-1].lower() for name, _ in schema.hidden}
    name = table.name.lower()
    catalogue = name.startswith(("sqlite_", "pragma_", "pg_", "information_schema"))
    return not (catalogue or name in hidden or table.db.lower() in ("information_schema", "pg_catalog", "temp"))
