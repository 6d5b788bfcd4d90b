"""Which schemas, tables, columns and functions may be used: the same list for what is shown and what is guarded."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

from dragoman.schema import Column, Schema, Table


@dataclass(frozen=True, slots=True)
class AccessPolicy:
    """Allow and deny lists; a deny wins, and an empty allow list allows everything.

    Entries are matched without regard to case, and `*` stands for any characters. Tables are "table" or
    "schema.table"; columns are "table.column" or "schema.table.column". `functions` are names (with their schema, if
    it is written) that may be called although they are not known to only compute.
    """

    allow_schemas: tuple[str, ...] = ()
    deny_schemas: tuple[str, ...] = ()
    allow_tables: tuple[str, ...] = ()
    deny_tables: tuple[str, ...] = ()
    allow_columns: tuple[str, ...] = ()
    deny_columns: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()

    def allows_table(self, table: Table) -> bool:
        """Whether the table may be seen and read at all."""
        names = (table.name, f"{table.schema}.{table.name}")
        return _permitted((table.schema,), self.allow_schemas, self.deny_schemas) and _permitted(
            names, self.allow_tables, self.deny_tables
        )

    def allows_column(self, table: Table, column: Column) -> bool:
        """Whether the column may be; its table has to be allowed besides."""
        names = (f"{table.name}.{column.name}", f"{table.schema}.{table.name}.{column.name}")
        return _permitted(names, self.allow_columns, self.deny_columns)

    def allows_function(self, name: str) -> bool:
        """Whether `functions` has the name."""
        return any(_matches((name,), entry) for entry in self.functions)

    def visible(self, schema: Schema) -> Schema:
        """The schema without what is denied; foreign keys that touch a denied column go with it."""
        kept = {table.full_name: table for table in schema if self.allows_table(table)}
        tables = [replace(t, columns=tuple(c for c in t.columns if self.allows_column(t, c))) for t in kept.values()]
        narrowed = replace(schema, tables=tuple(tables))
        return replace(narrowed, tables=tuple(_narrow_keys(table, narrowed) for table in tables))


def _narrow_keys(table: Table, schema: Schema) -> Table:
    def whole(names: Iterable[str], of: Table | None) -> bool:
        return of is not None and all(of.column(name) is not None for name in names)

    keys = tuple(
        key
        for key in table.foreign_keys
        if whole(key.columns, table)
        and whole(key.target_columns, schema.table(key.target, key.target_schema or table.schema))
    )
    unique = tuple(group for group in table.unique if whole(group, table))
    return replace(table, foreign_keys=keys, unique=unique)


def _permitted(names: tuple[str, ...], allow: tuple[str, ...], deny: tuple[str, ...]) -> bool:
    if any(_matches(names, entry) for entry in deny):
        return False
    return not allow or any(_matches(names, entry) for entry in allow)


def _matches(names: tuple[str, ...], entry: str) -> bool:
    return any(fnmatchcase(name.lower(), entry.lower()) for name in names)
