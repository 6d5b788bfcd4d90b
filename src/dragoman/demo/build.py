"""Make the demo database."""

from __future__ import annotations

import hashlib
import os
import sqlite3
import struct
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import closing
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from dragoman.demo.company import company
from dragoman.demo.settle import settle
from dragoman.demo.traffic import EXPERIMENT_MONTH, MONTHS
from dragoman.errors import SetupError

EDITION = 1
"""Goes up whenever the rows or the schema change, so that no cache keeps an older database."""

_APPLICATION = 0x44524147
_PAGE_SIZE = 4096


def open_demo(cache_dir: Path) -> Path:
    """The path of the demo database below `cache_dir`, made on first use (a few seconds) or if it is damaged.

    Raises `SetupError` where the folder cannot be written.
    """
    path = cache_dir / f"demo-{EDITION}" / "demo.sqlite"
    if not _is_whole(path):
        build(path)
    return path


def build(path: Path) -> None:
    """Write the demo database to `path`, the same bytes every time.

    The file appears in one piece: readers and other builders at the same time never see a part of it. `settle` takes
    out what depends on the version of SQLite; should a version lay out its pages in another way, `checksum` still
    compares the content.

    Raises `SetupError` where the folder cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".demo-", dir=path.parent) as folder:
            draft = Path(folder) / path.name
            _write(draft, company())
            os.replace(draft, path)
    except (OSError, sqlite3.OperationalError) as error:
        raise SetupError(f"Cannot write the demo database {path} ({error}). Choose another cache folder.") from None


def checksum(path: Path) -> str:
    """SHA-256 in hexadecimal of the schema and of every row in the order of the primary keys."""
    digest = hashlib.sha256()
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
        schema = connection.execute("SELECT type, name, sql FROM sqlite_master WHERE sql <> '' ORDER BY name")
        for kind, name, sql in schema.fetchall():
            digest.update(repr((kind, name, sql)).encode())
            if kind == "table":
                keys = connection.execute("SELECT name FROM pragma_table_info(?) WHERE pk ORDER BY pk", (name,))
                order = ", ".join(f'"{key}"' for (key,) in keys)
                for row in connection.execute(f'SELECT * FROM "{name}" ORDER BY {order}'):
                    digest.update(repr(row).encode())
    return digest.hexdigest()


def _write(path: Path, tables: Mapping[str, Sequence[NamedTuple]]) -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(_ddl())
        for name, rows in tables.items():
            places = ", ".join("?" * len(rows[0]))
            connection.executemany(f'INSERT INTO "{name}" VALUES ({places})', rows)
        connection.executescript(_text("views.sql"))
        connection.execute("VACUUM INTO ?", (str(path),))
    settle(path, _PAGE_SIZE)


def _ddl() -> str:
    pragmas = (
        f"PRAGMA page_size = {_PAGE_SIZE}; PRAGMA secure_delete = ON; "
        f"PRAGMA application_id = {_APPLICATION}; PRAGMA user_version = {EDITION};"
    )
    month = _text("events.sql")
    months = [month.replace("{month}", name) for name in MONTHS]
    drift = f"ALTER TABLE events_{EXPERIMENT_MONTH} ADD COLUMN experiment TEXT;"
    return "\n".join([pragmas, _text("schema.sql"), *months, drift])


def _text(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _is_whole(path: Path) -> bool:
    """Is this a file of this edition with as many pages as its header says?"""
    try:
        with path.open("rb") as file:
            header = file.read(100)
        size = path.stat().st_size
    except OSError:
        return False
    if len(header) < 100:
        return False
    pages, edition, application = struct.unpack(">28xI28xI4xI28x", header)
    return (size, edition, application) == (pages * _PAGE_SIZE, EDITION, _APPLICATION)
