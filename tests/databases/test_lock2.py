"""The second lock alone: the published attacks, with the guard off, do no harm.

Each attack runs on the engine with the least-privilege login. Harm is looked for, not guessed from an error: tables,
other objects, accounts, settings, other sessions, files, and what a query brings back of a file.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import pytest

from dragoman.databases.connect import open_engine
from dragoman.databases.database import Engine
from dragoman.errors import DragomanError
from tests.databases import servers
from tests.databases.places import PLACES, Place
from tests.databases.servers import settings
from tests.sql.corpus import Statement, corpus

DIALECTS = {"sqlite": "sqlite", "duckdb": "duckdb", "postgres": "postgres", "mysql": "mariadb"}
DEADLINE = 0.5
TABLES = [
    (
        "CREATE TABLE customers (id INTEGER PRIMARY KEY, name VARCHAR(50), email VARCHAR(50), city VARCHAR(50),"
        " country VARCHAR(50), created DATE, tags VARCHAR(50))"
    ),
    (
        "CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER, status VARCHAR(50), total INTEGER,"
        " placed DATE, details VARCHAR(50))"
    ),
    "INSERT INTO customers (id, name) VALUES (1, 'Ada'), (2, 'Bob')",
    "INSERT INTO orders (id, customer_id, total) VALUES (1, 1, 10), (2, 2, 20)",
]
SECRETS = ("root:x:0:", "daemon:x:")

POSTGRES_STATE = """
SELECT (SELECT md5(string_agg(c::text, '|' ORDER BY id)) FROM customers AS c),
       (SELECT md5(string_agg(o::text, '|' ORDER BY id)) FROM orders AS o),
       (SELECT count(*) FROM pg_class WHERE relnamespace <> 'pg_toast'::regnamespace AND relpersistence <> 't'),
       (SELECT count(*) FROM pg_proc), (SELECT count(*) FROM pg_extension),
       (SELECT count(*) FROM pg_largeobject_metadata),
       (SELECT md5(string_agg(r::text, '|' ORDER BY oid)) FROM pg_authid AS r),
       (SELECT count(*) FROM pg_db_role_setting), (SELECT count(*) FROM pg_foreign_server),
       (SELECT count(*) FROM pg_file_settings), (SELECT count(*) FROM pg_locks AS l
        WHERE l.locktype = 'advisory'
          AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())),
       (SELECT count(*) FROM pg_replication_slots),
       (SELECT md5(string_agg(relacl::text, '|' ORDER BY oid)) FROM pg_class)
"""
MARIADB_STATE = [
    "CHECKSUM TABLE customers, orders",
    "SELECT table_name, create_time FROM information_schema.tables WHERE table_schema = database() ORDER BY 1",
    "SELECT routine_name FROM information_schema.routines WHERE routine_schema = database()",
    "SELECT user, host, authentication_string, is_role FROM mysql.user ORDER BY 1, 2",
    (
        "SELECT variable_name, variable_value FROM information_schema.global_variables WHERE variable_name NOT IN"
        " ('gtid_binlog_pos', 'gtid_current_pos', 'sql_mode', 'timestamp') AND variable_name NOT LIKE 'innodb_buffer%'"
    ),
    "SELECT name FROM mysql.func UNION ALL SELECT name FROM mysql.plugin UNION ALL SELECT name FROM mysql.event",
]


@dataclass(frozen=True)
class Target:
    """A database to attack, a way to see its state, and a session of the same login that must stay alive."""

    place: Place
    engine: Engine
    folder: Path
    state: Callable[[], object]
    canary: Engine


ALL_POWERFUL = {
    "postgres": r"pg_read_file|pg_r\\0065ad_file|pg_create_physical_replication_slot",
    "mariadb": r"INTO OUTFILE|INTO DUMPFILE|load_file",
}
"""Engine -> attacks that an all-powerful login brings through, as no setting of the engine stops its functions."""


def attacks(engines: Sequence[str], gaps: Mapping[str, str]) -> list[Any]:
    """The attacks on those engines; one that matches a gap is expected to do harm."""
    found = []
    for number, attack in enumerate(corpus("attacks")):
        engine = DIALECTS.get(attack.dialect, "")
        if engine in engines:
            gap = engine in gaps and re.search(gaps[engine], attack.sql, re.IGNORECASE)
            marks = [pytest.mark.xfail(strict=True, reason="no setting stops it")] if gap else []
            found.append(pytest.param(attack, id=f"{engine}-{number}-{attack.sql.strip()[:40]}", marks=marks))
    return found


class Targets:
    """Targets by engine, each made when the first attack asks for it."""

    def __init__(self, folders: pytest.TempPathFactory, all_powerful: bool) -> None:
        self._folders = folders
        self._all_powerful = all_powerful
        self._made: dict[str, Target] = {}
        self._open = contextlib.ExitStack()

    def __getitem__(self, name: str) -> Target:
        if name not in self._made:
            folder = self._folders.mktemp(name)
            place = self._open.enter_context(PLACES[name](folder))
            place.write(TABLES)
            url = place.admin_url if self._all_powerful else place.url
            engine, canary = open_engine(url), open_engine(url)
            self._open.callback(engine.close)
            self._open.callback(canary.close)
            self._made[name] = Target(place, engine, folder, state_of(place, folder), canary)
        return self._made[name]

    def close(self) -> None:
        self._open.close()


@pytest.fixture(scope="module")
def readers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Targets]:
    targets = Targets(tmp_path_factory, all_powerful=False)
    yield targets
    targets.close()


@pytest.fixture(scope="module")
def owners(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Targets]:
    """The all-powerful login, on a PostgreSQL of its own, as it might end other people's sessions."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(servers, "settings", lambda: {k: v for k, v in settings().items() if "POSTGRES" not in k})
        patch.setattr(servers, "REQUIRED", False)  # the one from a package is meant, services or not
        targets = Targets(tmp_path_factory, all_powerful=True)
        yield targets
        targets.close()


