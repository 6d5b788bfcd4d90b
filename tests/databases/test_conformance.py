"""One suite for every engine, run on the engine alone: no guard stands in front of it here.

What an engine cannot do is in `GAPS`, with the reason; a gap that closes fails here until it is taken off the list.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from dragoman.databases.database import Engine, Limits, View
from dragoman.databases.guarded_database import GuardedDatabase
from dragoman.databases.values import to_csv, to_json, to_text
from dragoman.errors import QueryError, QueryTimeout
from dragoman.schema import Schema, Table
from dragoman.sql.quote import quote_always
from tests.databases.engine_values import VALUES
from tests.databases.places import PLACES, Place

GAPS: dict[tuple[str, str], str] = {
    ("test_views_of_a_session_shadow_tables", "mariadb"): "MariaDB has no temporary views",
    ("test_names_that_differ_in_case_are_two_tables", "sqlite"): "SQLite folds the case of names",
    ("test_names_that_differ_in_case_are_two_tables", "duckdb"): "DuckDB folds the case of names",
    ("test_no_statement_is_an_error", "sqlite"): "SQLite runs an empty statement and gives no columns",
    ("test_comments_are_read", "sqlite"): "SQLite keeps no comments but those inside its DDL",
    ("test_json_columns_show_their_paths", "sqlite"): "SQLite has no JSON columns, only text that may hold JSON",
    ("test_several_schemas_are_seen", "sqlite"): "a SQLite file is one schema",
    ("test_row_estimates_are_given", "sqlite"): "SQLite counts rows only where ANALYZE has been run",
    ("test_a_new_column_is_noticed", "duckdb"): "a DuckDB file that is open for reading cannot be written",
}

NAMES = [
    "two words", "dot.ted", 'quo"te', "tick`ed", "apo'strophe", "select", "order", "rank", "extract", "sum", "größe",
    "表", "Mixed", "semi;colon", "per%cent", "new\nline", "brace{}", "back\\slash", "x" * 60, "-- dash", "🙂",
]  # fmt: skip


@pytest.fixture(params=list(PLACES))
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    test = getattr(request.node, "originalname", request.node.name)
    if reason := GAPS.get((test, request.param)):
        request.applymarker(pytest.mark.xfail(strict=True, reason=reason))
    with PLACES[request.param](tmp_path) as made:
        yield made


@pytest.fixture
def numbers(place: Place) -> Iterator[Engine]:
    """A table `numbers` with n = 1 to 2000 and s = 'n<number>'."""
    rows = ", ".join(f"({n}, 'n{n}')" for n in range(1, 2001))
    place.write(["CREATE TABLE numbers (n INTEGER, s VARCHAR(20))", f"INSERT INTO numbers VALUES {rows}"])
    engine = place.open()
    yield engine
    engine.close()


def fetch(engine: Engine, sql: str, seconds: float | None = 20) -> list[tuple[Any, ...]]:
    with engine.stream(sql, seconds) as stream:
        return [tuple(row) for batch in stream for row in batch]


def unguarded(engine: Engine) -> GuardedDatabase:
    return GuardedDatabase(engine, lambda sql, schema, dialect: None)


def table(schema: Schema, name: str) -> Table:
    found = schema.table(name)
    assert found is not None, f"{name} is not among {[t.name for t in schema]}"
    return found


def usable(name: str, engine: str) -> bool:
    return not (engine == "mariadb" and ("🙂" in name or len(name) > 64))  # names hold three-byte characters at most


def test_every_name_is_kept_and_can_be_selected(place: Place) -> None:
    dialect = {"mariadb": "mysql"}.get(place.engine, place.engine)
    names = [name for name in NAMES if usable(name, place.engine)]
    quoted = [quote_always(name, dialect) for name in names]
    columns = ", ".join(f"{name} INTEGER" for name in quoted)
    place.write([f"CREATE TABLE {name} (x INTEGER)" for name in quoted])
    place.write([f"CREATE TABLE everything ({columns})", f"INSERT INTO everything ({quoted[0]}) VALUES (7)"])
    engine = place.open()
    schema = engine.schema()
    assert {t.name for t in schema} == {*names, "everything"}
    assert [c.name for c in table(schema, "everything").columns] == names
    for name in quoted:
        assert fetch(engine, f"SELECT {name} FROM everything") == [(7 if name == quoted[0] else None,)]
        assert fetch(engine, f"SELECT count(*) FROM {name}") == [(0,)]
    with engine.stream(f"SELECT {', '.join(quoted)} FROM everything", 20) as stream:
        assert stream.columns == tuple(names)
    engine.close()


def test_names_that_differ_in_case_are_two_tables(place: Place) -> None:
    mark = "`" if place.engine == "mariadb" else '"'
    place.write([f"CREATE TABLE {mark}{name}{mark} (x INTEGER)" for name in ("thing", "Thing")])
    engine = place.open()
    assert {"thing", "Thing"} <= {t.name for t in engine.schema()}
    engine.close()


def test_keys_and_views_are_read(place: Place) -> None:
    place.write([
        "CREATE TABLE parent (a INTEGER NOT NULL, b INTEGER NOT NULL, c INTEGER UNIQUE, PRIMARY KEY (b, a))",
        """CREATE TABLE child (
             id INTEGER PRIMARY KEY, x INTEGER NOT NULL, y INTEGER DEFAULT 3, u INTEGER, v INTEGER,
             FOREIGN KEY (x, y) REFERENCES parent (b, a), UNIQUE (u, v))""",
        "CREATE VIEW seen AS SELECT x AS renamed FROM child",
    ])  # fmt: skip
    engine = place.open()
    schema = engine.schema()
    parent, child, seen = table(schema, "parent"), table(schema, "child"), table(schema, "seen")
    assert parent.primary_key == ("b", "a")
    assert parent.unique == (("c",),)
    assert [(k.columns, k.target, k.target_columns) for k in child.foreign_keys] == [(("x", "y"), "parent", ("b", "a"))]
    assert ("u", "v") in child.unique
    assert [(c.name, c.nullable) for c in child.columns][1:3] == [("x", False), ("y", True)]
    assert str(child.column("y").default) == "3"  # type: ignore[union-attr]
    assert (seen.kind, [c.name for c in seen.columns]) == ("view", ["renamed"])
    assert parent.kind == child.kind == "table"
    engine.close()


def test_comments_are_read(place: Place) -> None:
    if place.engine == "mariadb":
        place.write(["CREATE TABLE t (x INTEGER COMMENT 'about x') COMMENT 'about t'"])
    else:
        place.write(
            ["CREATE TABLE t (x INTEGER)", "COMMENT ON TABLE t IS 'about t'", "COMMENT ON COLUMN t.x IS 'about x'"]
        )
    engine = place.open()
    found = table(engine.schema(), "t")
    assert (found.comment, found.columns[0].comment) == ("about t", "about x")
    engine.close()


def test_json_columns_show_their_paths(place: Place) -> None:
    place.write(["CREATE TABLE t (j JSON, empty JSON)"])
    place.write(["""INSERT INTO t VALUES ('{"a": {"b": [1, {"c": null}]}, "d e": "x"}', NULL), ('{"a": 1.5}', NULL)"""])
    engine = place.open()
    j, empty = table(engine.schema(), "t").columns
    assert dict(j.nested) == {
        "a": "object|number",
        "a.b": "array",
        "a.b[]": "number",
        "a.b[].c": "null",
        "d e": "string",
    }
    assert (j.type.lower(), empty.nested) == ("json", ())
    engine.close()


def test_several_schemas_are_seen(place: Place) -> None:
    if place.engine == "mariadb":
        pytest.skip("in MariaDB a schema is a database; test_mariadb sees several of them")
    place.write(
        ["CREATE SCHEMA sales", "CREATE SCHEMA hr", "CREATE TABLE sales.t (a INTEGER)", "CREATE TABLE hr.t (b INTEGER)"]
    )
    if place.engine == "postgres":
        place.write(["GRANT USAGE ON SCHEMA sales, hr TO dragoman_reader"])
    engine = place.open()
    schema = engine.schema()
    assert {t.full_name for t in schema} == {("sales", "t"), ("hr", "t")}
    assert schema.table("t", "hr") is not None
    assert fetch(engine, "SELECT count(*) FROM hr.t") == [(0,)]
    engine.close()


def test_row_estimates_are_given(numbers: Engine, place: Place) -> None:
    if place.engine in ("postgres", "mariadb"):
        place.write(["ANALYZE numbers" if place.engine == "postgres" else "ANALYZE TABLE numbers"])
    engine = place.open()
    assert (table(engine.schema(), "numbers").rows or 0) > 1000
    engine.close()


def test_values_arrive_exactly(place: Place) -> None:
    engine = place.open()
    for expression, expected in VALUES["every"] + VALUES[place.engine]:
        (value,) = fetch(engine, f"SELECT {expression}")[0]
        same = value == expected or (isinstance(expected, Decimal) and expected.is_nan() and value.is_nan())
        assert same, f"{expression} gives {value!r}"
        assert type(value) is type(expected), f"{expression} gives {value!r}"
    engine.close()


def test_every_value_can_be_written(place: Place) -> None:
    engine = place.open()
    for expression, _ in VALUES["every"] + VALUES[place.engine]:
        (value,) = fetch(engine, f"SELECT {expression}")[0]
        assert isinstance(to_text(value), str)
        json.dumps(to_json(value), allow_nan=False)
        assert to_csv(["x"], [[value]]).startswith("x\n")
    engine.close()


def test_decimals_keep_their_scale(place: Place) -> None:
    if place.engine == "sqlite":
        pytest.skip("SQLite has no decimals")
    place.write(
        ["CREATE TABLE money (amount DECIMAL(30, 10))", "INSERT INTO money VALUES (12345678901234567890.0000000001)"]
    )
    engine = place.open()
    assert fetch(engine, "SELECT amount FROM money") == [(Decimal("12345678901234567890.0000000001"),)]
    engine.close()


def test_text_of_any_script_is_compared_as_it_is(place: Place) -> None:
    place.write(["CREATE TABLE t (s VARCHAR(100))", "INSERT INTO t VALUES ('Bảng Dự toán viên 2024'), ('漢字 🙂')"])
    engine = place.open()
    assert fetch(engine, "SELECT s FROM t WHERE s LIKE '%Dự toán viên%'") == [("Bảng Dự toán viên 2024",)]
    assert fetch(engine, "SELECT count(*) FROM t WHERE s = '漢字 🙂'") == [(1,)]
    engine.close()


def test_columns_of_one_name_are_kept_apart(place: Place) -> None:
    engine = place.open()
    with engine.stream("SELECT 1 AS a, 2 AS a, 3 AS b", 20) as stream:
        assert stream.columns == ("a", "a", "b")
        assert [tuple(row) for batch in stream for row in batch] == [(1, 2, 3)]
    engine.close()


def test_an_empty_result_has_its_columns(numbers: Engine) -> None:
    with numbers.stream("SELECT n, s FROM numbers WHERE n < 0", 20) as stream:
        assert stream.columns == ("n", "s")
        assert list(stream) == []


def test_truncation_is_a_fact(numbers: Engine) -> None:
    database = unguarded(numbers)
    for limit, expected in ((1999, True), (2000, False), (2001, False), (0, True)):
        rows = database.execute("SELECT n FROM numbers", Limits(rows=limit))
        assert (len(rows), rows.truncated) == (min(limit, 2000), expected)
    capped = database.execute("SELECT n, s FROM numbers", Limits(rows=None, bytes=1000))
    assert capped.truncated
    assert 10 < len(capped) < 100
    assert "20 s" in database.execute("SELECT 1", Limits(seconds=20)).enforced


def test_a_query_read_to_its_end_leaves_its_connection_for_the_next(place: Place) -> None:
    if place.engine not in ("postgres", "mariadb"):
        pytest.skip("no server")
    engine = place.open()
    session = "pg_backend_pid()" if place.engine == "postgres" else "connection_id()"
    first = fetch(engine, f"SELECT {session}")
    with pytest.raises(QueryError):
        fetch(engine, "SELECT nope FROM absent")
    assert fetch(engine, f"SELECT {session}") == first
    engine.close()


def test_a_stream_left_early_leaves_the_engine_usable(numbers: Engine) -> None:
    for _ in range(3):
        with numbers.stream("SELECT a.n FROM numbers a, numbers b", 20) as stream:
            assert next(iter(next(iter(stream)))) is not None
        assert fetch(numbers, "SELECT count(*) FROM numbers") == [(2000,)]


def test_one_statement_only(numbers: Engine) -> None:
    for sql in ("SELECT 1; SELECT 2", "SELECT 1; DELETE FROM numbers", "COMMIT; DELETE FROM numbers"):
        with pytest.raises(QueryError):
            fetch(numbers, sql)
    assert fetch(numbers, "SELECT 1;") == [(1,)]
    assert fetch(numbers, "SELECT 1 -- done") == [(1,)]
    assert fetch(numbers, "/* a */ SELECT 1 /* b */ ;  ") == [(1,)]
    assert fetch(numbers, "SELECT count(*) FROM numbers") == [(2000,)]


def test_no_statement_is_an_error(place: Place) -> None:
    engine = place.open()
    for sql in ("", ";", "-- nothing"):
        with pytest.raises(QueryError):
            fetch(engine, sql)
    engine.close()


@pytest.mark.parametrize(
    "sql",
    [
        "INSERT INTO numbers VALUES (1, 'x')",
        "UPDATE numbers SET n = 0",
        "DELETE FROM numbers",
        "DROP TABLE numbers",
        "ALTER TABLE numbers ADD COLUMN x INTEGER",
        "CREATE TABLE more (x INTEGER)",
        "CREATE TABLE more AS SELECT * FROM numbers",
        "CREATE INDEX i ON numbers (n)",
        "CREATE VIEW v AS SELECT 1",
        "TRUNCATE TABLE numbers",
        "EXPLAIN ANALYZE DELETE FROM numbers",
        "WITH d AS (DELETE FROM numbers RETURNING n) SELECT * FROM d",
        "BEGIN",
        "COMMIT",
    ],
)
def test_writing_is_stopped_by_the_engine_alone(numbers: Engine, sql: str) -> None:
    with pytest.raises(QueryError):
        fetch(numbers, sql)
    assert fetch(numbers, "SELECT count(*), sum(n) FROM numbers") == [(2000, 2001000)]
    assert [t.name for t in numbers.schema()] == ["numbers"]


def test_an_error_is_one_sentence_and_the_next_query_runs(numbers: Engine) -> None:
    for sql in ("SELEC 1", "SELECT nope FROM numbers", "SELECT * FROM absent", "SELECT n FROM numbers WHERE"):
        with pytest.raises(QueryError) as caught:
            fetch(numbers, sql)
        assert str(caught.value)
        assert "\n" not in str(caught.value)
        assert fetch(numbers, "SELECT 1") == [(1,)]


def test_the_deadline_ends_the_query_on_the_server(place: Place) -> None:
    engine = place.open()
    seen: list[str] = []
    watcher = threading.Timer(0.5, lambda: seen.extend(place.running()))
    watcher.start()
    started = time.monotonic()
    with pytest.raises(QueryTimeout, match="1 s"):
        fetch(engine, place.endless, 1)
    assert time.monotonic() - started < 20  # against a minute and more; the machine may be busy
    watcher.join()
    if place.engine in ("postgres", "mariadb"):
        assert len(seen) == 1, "the query was not seen on the server, so its end would prove nothing"
    deadline = time.monotonic() + 2
    while place.running() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert place.running() == []
    assert fetch(engine, "SELECT 1") == [(1,)]
    engine.close()


def test_a_deadline_that_passes_between_batches_ends_the_stream(numbers: Engine) -> None:
    def dawdle() -> None:
        with numbers.stream("SELECT a.n, b.s FROM numbers a, numbers b", 0.5) as stream:
            for _ in stream:
                time.sleep(0.01)

    with pytest.raises(QueryTimeout):
        dawdle()
    assert fetch(numbers, "SELECT 1") == [(1,)]


def test_threads_share_an_engine(numbers: Engine) -> None:
    wrong: list[object] = []

    def work(seed: int) -> None:
        for i in range(5):
            n = 1 + (seed * 131 + i * 17) % 2000
            if (rows := fetch(numbers, f"SELECT s FROM numbers WHERE n = {n}", 60)) != [(f"n{n}",)]:
                wrong.append(rows)
            numbers.schema()

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_close_leaves_no_session_behind(numbers: Engine, place: Place) -> None:
    assert fetch(numbers, "SELECT 1") == [(1,)]
    numbers.close()
    with pytest.raises(QueryError):
        fetch(numbers, "SELECT 1")
    numbers.close()
    deadline = time.monotonic() + 5
    while place.sessions() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert place.sessions() == 0


def test_the_fingerprint_follows_the_schema_and_stays_otherwise(place: Place) -> None:
    place.write(["CREATE TABLE t (a INTEGER)"])
    marks = []
    for statements in (["INSERT INTO t VALUES (1)"], ["ALTER TABLE t ADD COLUMN b INTEGER"], ["DROP TABLE t"]):
        engine = place.open()
        marks.append(engine.fingerprint())
        assert engine.fingerprint() == marks[-1]
        engine.close()
        place.write(statements)
    assert marks[1] != marks[2]
    engine = place.open()
    assert engine.fingerprint() not in marks
    engine.close()


def test_a_new_column_is_noticed(place: Place) -> None:
    place.write(["CREATE TABLE t (a INTEGER)"])
    engine = place.open()
    try:
        assert engine.schema() is engine.schema()
        assert len(table(engine.schema(), "t").columns) == 1
        place.write(["ALTER TABLE t ADD COLUMN b INTEGER"])
        patience = time.monotonic() + 60  # at once, but for a server so busy that asking is put off
        while len(table(engine.schema(), "t").columns) == 1 and time.monotonic() < patience:
            time.sleep(0.05)
        assert len(table(engine.schema(), "t").columns) == 2
    finally:
        engine.close()


def test_views_of_a_session_shadow_tables(numbers: Engine, place: Place) -> None:
    main = {"postgres": "public"}.get(place.engine, "main")
    views = [
        View("numbers", f"SELECT n AS number, s AS label FROM {main}.numbers"),
        View("Only New", f"SELECT count(*) AS c FROM {main}.numbers"),
    ]
    seen = numbers.with_views(views)
    assert fetch(seen, "SELECT label FROM numbers WHERE number = 7") == [("n7",)]
    assert fetch(seen, 'SELECT c FROM "Only New"') == [(2000,)]
    assert [c.name for c in table(seen.schema(), "numbers").columns] == ["number", "label"]
    assert table(seen.schema(), "Only New").kind == "view"
    assert seen.fingerprint() != numbers.fingerprint()
    with pytest.raises(QueryError):
        fetch(seen, "CREATE TEMP VIEW another AS SELECT 1")
    assert fetch(numbers, "SELECT s FROM numbers WHERE n = 7") == [("n7",)]
    assert [t.name for t in numbers.schema()] == ["numbers"]
    seen.close()


@pytest.mark.slow
def test_ten_thousand_queries_leak_nothing(numbers: Engine, place: Place) -> None:
    def used() -> int:
        return len(list(Path("/proc/self/fd").iterdir()))

    for _ in range(20):
        fetch(numbers, "SELECT 1")
    files = used()
    for i in range(10_000):
        assert fetch(numbers, f"SELECT s FROM numbers WHERE n = {1 + i % 2000}") == [(f"n{1 + i % 2000}",)]
    assert used() <= files + 2
    assert place.sessions() <= 1
