"""The SELECTs that give tables and columns their new names, and the schema that is seen through them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from dragoman.errors import SetupError
from dragoman.refine.refinement import Place, Refinement, refined_schema, tables_by_key
from dragoman.schema import ForeignKey, Schema, Table
from dragoman.sql.overlay import Select
from dragoman.sql.quote import quote_always

_MAIN = {"sqlite": "main", "duckdb": "main"}
_CATALOGUES = frozenset({"bigquery", "snowflake"})
"""Dialects whose schemas are named with the catalogue or project before them, and a dot between."""


def renamed_tables(schema: Schema, refinement: Refinement) -> tuple[str, ...]:
    """The tables, as a `Place` spells them and in the schema's order, of which any name changes."""
    return tuple(
        key
        for key, table in tables_by_key(schema).items()
        if refinement.tables.get(key, table.name) != table.name
        or any(refinement.columns.get((key, c.name), c.name) != c.name for c in table.columns)
    )


def view_select(schema: Schema, refinement: Refinement, key: str) -> Select:
    """The SELECT over the base table that shows its columns, all and in order, under the new names.

    The table is named with its schema, so that neither a view of the same name nor a CTE can come between.
    """
    table, dialect = tables_by_key(schema)[key], schema.dialect
    columns = {}
    for column in table.columns:
        new = refinement.columns.get((key, column.name), column.name)
        old = quote_always(column.name, dialect)
        columns[new] = old if new == column.name else f"{old} AS {quote_always(new, dialect)}"
    return Select(columns, base_name(table, schema))


def base_name(table: Table, schema: Schema) -> str:
    """The table's name in quotes, qualified by its schema."""
    namespace = table.schema or schema.default_schema or _MAIN.get(schema.dialect, "")
    parts = namespace.split(".") if schema.dialect in _CATALOGUES else [namespace]
    path = [part for part in (*parts, table.name) if part]
    return ".".join(quote_always(part, schema.dialect) for part in path)


def seen_schema(schema: Schema, refinement: Refinement, covered: Collection[str]) -> Schema:
    """The refined schema as a session with views sees it: covered tables stand in the default schema.

    A view of a session has no schema, so a covered table from elsewhere comes to be named without one. Raises
    `SetupError` where two tables would then bear one name.
    """
    refined = refined_schema(schema, refinement)
    pairs = list(zip(tables_by_key(schema), refined, strict=True))
    homes = {
        table.full_name: schema.default_schema if key in covered and table.schema else table.schema
        for key, table in pairs
    }
    tables = tuple(
        replace(table, schema=homes[table.full_name], foreign_keys=_keys(table, refined, homes)) for _, table in pairs
    )
    seen = [table.full_name for table in tables]
    for name in seen:
        if seen.count(name) > 1:
            raise SetupError(f"Two tables would both be called {name[-1]}. Give one of them another name.")
    return replace(refined, tables=tables)


def _keys(owner: Table, schema: Schema, homes: dict[tuple[str, ...], str]) -> tuple[ForeignKey, ...]:
    """The table's foreign keys with their targets where they now are."""

    def moved(key: ForeignKey) -> ForeignKey:
        target = schema.table(key.target, key.target_schema or owner.schema)
        if target is None:
            return key
        home = homes[target.full_name]
        return replace(key, target_schema="" if home == homes[owner.full_name] else home)

    return tuple(moved(key) for key in owner.foreign_keys)


def new_place(place: Place, schema: Schema, refinement: Refinement) -> Place:
    """(table, column) as they are called after the refinement, without the schema of the table."""
    table, column = place
    name = tables_by_key(schema)[table].name
    return refinement.tables.get(table, name), refinement.columns.get(place, column)
