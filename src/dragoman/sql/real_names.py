"""From names in lower case, as the SQL adapter writes them, to those of the schema."""

from __future__ import annotations

from sqlglot import exp

from dragoman.schema import Schema, Table
from dragoman.sql.parse import parse
from dragoman.sql.plain import owner, sources, visible
from dragoman.sql.quote import quote


def real_names(sql: str, schema: Schema) -> str:
    """`sql` (in SQLite's dialect) with names as `schema` spells them, in the schema's own dialect. Raises `Unreadable`.

    Tables outside the default schema are qualified; names are quoted where they would mean something else without.
    Names that the schema does not have stay as they are.
    """
    tree = parse(sql, "sqlite")
    columns = [(c, _spelling(c, schema)) for c in tree.find_all(exp.Column) if isinstance(c.this, exp.Identifier)]
    for column, spelling in columns:
        column.set("this", _identifier(spelling, schema))
        found = schema.table(column.table)
        if column.table and found is not None and isinstance(owner(column), exp.Table):
            column.set("table", _identifier(found.name, schema))
    for named in tree.find_all(exp.Table):
        found = schema.table(named.name)
        if found is not None:
            named.set("this", _identifier(found.name, schema))
            if found.schema != schema.default_schema:
                named.set("db", _identifier(found.schema, schema))
    return tree.sql(dialect=schema.dialect)


def _spelling(column: exp.Column, schema: Schema) -> str:
    for table in _tables(column, schema):
        found = table.column(column.name)
        if found is not None:
            return found.name
    return column.name


def _tables(column: exp.Column, schema: Schema) -> list[Table]:
    """The tables that may have `column`, innermost first."""
    if column.table:
        source = owner(column)
        named = [source] if source is not None else []
    else:
        named = [source for select in visible(column) for source in sources(select)]
    tables = (schema.table(source.name) for source in named if isinstance(source, exp.Table))
    return [table for table in tables if table is not None]


def _identifier(name: str, schema: Schema) -> exp.Identifier:
    return exp.Identifier(this=name, quoted=quote(name, schema.dialect) != name)
