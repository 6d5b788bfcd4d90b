"""CREATE TABLE and COMMENT for DuckDB and PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

from dragoman.demo.warehouse.read_tables import ColumnSpec, TableSpec

Dialect = Literal["duckdb", "postgres"]


def ddl(specs: Iterable[TableSpec], dialect: Dialect) -> Iterator[str]:
    """One statement after the other: schemas, tables, and what is said on tables and columns.

    PostgreSQL gets JSONB where DuckDB has structs and JSON.
    """
    specs = tuple(specs)
    for schema in dict.fromkeys(spec.name.partition(".")[0] for spec in specs):
        yield f"CREATE SCHEMA {schema}"
    for spec in specs:
        yield f"CREATE TABLE {spec.name} ({', '.join(_column(column, dialect) for column in spec.columns)})"
        if spec.comment:
            yield f"COMMENT ON TABLE {spec.name} IS {_quoted(spec.comment)}"
        for column in spec.columns:
            if column.comment:
                yield f"COMMENT ON COLUMN {spec.name}.{column.name} IS {_quoted(column.comment)}"


def type_in(column: ColumnSpec, dialect: Dialect) -> str:
    """The column's type as the engine spells it."""
    return "JSONB" if dialect == "postgres" and (column.nested or column.type == "JSON") else column.type


def _column(column: ColumnSpec, dialect: Dialect) -> str:
    table, target = column.refers
    said = [column.name, type_in(column, dialect), "PRIMARY KEY" if column.key else ""]
    said.append(f"REFERENCES {table} ({target})" if table else "")
    return " ".join(filter(None, said))


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
