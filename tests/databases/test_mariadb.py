"""MariaDB: what only it has, what its lock stops, and how a lost or refused connection ends."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pymysql
import pytest

from dragoman.databases.mariadb import MariaDBEngine, open_mariadb
from dragoman.databases.url import parse_url
from dragoman.errors import QueryError, QueryTimeout, SetupError
from tests.databases.places import Place, mariadb_place
from tests.databases.servers import mariadb_urls


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    with mariadb_place(tmp_path) as made:
        yield made


@pytest.fixture
def engine(place: Place) -> Iterator[MariaDBEngine]:
    engine = open_mariadb(place.url)
    yield engine
    engine.close()


def fetch(engine: MariaDBEngine, sql: str, seconds: float | None = 20) -> list[tuple[Any, ...]]:
    with engine.stream(sql, seconds) as stream:
        return [row for batch in stream for row in batch]


def ask(place: Place, sql: str) -> list[tuple[Any, ...]]:
    url = parse_url(place.admin_url)
    connection = pymysql.connect(
        host=url.host, port=int(url.port), user=url.user, password=url.password, database=url.database
    )
    with connection, connection.cursor() as cursor:
        cursor.execute(sql)
        return list(cursor.fetchall())


def end_sessions(place: Place) -> None:
    name = parse_url(place.url).database
    where = f"db = '{name}' AND user LIKE '%reader'"
    for (session,) in ask(place, f"SELECT id FROM information_schema.processlist WHERE {where}"):
        place.write([f"KILL {session}"])


def test_types_and_relations_of_its_own(place: Place, engine: MariaDBEngine) -> None:
    place.write([
        """CREATE TABLE t (
             id INT PRIMARY KEY, e ENUM('a', 'b''c,d'), s SET('x', 'y'), j JSON, `j``k` JSON, l LONGTEXT,
             g INT AS (id + 1), d DECIMAL(20, 5) DEFAULT 1.5, u VARCHAR(10) UNIQUE)""",
        """CREATE TABLE p (a INT)
           PARTITION BY RANGE (a) (PARTITION low VALUES LESS THAN (10), PARTITION high VALUES LESS THAN MAXVALUE)""",
        "CREATE TABLE gone (x INT)", "CREATE VIEW broken AS SELECT x FROM gone", "DROP TABLE gone",
    ])  # fmt: skip
    schema = engine.schema()
    found = {table.name: table for table in schema}
    assert set(found) == {"p", "t"}
    columns = {column.name: column for column in found["t"].columns}
    assert (columns["e"].values, columns["s"].values) == (("a", "b'c,d"), ("x", "y"))
    assert [columns[name].type for name in ("j", "j`k", "l")] == ["json", "json", "longtext"]
    assert (columns["g"].generated, columns["d"].generated, columns["d"].default) == (True, False, "1.50000")
    assert found["p"].members == ("low", "high")
    assert [name.split(".")[1] for name, _ in schema.hidden] == ["broken"]


def test_without_a_database_all_of_them_are_seen(place: Place) -> None:
    place.write(["CREATE TABLE t (x INT)"])
    name = parse_url(place.url).database
    engine = open_mariadb(place.url.removesuffix(name))
    found = engine.schema().table("t", name)
    assert found is not None
    assert found.full_name == (name, "t")
    assert fetch(engine, f"SELECT count(*) FROM {name}.t") == [(0,)]
    engine.close()


@pytest.mark.parametrize(
    "sql",
    [
        "/*!50000 DELETE FROM t */",
        "/*M! DELETE FROM t */",
        "/* /* */ DELETE FROM t -- */ SELECT 1",
        "SET SESSION TRANSACTION READ WRITE",
        "SET GLOBAL read_only = 1",
        "SELECT a FROM t INTO OUTFILE '/tmp/dragoman-outfile'",
        "SELECT a FROM t INTO DUMPFILE '/tmp/dragoman-outfile'",
        "SELECT a FROM t INTO @x",
        "LOAD DATA LOCAL INFILE '/etc/passwd' INTO TABLE t",
        "HANDLER t OPEN",
        "LOCK TABLES t WRITE",
        "KILL 1",
        "CALL p()",
        "SELECT f()",
        "DO SLEEP(100)",
        "SELECT nextval(s)",
        "ANALYZE TABLE t",
        "EXECUTE IMMEDIATE 'DELETE FROM t'",
        "BEGIN NOT ATOMIC DELETE FROM t; END",
    ],
)
def test_its_lock_holds(place: Place, engine: MariaDBEngine, sql: str) -> None:
    place.write([
        "CREATE TABLE t (a INT)", "INSERT INTO t VALUES (1)", "CREATE SEQUENCE s",
        "CREATE FUNCTION f() RETURNS INT BEGIN DELETE FROM t; RETURN 1; END", "CREATE PROCEDURE p() DELETE FROM t",
    ])  # fmt: skip
    with pytest.raises(QueryError):
        fetch(engine, sql)
    assert ask(place, "SELECT count(*), max(a) FROM t") == [(1, 1)]
    assert ask(place, "SELECT next_not_cached_value FROM s") == [(1,)]
    assert not Path("/tmp/dragoman-outfile").exists()


def test_files_of_the_server_stay_closed(engine: MariaDBEngine) -> None:
    assert fetch(engine, "SELECT load_file('/etc/passwd')") == [(None,)]


def test_locks_of_a_query_end_with_it(place: Place, engine: MariaDBEngine) -> None:
    assert fetch(engine, "SELECT get_lock('dragoman-test', 1)") == [(1,)]
    assert ask(place, "SELECT get_lock('dragoman-test', 10), release_lock('dragoman-test')") == [(1, 1)]


@pytest.mark.parametrize("sql", ["SELECT SLEEP(60)", "SELECT BENCHMARK(100000000000, MD5('a'))"])
def test_a_killed_statement_that_gives_a_row_is_still_a_timeout(place: Place, engine: MariaDBEngine, sql: str) -> None:
    with pytest.raises(QueryTimeout):
        fetch(engine, sql, 0.5)
    assert fetch(engine, "SELECT 1") == [(1,)]


def test_quotes_and_bars_mean_what_the_dialect_says(place: Place) -> None:
    place.write(["CREATE TABLE t (a INT)", "INSERT INTO t VALUES (1)"])
    ask(place, "SET GLOBAL sql_mode = 'ANSI_QUOTES,PIPES_AS_CONCAT'")
    try:
        engine = open_mariadb(place.url)
        assert fetch(engine, """SELECT "a", 1 || 0 FROM t""") == [("a", 1)]
        engine.close()
    finally:
        ask(place, "SET GLOBAL sql_mode = DEFAULT")


def test_a_server_that_restarted_between_two_questions_is_not_noticed(place: Place, engine: MariaDBEngine) -> None:
    assert fetch(engine, "SELECT 1") == [(1,)]
    end_sessions(place)
    assert fetch(engine, "SELECT 2") == [(2,)]
    end_sessions(place)
    assert engine.schema().tables == ()


def test_a_connection_dropped_in_the_middle_of_a_fetch_is_one_sentence(place: Place, engine: MariaDBEngine) -> None:
    def interrupted() -> None:
        with engine.stream("SELECT repeat('x', 1000) FROM seq_1_to_10000000", 60) as stream:
            for number, _ in enumerate(stream):
                if number == 0:
                    end_sessions(place)

    with pytest.raises(QueryError) as caught:
        interrupted()
    assert "\n" not in str(caught.value)
    assert fetch(engine, "SELECT 1") == [(1,)]


SECRET = "t0p-secret/%@:ü"


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"host": "nowhere.invalid"}, "Check the host name"),
        ({"port": "1"}, "Check host and port"),
        ({"password": SECRET}, "Check the user, the password"),
        ({"database": "absent"}, "Check the user, the password and what the login may reach"),
        ({"options": "?ssl-mode=REQUIRED"}, "Turn TLS on at the server"),
        ({"options": "?ssl-mode=SOMETIMES"}, "Use DISABLED"),
        ({"options": "?ssl-ca=/nowhere.pem"}, "Check ssl-ca"),
        ({"options": "?nonsense=1"}, "options that are not known"),
        ({"port": "many"}, "port"),
    ],
)
def test_a_connection_that_cannot_be_made_is_one_sentence_without_secrets(change: dict[str, str], says: str) -> None:
    url = parse_url(mariadb_urls()[0])
    parts = {"user": url.user, "password": url.password, "host": url.host, "port": url.port, "database": "dragoman"}
    parts |= change
    login = f"{parts['user']}:{quote(parts['password'], safe='')}"
    text = f"mariadb://{login}@{parts['host']}:{parts['port']}/{parts['database']}{parts.get('options', '')}"
    with pytest.raises(SetupError) as caught:
        open_mariadb(text)
    message = str(caught.value)
    assert says in message
    assert "\n" not in message
    assert parts["password"] not in message
    assert quote(parts["password"], safe="") not in message


@pytest.mark.slow
def test_a_killed_client_leaves_nothing_running_longer_than_its_timeout(place: Place) -> None:
    code = f"""
from dragoman.databases.mariadb import open_mariadb
with open_mariadb({place.url!r}).stream({place.endless!r}, 4) as stream:
    list(stream)
"""
    client = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.DEVNULL)
    waited = time.monotonic() + 30
    while not (seen := place.running()) and time.monotonic() < waited:
        time.sleep(0.05)
    assert seen
    client.send_signal(signal.SIGKILL)
    client.wait()
    started = time.monotonic()
    while place.running() and time.monotonic() < started + 30:
        time.sleep(0.05)
    assert place.running() == []


def test_views_of_a_session_are_a_declared_gap(engine: MariaDBEngine) -> None:
    with pytest.raises(SetupError, match="no temporary views"):
        engine.with_views([])
