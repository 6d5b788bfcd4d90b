from __future__ import annotations

import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.demo.settle import settle

_PAGE_SIZE = 1024

_integers = st.integers(-(2**63), 2**63 - 1)
_text = st.text(st.characters(exclude_categories=["Cs"]), max_size=300)
_rows = st.lists(st.tuples(_integers, _text, st.binary(max_size=3_000)), max_size=60)


@settings(max_examples=40, deadline=None)
@given(rows=_rows, dropped=st.integers(2, 5))
def test_settling_keeps_every_row_and_is_stable(rows: list[tuple[int, str, bytes]], dropped: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "t.sqlite"
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.execute(f"PRAGMA page_size = {_PAGE_SIZE}")
            connection.execute("CREATE TABLE t (a INTEGER, b TEXT, c BLOB)")
            connection.execute("CREATE INDEX i ON t (b, a)")
            connection.executemany("INSERT INTO t VALUES (?, ?, ?)", rows)
            connection.execute("DELETE FROM t WHERE rowid % ? = 0", (dropped,))
            connection.execute("VACUUM")
        before = _content(path)
        settle(path, _PAGE_SIZE)
        once = path.read_bytes()
        assert _content(path) == before
        settle(path, _PAGE_SIZE)
        assert path.read_bytes() == once


def _content(path: Path) -> list[Any]:
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        by_index = connection.execute("SELECT b, a FROM t INDEXED BY i ORDER BY b, a").fetchall()
        return [connection.execute("SELECT rowid, * FROM t").fetchall(), by_index]
