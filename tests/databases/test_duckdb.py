"""DuckDB: data files as a database, and what its lock stops."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

from dragoman.databases import connect
from dragoman.databases.duckdb import DuckDBEngine, open_duckdb
from dragoman.errors import QueryError, SetupError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "the data"
    (folder / "events").mkdir(parents=True)
    writer = duckdb.connect()
    writer.execute(f"COPY (SELECT range AS id, {{'a b': range}} AS s FROM range(10)) TO '{folder}/orders.parquet'")
    for month in (1, 2):
        writer.execute(f"COPY (SELECT {month} AS month FROM range(3)) TO '{folder}/events/{month}.parquet'")
    (folder / "zip codes.csv").write_text('id,zip,note\n1,01234,\n2,00001,"a, ""b"""\n', encoding="utf-8")
    (folder / "people.json").write_text(json.dumps([{"name": "Zoë", "tags": ["x"]}, {"name": None, "tags": []}]))
    (folder / "people.csv").write_text("name\nAda\n")
    (folder / "readme.txt").write_text("not data")
    return folder


@pytest.fixture
def files(folder: Path) -> Iterator[DuckDBEngine]:
    engine = open_duckdb(str(folder))
    yield engine
    engine.close()


def fetch(engine: DuckDBEngine, sql: str) -> list[tuple[Any, ...]]:
    with engine.stream(sql, 20) as stream:
        return [row for batch in stream for row in batch]


def test_a_folder_of_files_is_a_database(files: DuckDBEngine) -> None:
    schema = files.schema()
    assert {t.name: (t.kind, t.rows, t.members) for t in schema} == {
        "orders": ("external", 10, ("orders.parquet",)),
        "events": ("external", 6, ("1.parquet", "2.parquet")),
        "zip codes": ("external", None, ("zip codes.csv",)),
        "people_csv": ("external", None, ("people.csv",)),
        "people_json": ("external", None, ("people.json",)),
    }
    orders = schema.table("orders")
    assert orders is not None
    assert orders.columns[1].nested == (("a b", "BIGINT"),)
    assert fetch(files, "SELECT month, count(*) FROM events GROUP BY ALL ORDER BY 1") == [(1, 3), (2, 3)]
    assert fetch(files, 'SELECT * FROM "zip codes" ORDER BY id') == [(1, "01234", None), (2, "00001", 'a, "b"')]
    assert fetch(files, "SELECT name, tags FROM people_json ORDER BY name NULLS LAST") == [("Zoë", ["x"]), (None, [])]


@pytest.mark.parametrize("name", ["orders.parquet", "zip codes.csv", "people.json"])
def test_one_file_is_a_database(folder: Path, name: str) -> None:
    database = connect(str(folder / name))
    assert [t.name for t in database.schema()] == [Path(name).stem]
    assert database.dialect == "duckdb"
    database.close()


def test_a_new_file_is_seen_and_a_changed_one_is_read_again(files: DuckDBEngine, folder: Path) -> None:
    before = files.fingerprint()
    (folder / "new.csv").write_text("q\n1\n")
    (folder / "people.csv").write_text("name\nAda\nBob\n")
    assert files.fingerprint() != before
    assert files.schema().table("new") is not None
    assert fetch(files, "SELECT * FROM new") == [(1,)]
    assert fetch(files, "SELECT count(*) FROM people_csv") == [(2,)]


@pytest.mark.parametrize(
    "sql",
    [
        "COPY orders TO '{folder}/orders.parquet'",
        "COPY (SELECT 1) TO '{folder}/people.csv' (USE_TMP_FILE false)",
        "EXPLAIN ANALYZE COPY (SELECT 1) TO '{folder}/people.csv' (USE_TMP_FILE false)",
        "WITH x AS (COPY (SELECT 1) TO '{folder}/people.csv' (USE_TMP_FILE false)) SELECT * FROM x",
        "EXPLAIN ANALYZE WITH x AS (COPY (SELECT 1) TO '{folder}/people.csv' (USE_TMP_FILE false)) SELECT * FROM x",
        "WITH y AS (WITH x AS (COPY (SELECT 1) TO '{folder}/people.csv' (USE_TMP_FILE false)) SELECT * FROM x) FROM y",
        "SELECT (WITH x AS (COPY (SELECT 1) TO '{folder}/people.csv' (USE_TMP_FILE false)) SELECT 1 FROM x)",
        "WITH x AS (COPY (SELECT 1) TO '{folder}/people.csv' (USE_TMP_FILE false)) PIVOT x ON Count USING count(*)",
        "/* EXPLAIN */ COPY (SELECT 1) TO '{folder}/people.csv' (USE_TMP_FILE false)",
        "COPY (SELECT 1) TO '{folder}/more.csv'",
        "CREATE TABLE t AS SELECT 1",
        "CREATE OR REPLACE VIEW orders AS SELECT 1",
        "DROP VIEW orders",
        "SET enable_external_access = true",
        "RESET lock_configuration",
        "PRAGMA enable_external_access = true",
        "ATTACH '{folder}/other.duckdb'",
        "ATTACH ':memory:' AS m",
        "INSTALL httpfs",
        "LOAD '/tmp/x.duckdb_extension'",
        "CALL pragma_version()",
        "EXPORT DATABASE '{folder}/all'",
        "IMPORT DATABASE '{folder}'",
        "SELECT * FROM read_text('/etc/passwd')",
        "SELECT * FROM '/etc/passwd'",
        "SELECT * FROM read_csv('{folder}/readme.txt')",
        "SELECT * FROM glob('/*')",
        "SELECT * FROM read_parquet('https://127.0.0.1/x.parquet')",
        "EXECUTE p",
        "PREPARE p AS SELECT 1",
        "VACUUM",
        "CHECKPOINT",
        "USE memory",
        "CREATE SECRET (TYPE s3)",
    ],
)
def test_the_lock_holds_over_files(files: DuckDBEngine, folder: Path, sql: str) -> None:
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    with pytest.raises(QueryError):
        fetch(files, sql.replace("{folder}", str(folder)))
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before
    assert fetch(files, "SELECT count(*) FROM orders") == [(10,)]


