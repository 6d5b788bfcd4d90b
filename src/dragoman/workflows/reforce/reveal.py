"""For analysis only: what the gold query reads of a schema, for the ablations with gold tables and gold schema."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import replace

from dragoman.databases import Database, Limits, Rows
from dragoman.databases.database import RowStream
from dragoman.errors import Refused
from dragoman.schema import Schema, Table
from dragoman.sql.parse import parse
from dragoman.sql.references import references


def reveal(schema: Schema, gold: str, columns: bool) -> Schema:
    """The tables that the gold query reads, with `columns` no columns but those that it reads and keys.

    The whole schema where the gold cannot be read, or reads no table of it.
    """
    try:
        read = references(parse(gold, schema.dialect), schema, stars=True)
    except Refused:
        return schema
    names = {table for table, _ in read}
    kept = [(table, name) for table in schema if (name := _name(table, schema)) in names]
    tables = (
        replace(table, columns=tuple(c for c in table.columns if (name, c.name) in read or c.primary_key))
        if columns
        else table
        for table, name in kept
    )
    return replace(schema, tables=tuple(map(_with_its_keys, tables))) if kept else schema


def _name(table: Table, schema: Schema) -> str:
    return table.name if table.schema in ("", schema.default_schema) else f"{table.schema}.{table.name}"


def _with_its_keys(table: Table) -> Table:
    """The table without foreign keys over columns that it no longer has."""
    names = {column.name for column in table.columns}
    return replace(table, foreign_keys=tuple(key for key in table.foreign_keys if names.issuperset(key.columns)))


class Revealed:
    """A database of which no more is seen than `shown`; it still answers every query."""

    def __init__(self, database: Database, shown: Schema) -> None:
        self.database = database
        self.shown = shown
        self.dialect = database.dialect
        self.name = database.name

    def schema(self) -> Schema:
        return self.shown

    def fingerprint(self) -> str:
        return self.database.fingerprint()

    def execute(self, sql: str, limits: Limits = Limits()) -> Rows:
        return self.database.execute(sql, limits)

    def stream(self, sql: str, limits: Limits = Limits()) -> AbstractContextManager[RowStream]:
        return self.database.stream(sql, limits)

    def close(self) -> None:
        self.database.close()
