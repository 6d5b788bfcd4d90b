"""Load the warehouse into a PostgreSQL database."""

from __future__ import annotations

import json
from typing import Any

from dragoman.demo.warehouse.ddl import ddl
from dragoman.demo.warehouse.fill import fill
from dragoman.demo.warehouse.read_tables import ColumnSpec
from dragoman.errors import SetupError

try:
    import psycopg
except ImportError:
    raise SetupError("PostgreSQL needs psycopg. Install it with: pip install 'dragoman[postgres]'.") from None


def load_postgres(url: str) -> None:
    """Create the schemas and tables of the warehouse in the database at `url`, with their rows, or nothing at all.

    Structs become JSONB, without the fields that are NULL. Raises `SetupError` for a database that cannot be written
    to, or that has one of the schemas already.
    """
    filled = fill()
    try:
        with psycopg.connect(url) as connection:
            for statement in ddl(filled, "postgres"):
                connection.execute(statement.encode())
            for spec, rows in filled.items():
                with connection.cursor().copy(f"COPY {spec.name} FROM STDIN".encode()) as copy:
                    for row in rows:
                        copy.write_row([_value(column, row[column.name]) for column in spec.columns])
            connection.execute("ANALYZE")
    except psycopg.Error as error:
        said = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise SetupError(f"Cannot load the warehouse ({said}). Give an empty database that you own.") from None


def _value(column: ColumnSpec, value: Any) -> Any:
    if value is not None and (column.nested or column.type == "JSON"):
        return json.dumps(_without_null(value), default=str, ensure_ascii=False)
    return value


def _without_null(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_null(item) for key, item in value.items() if item is not None}
    return [_without_null(item) for item in value] if isinstance(value, list) else value