@pytest.mark.parametrize(
    "sql",
    [
        "FROM orders", "(SELECT 1) UNION ALL (SELECT 2)", "VALUES (1), (2)", "TABLE orders", "DESCRIBE orders",
        "EXPLAIN SELECT 1", "EXPLAIN ANALYZE SELECT 1",
        "WITH RECURSIVE r AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM r WHERE i < 3) SELECT * FROM r",
        "WITH c AS MATERIALIZED (SELECT 1) SELECT * FROM c", "SELECT 'COPY x TO y'",
        "PIVOT orders ON id USING count(*)", "PIVOT orders ON id IN (1, 2) USING count(*)", "SUMMARIZE orders",
        "SELECT id FROM orders QUALIFY row_number() OVER (ORDER BY id) = 1", "SELECT COLUMNS('i.*') FROM orders",
        "SELECT list_transform([1, 2], lambda x: x + 1)", "UNPIVOT (SELECT 1 AS a, 2 AS b) ON a, b",
        "SELECT * EXCLUDE (id) FROM orders", "SELECT * FROM orders ASOF JOIN orders AS o USING (id)",
        """SELECT '"type":"COPY_QUERY_NODE"' AS "type" """, "FROM orders SELECT id LIMIT 1",
    ],
)  # fmt: skip
def test_queries_of_every_shape_run(files: DuckDBEngine, sql: str) -> None:
    fetch(files, sql)


def test_intervals_are_exact_in_any_shape_of_query(files: DuckDBEngine) -> None:
    assert fetch(files, "SELECT INTERVAL '1 month' AS x, 1 AS x ORDER BY 2; -- done") == [("1 month", 1)]
    assert fetch(files, "FROM (VALUES (INTERVAL '2 years')) v(i) SELECT i") == [("2 years",)]
    assert fetch(files, "WITH c AS (SELECT INTERVAL '1 month' AS m) SELECT m FROM c /* x */") == [("1 month",)]


@pytest.mark.xfail(strict=True, reason="DuckDB's client gives an infinite date as the last one that Python has")
def test_infinite_dates_are_infinite(files: DuckDBEngine) -> None:
    assert fetch(files, "SELECT 'infinity'::DATE") == [("infinity",)]


@pytest.mark.xfail(strict=True, reason="DuckDB's client gives a month inside a list as 30 days")
def test_intervals_inside_lists_are_exact(files: DuckDBEngine) -> None:
    assert fetch(files, "SELECT [INTERVAL '1 month']") == [(["1 month"],)]


def test_a_file_that_is_no_database_is_one_sentence(tmp_path: Path) -> None:
    wrong = tmp_path / "x.duckdb"
    with pytest.raises(SetupError, match="There is no file"):
        open_duckdb(str(wrong))
    wrong.write_bytes(b"")
    with pytest.raises(SetupError, match="is empty"):
        open_duckdb(str(wrong))
    wrong.write_bytes(b"no database" * 1000)
    with pytest.raises(SetupError, match="Cannot read"):
        open_duckdb(str(wrong))
    with pytest.raises(SetupError, match="holds no data files"):
        open_duckdb(str(tmp_path))
    broken = tmp_path / "y.parquet"
    broken.write_bytes(b"no parquet")
    with pytest.raises(SetupError, match="Cannot read"):
        open_duckdb(str(broken))
    with pytest.raises(SetupError, match="needs a path"):
        open_duckdb("duckdb://")


def test_a_database_file_is_known_by_its_content(tmp_path: Path) -> None:
    path = tmp_path / "named-like-sqlite.db"
    duckdb.connect(str(path)).execute("CREATE TABLE t (a INT)").close()
    database = connect(str(path))
    assert database.dialect == "duckdb"
    database.close()


def test_a_file_that_another_process_writes_is_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "busy.duckdb"
    code = f"import duckdb, sys; c = duckdb.connect({str(path)!r}); print('open', flush=True); sys.stdin.read()"
    writer = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert writer.stdout is not None
    writer.stdout.readline()
    with pytest.raises(SetupError, match="in use by another process"):
        open_duckdb(str(path))
    writer.communicate(b"")


def test_enums_structs_and_generated_columns(tmp_path: Path) -> None:
    path = tmp_path / "types.duckdb"
    with duckdb.connect(str(path)) as writer:
        writer.execute("CREATE TYPE mood AS ENUM ('sad', 'b,''c')")
        writer.execute('CREATE TABLE t (m mood, s STRUCT("a b" INT, c STRUCT(d VARCHAR)[]), g INT AS (1 + 1), j JSON)')
    engine = open_duckdb(f"duckdb:///{path}")
    columns = {column.name: column for column in engine.schema().tables[0].columns}
    assert columns["m"].values == ("sad", "b,'c")
    assert columns["s"].nested == (("a b", "INTEGER"), ("c", "STRUCT(d VARCHAR)[]"), ("c[].d", "VARCHAR"))
    assert (columns["g"].generated, columns["j"].type) == (True, "JSON")
    engine.close()
