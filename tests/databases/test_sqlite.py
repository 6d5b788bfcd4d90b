"""SQLite: what is opened, what is seen, what is refused, and when a query ends."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from dragoman.databases import Database, Limits, View, connect
from dragoman.databases.sqlite import SQLiteEngine
from dragoman.errors import QueryError, QueryTimeout, SetupError

ENDLESS = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c"

DDL = """
CREATE TABLE "order" (
  id INTEGER PRIMARY KEY, "select" TEXT, "two words" TEXT, "dot.ted" REAL, "quo""te" BLOB, größe INT
);
CREATE TABLE "Straße 漢字" (k1 INT, k2 TEXT, PRIMARY KEY (k2, k1)) WITHOUT ROWID;
CREATE TABLE child (
  id INT REFERENCES "order",  -- no column named
  a INT, b TEXT,
  double INT GENERATED ALWAYS AS (a * 2) VIRTUAL,
  FOREIGN KEY (b, a) REFERENCES "Straße 漢字" (k2, k1),
  UNIQUE (a, b)
);
CREATE TABLE loose (x REFERENCES nowhere (y), z REFERENCES nowhere);
CREATE VIEW seen AS SELECT "two words" AS w FROM "order";
CREATE TABLE gone (a); CREATE VIEW broken AS SELECT a FROM gone; DROP TABLE gone;
INSERT INTO "order" VALUES (1, 'a', 'x y', 1.5, x'00ff', 9223372036854775807), (2, NULL, '', NULL, NULL, NULL);
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "shop.sqlite"
    with sqlite3.connect(path) as connection:
        connection.executescript(DDL)
        connection.execute("INSERT INTO \"order\" VALUES (3, CAST(x'66fc72' AS TEXT), 'ok', 2, NULL, 0)")
    connection.close()
    return path


@pytest.fixture
def database(path: Path) -> Iterator[Database]:
    database = connect(str(path))
    yield database
    database.close()


def test_schema_keeps_every_name_key_and_view(database: Database) -> None:
    schema = database.schema()
    order = schema.table("order")
    assert order is not None
    assert [c.name for c in order.columns] == ["id", "select", "two words", "dot.ted", 'quo"te', "größe"]
    assert order.primary_key == ("id",)
    composite = schema.table("Straße 漢字")
    assert composite is not None
    assert composite.primary_key == ("k2", "k1")
    child = schema.table("child")
    assert child is not None
    keys = {key.columns: (key.target, key.target_columns) for key in child.foreign_keys}
    assert keys == {("id",): ("order", ("id",)), ("b", "a"): ("Straße 漢字", ("k2", "k1"))}
    assert child.unique == (("a", "b"),)
    assert [c.name for c in child.columns if c.generated] == ["double"]
    loose = schema.table("loose")
    assert loose is not None
    assert {key.columns: key.target_columns for key in loose.foreign_keys} == {("x",): ("y",), ("z",): ()}
    view = schema.table("seen")
    assert view is not None
    assert view.kind == "view"
    assert [name for name, _ in schema.hidden] == ["broken"]


def test_schema_is_read_again_when_the_file_changes(path: Path, database: Database) -> None:
    before = database.fingerprint()
    assert database.schema().table("late") is None
    with sqlite3.connect(path) as writer:
        writer.execute("CREATE TABLE late (a)")
    writer.close()
    assert database.fingerprint() != before
    assert database.schema().table("late") is not None


def test_values_come_without_loss(database: Database) -> None:
    rows = database.execute('SELECT * FROM "order" ORDER BY id')
    assert rows.rows[0] == (1, "a", "x y", 1.5, b"\x00\xff", 9223372036854775807)
    assert rows.rows[1] == (2, None, "", None, None, None)
    text = rows.rows[2][1]
    assert text.encode("utf-8", "surrogateescape") == b"f\xfcr"


def test_duplicate_column_names_are_kept(database: Database) -> None:
    rows = database.execute('SELECT a.id, b.id, a.id AS "x" FROM "order" a JOIN "order" b ON a.id = b.id LIMIT 1')
    assert rows.columns == ("id", "id", "x")
    assert len(rows.rows[0]) == 3


@pytest.mark.parametrize(("limit", "kept", "truncated"), [(2, 2, True), (3, 3, False), (10, 3, False)])
def test_truncated_is_a_fact(database: Database, limit: int, kept: int, truncated: bool) -> None:
    rows = database.execute('SELECT id FROM "order"', Limits(rows=limit))
    assert (len(rows), rows.truncated) == (kept, truncated)


def test_bytes_are_capped_while_reading(database: Database) -> None:
    many = (
        "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 100000) SELECT hex(zeroblob(500)) FROM c"
    )
    rows = database.execute(many, Limits(rows=None, bytes=50_000))
    assert rows.truncated
    assert 40 <= len(rows) <= 50


def test_a_deadline_interrupts_and_the_connection_lives_on(database: Database) -> None:
    with pytest.raises(QueryTimeout, match=r"0\.2 s"):
        database.execute(ENDLESS, Limits(seconds=0.2))
    assert database.execute("SELECT 1").rows == ((1,),)


