"""The query log, the access lists and the cost gate, on the way that every query takes."""

from __future__ import annotations

import datetime
import json
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dragoman.databases import connect
from dragoman.databases.database import Limits
from dragoman.databases.guarded_database import GuardedDatabase
from dragoman.databases.query_log import QueryLog, asking, read_log
from dragoman.errors import DragomanError, QueryError, Refused, SetupError
from dragoman.sql.access import AccessPolicy
from tests.databases.places import Place, postgres_place, sqlite_place

NOON = datetime.datetime(2026, 1, 2, 12, tzinfo=datetime.UTC)


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    with sqlite_place(tmp_path) as made:
        made.write(
            ["CREATE TABLE t (a INT, secret TEXT)", "INSERT INTO t VALUES (1, 'hush')", "CREATE TABLE hidden (b INT)"]
        )
        yield made


def run(database: Any, *queries: str) -> None:
    for sql in queries:
        try:
            database.execute(sql, Limits(rows=1))
        except DragomanError:
            continue


def test_every_query_is_written_with_its_verdict_and_no_values(place: Place, tmp_path: Path) -> None:
    log = QueryLog(tmp_path / "logs" / "queries.jsonl", clock=lambda: NOON)
    database = connect(place.url, log=log)
    with asking("how many?", "a model"):
        run(database, "SELECT a, secret FROM t", "DELETE FROM t")
    run(database, "SELECT nope FROM t", "SELECT 'a\nb'")
    with database.stream("SELECT secret FROM t") as stream:
        assert list(stream)
    lines = list(read_log(log.path))
    assert [line["verdict"] == "ran" for line in lines] == [True, False, False, True, True]
    first = lines[0]
    assert (first["time"], first["question"], first["model"]) == (
        "2026-01-02T12:00:00.000+00:00",
        "how many?",
        "a model",
    )
    assert (first["rows"], first["truncated"], first["limits"]["rows"]) == (1, False, 1)
    assert (lines[1]["question"], lines[2]["question"], lines[3]["sql"]) == ("how many?", "", "SELECT 'a\nb'")
    assert lines[1]["reason"]
    assert "hush" not in log.path.read_text()
    assert stat.S_IMODE(log.path.stat().st_mode) == 0o600


def test_values_are_written_where_asked(place: Place, tmp_path: Path) -> None:
    log = QueryLog(tmp_path / "queries.jsonl", values=True)
    run(connect(place.url, log=log), "SELECT secret FROM t")
    assert next(read_log(log.path))["result"] == [["hush"]]


def test_several_processes_write_whole_lines(tmp_path: Path) -> None:
    path = tmp_path / "queries.jsonl"
    code = f"""
from pathlib import Path
from dragoman.databases.query_log import QueryLog
log = QueryLog(Path({str(path)!r}))
for i in range(100):
    log.write({{"sql": str(i) * 3000}})
"""
    writers = [subprocess.Popen([sys.executable, "-c", code]) for _ in range(3)]
    assert [writer.wait(60) for writer in writers] == [0, 0, 0]
    lines = path.read_text().splitlines()
    assert len(lines) == 300
    assert sorted(json.loads(line)["sql"] for line in lines) == sorted([str(i) * 3000 for i in range(100)] * 3)
    path.write_text('{"sql": 1}\n{"sql": ')
    assert [line["sql"] for line in read_log(path)] == [1]


def test_a_log_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SetupError, match="Cannot write the query log"):
        QueryLog(tmp_path / "file" / "queries.jsonl")


def test_access_lists_hold_for_the_schema_and_for_queries(place: Place) -> None:
    database = connect(place.url, AccessPolicy(deny_tables=("hidden",), deny_columns=("t.secret",)))
    assert [(t.name, [c.name for c in t.columns]) for t in database.schema()] == [("t", ["a"])]
    assert database.schema() is database.schema()
    assert database.execute("SELECT a FROM t").rows == ((1,),)
    for sql in ("SELECT secret FROM t", "SELECT * FROM hidden", "SELECT * FROM t"):
        with pytest.raises(Refused):
            database.execute(sql)


def test_a_query_that_would_cost_too_much_is_refused_before_it_runs(tmp_path: Path) -> None:
    with postgres_place(tmp_path) as place:
        place.write(["CREATE TABLE t AS SELECT g AS a FROM generate_series(1, 1000) AS g", "ANALYZE t"])
        database = GuardedDatabase(place.open(), lambda sql, schema, dialect: None)
        cheap = database.execute("SELECT count(*) FROM t", Limits(cost=10_000))
        assert "estimated cost 10000" in cheap.enforced
        with pytest.raises(Refused, match="limit is 10000"):
            database.execute("SELECT count(*) FROM t a, t b, t c", Limits(cost=10_000))
        with pytest.raises(QueryError):
            database.execute("SELECT nope FROM t", Limits(cost=1))
        database.close()
