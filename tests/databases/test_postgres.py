"""PostgreSQL: what only it has, what its lock stops, and how a lost or refused connection ends."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psycopg
import pytest

from dragoman.databases.database import View
from dragoman.databases.postgres import PostgresEngine, open_postgres
from dragoman.databases.url import parse_url
from dragoman.errors import DragomanError, QueryError, QueryTimeout, SetupError
from dragoman.schema import ForeignKey, Schema
from dragoman.sql.quote import quote_table
from tests.databases.places import Place, postgres_place
from tests.databases.servers import is_embedded, postgres_urls

READER_SESSIONS = "FROM pg_stat_activity WHERE usename = 'dragoman_reader' AND datname = current_database()"


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    with postgres_place(tmp_path) as made:
        yield made


@pytest.fixture
def engine(place: Place) -> Iterator[PostgresEngine]:
    engine = open_postgres(place.url)
    yield engine
    engine.close()


def fetch(engine: PostgresEngine, sql: str, seconds: float | None = 20) -> list[tuple[Any, ...]]:
    with engine.stream(sql, seconds) as stream:
        return [row for batch in stream for row in batch]


def ask(place: Place, sql: str) -> list[tuple[Any, ...]]:
    with psycopg.connect(place.admin_url, autocommit=True) as connection:
        return connection.execute(sql.encode()).fetchall()


def columns(schema: Schema, table: str) -> dict[str, Any]:
    found = schema.table(table)
    assert found is not None
    return {column.name: column for column in found.columns}


def test_types_and_relations_of_its_own(place: Place, engine: PostgresEngine) -> None:
    place.write([
        "CREATE TYPE mood AS ENUM ('sad', 'so-so', 'it''s ok')",
        "CREATE DOMAIN moods AS mood[]",
        "CREATE TYPE address AS (street text, zip int, moods mood[])",
        ("CREATE TABLE person (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, m mood, ms moods, home address,"
        " past address[], extra jsonb, double int GENERATED ALWAYS AS (1 + 1) STORED, name varchar(20) NOT NULL)"),
        "CREATE UNIQUE INDEX ON person (name, m)",
        "CREATE UNIQUE INDEX ON person (m) WHERE m = 'sad'",
        "CREATE MATERIALIZED VIEW totals AS SELECT count(*) AS n FROM person",
        "CREATE TABLE event (day date, person int REFERENCES person) PARTITION BY RANGE (day)",
        ("CREATE TABLE event_2024 PARTITION OF event FOR VALUES FROM ('2024-01-01') TO ('2025-01-01')"
        " PARTITION BY LIST (person)"),
        "CREATE TABLE event_2024_1 PARTITION OF event_2024 FOR VALUES IN (1)",
    ])  # fmt: skip
    schema = engine.schema()
    assert [t.name for t in schema] == ["event", "person", "totals"]
    person = columns(schema, "person")
    assert person["m"].values == person["ms"].values == ("sad", "so-so", "it's ok")
    assert person["home"].nested == (("street", "text"), ("zip", "integer"), ("moods", "mood[]"))
    assert person["past"].nested == (("[].street", "text"), ("[].zip", "integer"), ("[].moods", "mood[]"))
    assert (person["extra"].type, person["name"].type) == ("jsonb", "character varying(20)")
    assert (person["double"].generated, person["id"].generated) == (True, False)
    found = {t.name: t for t in schema}
    assert found["person"].unique == (("name", "m"),)
    assert found["totals"].kind == "materialized view"
    assert found["event"].members == ("event_2024", "event_2024_1")
    assert found["event"].foreign_keys == (ForeignKey(("person",), "person", ("id",)),)


def test_what_the_account_may_not_see_is_reported_and_the_rest_works(place: Place, engine: PostgresEngine) -> None:
    place.write([
        "CREATE SCHEMA hr", "CREATE TABLE hr.salary (a int)", "CREATE TABLE hr.bonus (a int)",
        "CREATE TABLE open (a int, secret int, b int, FOREIGN KEY (b) REFERENCES open (a), UNIQUE (a))",
        "CREATE TABLE closed (a int)",
        "REVOKE ALL ON open, closed FROM dragoman_reader",
        "GRANT SELECT (a, b) ON open TO dragoman_reader",
    ])  # fmt: skip
    schema = engine.schema()
    assert [(t.name, [c.name for c in t.columns]) for t in schema] == [("open", ["a", "b"])]
    assert dict(schema.hidden) == {
        "public.closed": "no SELECT privilege",
        "public.open.secret": "no SELECT privilege",
        "hr": "no USAGE privilege on the schema, which holds 2 tables or views",
    }
    assert fetch(engine, "SELECT a, b FROM open") == []
    with pytest.raises(QueryError, match="permission denied"):
        fetch(engine, "SELECT secret FROM open")
    with pytest.raises(QueryError, match="permission denied"):
        fetch(engine, "SELECT * FROM hr.salary")


def test_capitals_survive_from_the_catalogue_to_a_query(place: Place, engine: PostgresEngine) -> None:
    place.write(
        [
            'CREATE SCHEMA "SCHEMA_1"',
            'CREATE TABLE "SCHEMA_1"."TABLE_A" ("Id" int)',
            'GRANT USAGE ON SCHEMA "SCHEMA_1" TO dragoman_reader',
        ]
    )
    schema = engine.schema()
    assert quote_table(schema.tables[0], schema) == '"SCHEMA_1"."TABLE_A"'
    assert fetch(engine, f"SELECT count(*) FROM {quote_table(schema.tables[0], schema)}") == [(0,)]


def test_views_of_a_session_need_the_temp_privilege(place: Place, engine: PostgresEngine) -> None:
    place.write([f"REVOKE TEMP ON DATABASE {parse_url(place.url).database} FROM PUBLIC"])
    with pytest.raises(SetupError, match="temporary"):
        engine.with_views([View("v", "SELECT 1 AS one")])
    assert fetch(engine, "SELECT 1") == [(1,)]


@pytest.mark.parametrize("login", ["reader", "admin"])
@pytest.mark.parametrize(
    "sql",
    [
        "SET TRANSACTION READ WRITE",
        "SELECT set_config('transaction_read_only', 'off', true)",
        "SELECT set_config('transaction_read_only', 'off', false)",
        "EXPLAIN SELECT 1; DELETE FROM t",
        "/* */ EXPLAIN ANALYZE INSERT INTO t VALUES (2)",
        "EXPLAIN ANALYZE WITH d AS (DELETE FROM t RETURNING a) SELECT * FROM d",
        "SELECT * INTO copy FROM t",
        "SELECT * FROM t FOR UPDATE",
        "SELECT nextval('s')",
        "COPY t TO '/tmp/x'",
        "CALL p()",
        "SELECT f()",
    ],
)
def test_its_lock_holds_for_any_login(place: Place, login: str, sql: str) -> None:
    place.write([
        "CREATE TABLE t (a int)", "INSERT INTO t VALUES (1)", "CREATE SEQUENCE s",
        "CREATE FUNCTION f() RETURNS int LANGUAGE sql SECURITY DEFINER AS 'DELETE FROM t RETURNING a'",
        "CREATE PROCEDURE p() LANGUAGE sql AS 'DELETE FROM t'",
    ])  # fmt: skip
    engine = open_postgres(place.url if login == "reader" else place.admin_url)
    with pytest.raises(QueryError):
        fetch(engine, sql)
    engine.close()
    assert ask(place, "SELECT (SELECT count(*) FROM t), (SELECT is_called FROM s)") == [(1, False)]


def test_settings_and_locks_do_not_outlive_their_query(place: Place) -> None:
    engine = open_postgres(place.admin_url)
    path = fetch(engine, "SELECT current_setting('search_path')")
    fetch(engine, "SELECT set_config('search_path', 'nowhere', false), set_config('dragoman.mark', 'x', false)")
    fetch(engine, "SELECT pg_advisory_lock(1)")
    assert fetch(engine, "SELECT current_setting('search_path')") == path
    assert fetch(engine, "SELECT current_setting('dragoman.mark', true)") in ([(None,)], [("",)])
    here = "database = (SELECT oid FROM pg_database WHERE datname = current_database())"
    assert ask(place, f"SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND {here}") == [(0,)]
    engine.close()


def test_a_query_cannot_lift_its_own_deadline(engine: PostgresEngine) -> None:
    sql = "SELECT set_config('statement_timeout', '0', false) || count(*) FROM generate_series(1, 10000000000) AS g"
    with pytest.raises(QueryTimeout):
        fetch(engine, sql, 0.5)


def test_a_server_that_restarted_between_two_questions_is_not_noticed(place: Place, engine: PostgresEngine) -> None:
    assert fetch(engine, "SELECT 1") == [(1,)]
    ask(place, f"SELECT pg_terminate_backend(pid) {READER_SESSIONS}")
    assert fetch(engine, "SELECT 2") == [(2,)]
    ask(place, f"SELECT pg_terminate_backend(pid) {READER_SESSIONS}")
    assert len(engine.schema().tables) == 0


def test_a_connection_dropped_in_the_middle_of_a_fetch_is_one_sentence(place: Place, engine: PostgresEngine) -> None:
    def interrupted() -> None:
        with engine.stream("SELECT repeat('x', 1000) FROM generate_series(1, 10000000)", 60) as stream:
            for _ in stream:
                ask(place, f"SELECT pg_terminate_backend(pid) {READER_SESSIONS}")

    with pytest.raises(QueryError) as caught:
        interrupted()
    assert "\n" not in str(caught.value)
    assert fetch(engine, "SELECT 1") == [(1,)]


def test_the_cost_is_the_planners_estimate(place: Place, engine: PostgresEngine) -> None:
    place.write(["CREATE TABLE t AS SELECT g AS a FROM generate_series(1, 1000) AS g", "ANALYZE t"])
    assert 0 < engine.cost("SELECT * FROM t") < engine.cost("SELECT * FROM t a, t b, t c")
    with pytest.raises(QueryError):
        engine.cost("SELECT 1; DELETE FROM t")


def test_text_without_an_encoding_is_kept(place: Place) -> None:
    name = parse_url(place.url).database + "_ascii"
    ask(place, "SELECT 1")
    place.write([f"CREATE DATABASE {name} ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0"])
    try:
        engine = open_postgres(place.admin_url.replace(parse_url(place.url).database, name))
        sql = r"""SELECT convert_from('\x66fc72'::bytea, 'SQL_ASCII'), 'für' AS "größe" """
        with engine.stream(sql, 20) as stream:
            assert stream.columns == ("convert_from", "größe")
            assert [row for batch in stream for row in batch] == [("f\udcfcr", "für")]
        engine.close()
    finally:
        place.write([f"DROP DATABASE {name} WITH (FORCE)"])


SECRET = "t0p-secret/%@:"


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"host": "nowhere.invalid"}, "Check the host name"),
        ({"port": "1"}, "Check host and port"),
        ({"password": SECRET}, "Check the user, the password"),
        ({"database": "absent"}, "Check the database name"),
        ({"options": "?sslmode=require"}, "Turn TLS on at the server"),
        ({"options": "?nonsense=1"}, "Check the options"),
        ({"port": "many"}, "port"),
    ],
)
def test_a_connection_that_cannot_be_made_is_one_sentence_without_secrets(change: dict[str, str], says: str) -> None:
    if is_embedded():
        pytest.skip("the packaged PostgreSQL has a socket only and asks for no password; make services has both")
    url = parse_url(postgres_urls()[0])
    parts = {"user": url.user, "password": url.password, "host": url.host, "port": url.port, "database": url.database}
    parts |= change
    login = f"{parts['user']}:{quote(parts['password'], safe='')}"
    text = f"postgresql://{login}@{parts['host']}:{parts['port']}/{parts['database']}{parts.get('options', '')}"
    with pytest.raises(SetupError) as caught:
        open_postgres(text)
    message = str(caught.value)
    assert says in message
    assert "\n" not in message
    assert parts["password"] not in message
    assert quote(parts["password"], safe="") not in message


def test_a_server_that_goes_away_is_an_error_of_the_query(place: Place) -> None:
    engine = open_postgres(place.url)
    ask(place, f"SELECT pg_terminate_backend(pid) {READER_SESSIONS}")
    place.write([f"REVOKE CONNECT ON DATABASE {parse_url(place.url).database} FROM PUBLIC"])
    with pytest.raises(DragomanError) as caught:
        fetch(engine, "SELECT 1")
    assert caught.value.exit_code == 1
    assert "\n" not in str(caught.value)
    engine.close()


@pytest.mark.slow
def test_a_killed_client_leaves_nothing_running_longer_than_its_timeout(place: Place) -> None:
    code = f"""
from dragoman.databases.database import View
from dragoman.databases.postgres import open_postgres
with open_postgres({place.url!r}).stream({place.endless!r}, 4) as stream:
    list(stream)
"""
    client = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.DEVNULL)
    waited = time.monotonic() + 30
    while not (seen := place.running()) and time.monotonic() < waited:
        time.sleep(0.05)
    assert seen
    started = time.monotonic()
    client.send_signal(signal.SIGKILL)
    client.wait()
    while place.running() and time.monotonic() < started + 30:
        time.sleep(0.05)
    assert place.running() == []


@pytest.mark.slow
def test_five_thousand_tables(place: Place, engine: PostgresEngine) -> None:
    create = "EXECUTE format('CREATE TABLE t%s (a int PRIMARY KEY, b text)', i)"
    make = f"DO $$ BEGIN FOR i IN {{0}}..{{1}} LOOP {create}; END LOOP; END $$"
    for start in range(0, 5000, 500):
        place.write([make.format(start, start + 499)])
    schema = engine.schema()
    assert len(schema.tables) == 5000
    assert schema.tables[-1].primary_key == ("a",)
    assert engine.schema() is schema