def state_of(place: Place, folder: Path) -> Callable[[], object]:
    if place.engine == "postgres":
        connection = psycopg.connect(place.admin_url, autocommit=True)
        return lambda: (connection.execute(POSTGRES_STATE.encode()).fetchall(), server_files("postgres"))
    if place.engine == "mariadb":
        ask = place.ask
        return lambda: ([ask(query) for query in MARIADB_STATE], server_files("mariadb"))
    return lambda: {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def server_files(service: str) -> set[str]:
    """Files in the top folder of the server's data, where a relative path would end up."""
    root = Path(settings().get("DRAGOMAN_SERVICES", "/nowhere")) / service
    names = {path.name for path in root.glob("*") if path.is_file()} if root.is_dir() else set()
    return {name for name in names if not name.startswith(("ib", "aria_log", "undo", "ddl_recovery", "#"))}


def named_files(sql: str) -> set[Path]:
    """Absolute paths in the quoted strings of a statement that exist."""
    return {path for text in re.findall(r"'(?:file:)?(/[^']+)'", sql) if (path := Path(text)).is_file()}


def harm(target: Target, attack: Statement) -> str:
    """Run the attack; "" or what it did."""
    before, files = target.state(), named_files(attack.sql)
    assert read(target.canary, "SELECT 1")
    try:
        shown = repr(read(target.engine, attack.sql))
    except DragomanError:
        shown = ""
    if target.state() != before:
        return "the state of the database or its server changed"
    if named_files(attack.sql) != files:
        return "a file was written"
    if any(secret in shown for secret in SECRETS):
        return "a file of the server was read"
    if target.place.running():
        return "the statement still runs"
    if read(target.canary, "SELECT 1") != [(1,)]:
        return "another session was ended"
    return ""


def read(engine: Engine, sql: str) -> list[tuple[Any, ...]]:
    with engine.stream(sql, DEADLINE) as stream:
        rows: list[tuple[Any, ...]] = []
        for batch in stream:
            rows += [tuple(row) for row in batch]
            if len(rows) > 1000:
                break
        return rows


@pytest.mark.parametrize("attack", attacks(list(DIALECTS.values()), {}))
def test_no_attack_does_harm(readers: Targets, attack: Statement, monkeypatch: pytest.MonkeyPatch) -> None:
    target = readers[DIALECTS[attack.dialect]]
    monkeypatch.chdir(target.folder)
    assert harm(target, attack) == "", attack.sql


@pytest.mark.slow
@pytest.mark.parametrize("attack", attacks(["postgres", "mariadb"], ALL_POWERFUL))
def test_what_an_all_powerful_login_brings_through_is_known(
    owners: Targets, attack: Statement, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = owners[DIALECTS[attack.dialect]]
    monkeypatch.chdir(target.folder)
    left = [Path(path) for path in re.findall(r"'(/tmp/dragoman[^']*)'", attack.sql)]
    try:
        for path in left:
            path.unlink(missing_ok=True)
        assert harm(target, attack) == "", attack.sql
    finally:
        for path in left:
            path.unlink(missing_ok=True)


@pytest.mark.parametrize("engine", ["postgres", "mariadb"])
def test_a_login_that_may_more_than_read_is_warned_of(engine: str, tmp_path: Path) -> None:
    with PLACES[engine](tmp_path) as place:
        reader: Any = open_engine(place.url)
        owner: Any = open_engine(place.admin_url)
        assert reader.warnings() == ()
        assert len(owner.warnings()) == 1
        if engine == "postgres":
            place.write(["CREATE TABLE t (a int)", "GRANT INSERT ON t TO dragoman_reader"])
            assert "write to 1 tables" in reader.warnings()[0]
        reader.close()
        owner.close()