@pytest.mark.parametrize(
    "sql",
    [
        "ATTACH '{folder}/new.db' AS other",
        "PRAGMA query_only = OFF",
        "PRAGMA writable_schema = ON",
        "CREATE TABLE t (a)",
        "CREATE TEMP TABLE t (a)",
        "INSERT INTO loose VALUES (1, 2)",
        "UPDATE loose SET x = 1",
        "DELETE FROM loose",
        "DROP TABLE loose",
        "VACUUM INTO '{folder}/copy.db'",
        "SELECT load_extension('{folder}/x.so')",
        "SELECT writefile('{folder}/x', 'y')",
        "BEGIN IMMEDIATE",
        "REINDEX",
        "ANALYZE",
        "SELECT 1; DELETE FROM loose",
    ],
)
def test_the_second_lock_holds_alone(path: Path, sql: str) -> None:
    """The engine without the guard: nothing is written, wherever it tries to write."""
    before = path.read_bytes()
    engine = SQLiteEngine(path)
    with pytest.raises(QueryError), engine.stream(sql.format(folder=path.parent), 5.0) as rows:
        list(rows)
    engine.close()
    assert path.read_bytes() == before
    assert [p.name for p in path.parent.iterdir()] == [path.name]


def test_threads_share_a_database(database: Database) -> None:
    results: list[int] = []

    def read() -> None:
        results.extend(database.execute('SELECT count(*) FROM "order"').rows[0][0] for _ in range(50))

    threads = [threading.Thread(target=read) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [3] * 400


def test_ten_thousand_queries_leak_no_connection(path: Path) -> None:
    engine = SQLiteEngine(path)
    for _ in range(10_000):
        with engine.stream("SELECT 1", None) as rows:
            list(rows)
    assert len(engine._idle) == 1
    open_files = len(os.listdir("/proc/self/fd")) if Path("/proc/self/fd").exists() else 0
    engine.close()
    assert open_files < 200


def test_views_of_a_session_shadow_tables(path: Path) -> None:
    engine = SQLiteEngine(path).with_views([View("order", 'SELECT id, "two words" AS title FROM main."order"')])
    with engine.stream('SELECT title FROM "order" WHERE id = 1', 5.0) as rows:
        assert [row for batch in rows for row in batch] == [("x y",)]
    with pytest.raises(QueryError, match="no such column"), engine.stream('SELECT o."two words" FROM "order" o', 5.0):
        pass
    table = engine.schema().table("order")
    assert table is not None
    assert [c.name for c in table.columns] == ["id", "title"]
    engine.close()


def test_a_file_in_wal_mode_is_read_with_its_log(tmp_path: Path) -> None:
    path = tmp_path / "wal.db"
    writer = sqlite3.connect(path)
    writer.executescript("PRAGMA journal_mode = WAL; CREATE TABLE t (a); INSERT INTO t VALUES (1);")
    assert connect(str(path)).execute("SELECT a FROM t").rows == ((1,),)
    writer.execute("INSERT INTO t VALUES (2)")
    writer.commit()
    assert len(connect(str(path)).execute("SELECT a FROM t")) == 2
    writer.close()


def test_a_writer_in_another_process_is_waited_for_or_read_past(path: Path) -> None:
    writer = sqlite3.connect(path, isolation_level=None)
    writer.execute("BEGIN IMMEDIATE")
    writer.execute("INSERT INTO loose VALUES (7, 8)")
    assert connect(str(path)).execute("SELECT count(*) FROM loose").rows == ((0,),)
    writer.execute("COMMIT")
    writer.close()


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (None, "There is no file"),
        (b"", "is empty"),
        (b"hello, this is text and not a database at all", "not a SQLite database"),
        (os.urandom(8192), "not a SQLite database"),
        (b"SQLite format 3\0" + bytes(200), "Cannot read"),
    ],
)
def test_bad_files_get_one_clear_sentence(tmp_path: Path, content: bytes | None, sentence: str) -> None:
    path = tmp_path / "bad.sqlite"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(SetupError, match=sentence) as raised:
        connect(str(path))
    assert "\n" not in str(raised.value)


def test_a_damaged_file_is_an_error_and_not_a_crash(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[4096:] = os.urandom(len(data) - 4096)
    path.write_bytes(data)
    with pytest.raises((SetupError, QueryError), match=r"^[^\n]+$"):
        connect(str(path)).execute('SELECT * FROM "order"')


def test_a_folder_and_an_unknown_scheme(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match="is a folder"):
        connect(f"sqlite:///{tmp_path}")
    with pytest.raises(SetupError, match="No engine is known for oracle"):
        connect("oracle://scott:tiger@host/x")


def test_closing_is_clean(path: Path) -> None:
    database = connect(str(path))
    database.close()
    with pytest.raises(QueryError, match="closed"):
        database.execute("SELECT 1")


def test_interrupting_takes_no_longer_than_the_deadline_and_a_little(database: Database) -> None:
    started = time.monotonic()
    with pytest.raises(QueryTimeout):
        database.execute(ENDLESS, Limits(seconds=1.0))
    assert time.monotonic() - started < 30
