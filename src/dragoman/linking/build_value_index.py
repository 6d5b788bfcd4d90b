"""Makes the index of the values that a question may name: distinct short texts of every text column."""

from __future__ import annotations

import hashlib
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path

from dragoman.databases import Database, Limits
from dragoman.errors import QueryError, QueryTimeout, Refused
from dragoman.linking.one_edit import half_keys
from dragoman.linking.value_index import FORMAT, ValueIndex, fold, whole_key
from dragoman.linking.words import words
from dragoman.schema import Column, Schema, Table
from dragoman.schema.render import quoted

Progress = Callable[[int, int], None]
"""(columns read, columns in all)."""

KEPT = 300
"""Indexes in a folder; those not used for longest are deleted."""
LONGEST_VALUE = 60
"""Characters; longer texts are prose, not values that a question would name."""

_TEXTUAL = re.compile(r"char|text|clob|string|enum|^$", re.IGNORECASE)
_TABLES = """
    CREATE TABLE place (id INTEGER PRIMARY KEY, namespace TEXT, "table" TEXT, "column" TEXT, first INTEGER);
    CREATE TABLE name_word (word TEXT PRIMARY KEY);
    CREATE TABLE named_value (value TEXT, place INTEGER, whole INTEGER, head INTEGER, tail INTEGER);
"""
_INDEXES = """
    CREATE INDEX by_whole ON named_value (whole);
    CREATE INDEX by_head ON named_value (head);
    CREATE INDEX by_tail ON named_value (tail);
"""


def open_value_index(database: Database, folder: Path, progress: Progress | None = None) -> ValueIndex:
    """The index of the database as it is now, from `folder`, built if it is not there.

    The file is named after the fingerprint and the columns that may be read, so that one account never sees
    values that only another one may read.
    """
    columns = "\n".join(f"{'.'.join(table.full_name)}.{column.name}" for table, column in _columns(database.schema()))
    digest = hashlib.sha256(columns.encode("utf-8", "surrogatepass")).hexdigest()
    path = folder / f"{database.fingerprint()[:32]}-{digest[:8]}-{FORMAT}.sqlite"
    if not path.exists():
        build_value_index(database, path, progress=progress)
    path.touch()
    _forget_old(folder)
    return ValueIndex(path)


def build_value_index(
    database: Database,
    path: Path,
    per_column: int = 3000,
    seconds: float = 2.0,
    most: int = 1_000_000,
    progress: Progress | None = None,
) -> ValueIndex:
    """Read the distinct values of every text column and write the index whole or not at all.

    Bounded: `per_column` distinct values a column, `most` in all. A column that cannot be read within `seconds` is
    left out; nothing is fatal.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.{id(database):x}.part")
    columns = list(_columns(database.schema()))
    with closing(sqlite3.connect(part)) as index:
        index.executescript(f"PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;{_TABLES}")
        index.executemany(
            "INSERT INTO name_word VALUES (?)", ((word,) for word in sorted(_name_words(database.schema())))
        )
        written = 0
        for place, (table, column) in enumerate(columns):
            where = (place, table.schema, table.name, column.name, written + 1)
            index.execute("INSERT INTO place VALUES (?, ?, ?, ?, ?)", where)
            values = _distinct(database, table, column, min(per_column, most - written), seconds)
            index.executemany("INSERT INTO named_value VALUES (?, ?, ?, ?, ?)", (_row(v, place) for v in values))
            written += len(values)
            if progress is not None:
                progress(place + 1, len(columns))
        index.commit()
        index.executescript(f"{_INDEXES}PRAGMA user_version = {FORMAT};")
    part.replace(path)
    return ValueIndex(path)


def _name_words(schema: Schema) -> set[str]:
    names = {name for table in schema for name in (table.name, *(column.name for column in table.columns))}
    return {word for name in names for word in words(name)}


def _columns(schema: Schema) -> Iterator[tuple[Table, Column]]:
    """The text columns of tables."""
    return (
        (table, column)
        for table in schema
        for column in table.columns
        if table.kind == "table" and _TEXTUAL.search(column.type)
    )


def _distinct(database: Database, table: Table, column: Column, most: int, seconds: float) -> list[str]:
    name = ".".join(quoted(part, database.dialect) for part in table.full_name)
    sql = f"SELECT DISTINCT {quoted(column.name, database.dialect)} FROM {name}"
    try:
        rows = database.execute(sql, Limits(rows=most, seconds=seconds))
    except (QueryError, QueryTimeout, Refused):
        return []
    return [
        value
        for (value,) in rows
        if isinstance(value, str) and 2 <= len(value) <= LONGEST_VALUE and value.isprintable()
    ]


def _forget_old(folder: Path) -> None:
    with suppress(OSError):
        for path in sorted(folder.glob("*.sqlite"), key=lambda path: -path.stat().st_mtime)[KEPT:]:
            path.unlink()


def _row(value: str, place: int) -> tuple[str, int, int, int, int]:
    folded = fold(value)
    return value, place, whole_key(folded), *half_keys(folded)
