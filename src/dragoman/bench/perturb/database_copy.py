"""A copy of a SQLite database in which columns or tables have other names and all data are the same bytes."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

from dragoman.errors import SetupError


def copy_renamed(source: Path, target: Path, renamed: Mapping[tuple[str, str], str]) -> None:
    """Copy `source` to `target`, then rename; `renamed` maps (table, column), and (table, ""), to the new name.

    Indexes, triggers, views and foreign keys follow. The copy appears under its name only when it is whole. Raises
    `SetupError` where SQLite cannot rename a column or table.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    fresh = target.with_name(f"{target.name}.{os.getpid()}")
    fresh.unlink(missing_ok=True)
    uri = f"file:{quote(str(source.resolve()))}?mode=ro"
    try:
        with closing(sqlite3.connect(uri, uri=True)) as old, closing(sqlite3.connect(fresh)) as new:
            old.backup(new)
            new.isolation_level = None
            new.execute("BEGIN")
            for (table, column), name in sorted(renamed.items(), key=lambda item: not item[0][1]):
                what = f"RENAME COLUMN {_quoted(column)} TO" if column else "RENAME TO"
                new.execute(f"ALTER TABLE {_quoted(table)} {what} {_quoted(name)}")
            new.execute("COMMIT")
        os.replace(fresh, target)
    except sqlite3.Error as error:
        fresh.unlink(missing_ok=True)
        raise SetupError(
            f"{source} cannot be copied with renamed columns ({error}). Leave this database out."
        ) from None


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
