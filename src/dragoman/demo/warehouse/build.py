"""Make the warehouse in DuckDB."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path

from dragoman.demo.warehouse.ddl import ddl
from dragoman.demo.warehouse.draw import Row
from dragoman.demo.warehouse.fill import Filled, fill
from dragoman.demo.warehouse.read_tables import ColumnSpec, TableSpec
from dragoman.errors import SetupError

try:
    import duckdb
except ImportError:
    raise SetupError("The warehouse needs DuckDB. Install it with: pip install 'dragoman[duckdb]'.") from None

EDITION = 1
"""Goes up whenever the rows or the schema change, so that no cache keeps an older warehouse."""

_SMALLEST_BLOCK = 16384
"""Bytes; tables of a few rows and many fields would fill the usual blocks with nothing."""


def open_warehouse(cache_dir: Path) -> Path:
    """The path of the warehouse below `cache_dir`, made on first use (some seconds).

    Raises `SetupError` where the folder cannot be written.
    """
    path = cache_dir / f"warehouse-{EDITION}" / "warehouse.duckdb"
    if not path.exists():
        build_warehouse(path)
    return path


def build_warehouse(path: Path) -> None:
    """Write the warehouse to a DuckDB file at `path`, the same rows every time.

    The file appears in one piece: readers and other builders at the same time never see a part of it. Raises
    `SetupError` where the folder cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".warehouse-", dir=path.parent) as folder:
            draft = Path(folder) / path.name
            _write(draft, fill(), Path(folder) / "rows.json")
            os.replace(draft, path)
    except (OSError, duckdb.IOException) as error:
        raise SetupError(f"Cannot write the warehouse {path} ({error}). Choose another cache folder.") from None


def _write(path: Path, filled: Filled, rows_file: Path) -> None:
    """Tables of equal columns are read together, since each reading takes far longer than its few rows."""
    with duckdb.connect() as connection:
        place = str(path).replace("'", "''")
        connection.execute(f"ATTACH '{place}' AS warehouse (BLOCK_SIZE {_SMALLEST_BLOCK}); USE warehouse")
        connection.execute("SET force_compression = 'uncompressed'")  # trying all kinds takes longest
        connection.execute("BEGIN")
        for statement in ddl(filled, "duckdb"):
            connection.execute(statement)
        for columns, together in groupby(filled.items(), key=lambda item: item[0].columns):
            tables = list(together)
            rows_file.write_text("".join(_lines(tables)), encoding="utf-8")
            connection.execute(f"CREATE TEMP TABLE staged AS {_reading(rows_file, columns)}")
            for number, (spec, _) in enumerate(tables):
                names = ", ".join(column.name for column in columns)
                connection.execute(f"INSERT INTO {spec.name} SELECT {names} FROM staged WHERE table_number = {number}")
            connection.execute("DROP TABLE staged")
        connection.execute("COMMIT; USE memory; DETACH warehouse")


def _lines(tables: Iterable[tuple[TableSpec, Sequence[Row]]]) -> Iterator[str]:
    for number, (_, rows) in enumerate(tables):
        for row in rows:
            yield json.dumps({"table_number": number, **row}, default=str, ensure_ascii=False) + "\n"


def _reading(file: Path, columns: Sequence[ColumnSpec]) -> str:
    types = ", ".join(f"'{c.name}': '{c.type}'" for c in columns)
    place = str(file).replace("'", "''")
    return f"FROM read_json('{place}', format = 'newline_delimited', columns = {{'table_number': 'INTEGER', {types}}})"
