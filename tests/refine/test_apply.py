"""Views for good: written all at once, read under the new names, and dropped without a trace."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import duckdb
import pytest

from dragoman.databases import connect
from dragoman.databases.guarded_database import GuardedDatabase
from dragoman.errors import SetupError
from dragoman.questions import Example, Question
from dragoman.refine.apply import Deployment, diff
from dragoman.refine.refinement import Refinement
from dragoman.refine.stored_queries import stored_query_warnings
from tests.databases.places import PLACES, Place

NAMES = Refinement(
    {("cst", "nm"): "order", ("cst", "two words"): "note text", ("cst", "c_id"): "customer_id"}, {"ord": "purchases"}
)


@pytest.fixture(params=list(PLACES))
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    with PLACES[request.param](tmp_path) as made:
        mark = "`" if made.engine == "mariadb" else '"'
        made.write(
            [
                f"CREATE TABLE cst (c_id INTEGER PRIMARY KEY, nm VARCHAR(20), {mark}two words{mark} VARCHAR(20))",
                "CREATE TABLE ord (o_id INTEGER PRIMARY KEY, c_id INTEGER)",
                "INSERT INTO cst VALUES (1, 'Ada', 'x'), (2, 'Bo', NULL)",
                "INSERT INTO ord VALUES (10, 1), (11, 1)",
                f"CREATE VIEW busy AS SELECT nm, {mark}two words{mark} FROM cst",
            ]
        )
        yield made


def catalogue(place: Place) -> list[object]:
    """All that the engine keeps of the definitions, as it keeps them."""
    if place.engine == "sqlite":
        with closing(sqlite3.connect(place.url)) as connection:
            return [*connection.execute("SELECT * FROM sqlite_master ORDER BY rowid")]
    if place.engine == "duckdb":
        with duckdb.connect(place.url) as connection:
            found = connection.execute("SELECT schema_name, view_name, sql FROM duckdb_views() ORDER BY ALL").fetchall()
            made = connection.execute("SELECT schema_name FROM duckdb_schemas() ORDER BY ALL").fetchall()
            return [*found, *made]
    if place.engine == "postgres":
        schemas = place.ask("SELECT nspname, nspacl FROM pg_namespace WHERE nspname !~ '^pg_t' ORDER BY 1")
        return [*schemas, *place.ask("SELECT oid, relname, relkind, reloptions FROM pg_class ORDER BY 1")]
    return place.ask(
        "SELECT table_schema, table_name, table_type, create_time FROM information_schema.tables "
        "WHERE table_schema = database() ORDER BY 1, 2"
    )  # type: ignore[return-value]


def opened(place: Place) -> GuardedDatabase:
    database = connect(place.admin_url)
    assert isinstance(database, GuardedDatabase)
    return database


def deployment(place: Place, name: str = "clear", whole: bool = False) -> Deployment:
    database = opened(place)
    try:
        return Deployment(database.schema(), NAMES, name, whole)
    finally:
        database.close()


@pytest.fixture
def scratch(place: Place) -> Iterator[str]:
    """A name for the schema; on MariaDB a database of its own, which the test takes away again."""
    name = f"clear_{place.url.rpartition('_')[2]}" if place.engine == "mariadb" else "clear"
    yield name
    if place.engine == "mariadb":
        place.write([f"DROP DATABASE IF EXISTS `{name}`"])


def test_views_are_written_read_and_dropped_without_a_trace(place: Place, scratch: str) -> None:
    before = catalogue(place)
    made = deployment(place, scratch)
    assert made.run(place.admin_url, "apply") == made.script("apply")
    database = opened(place)
    own = f"{scratch}_cst" if place.engine == "sqlite" else f"{scratch}.cst"
    mark = "`" if place.engine == "mariadb" else '"'
    engine = database.engine
    with engine.stream(f"SELECT {mark}order{mark}, {mark}note text{mark} FROM {own} WHERE customer_id = 1", 20) as rows:
        assert [row for batch in rows for row in batch] == [("Ada", "x")]
    database.close()
    with pytest.raises(SetupError):
        made.run(place.admin_url, "apply")
    made.run(place.admin_url, "drop")
    assert catalogue(place) == before


def test_views_keep_the_callers_rights(place: Place) -> None:
    script = deployment(place).script("apply")
    if place.engine == "postgres":
        assert script.count("WITH (security_invoker = true)") == 2
    if place.engine == "mariadb":
        assert script.count("SQL SECURITY INVOKER") == 2
    grants = deployment(place).grants("reader")
    assert bool(grants) == (place.engine in ("postgres", "mariadb"))


def test_a_reader_needs_what_is_listed_and_no_more(place: Place, scratch: str) -> None:
    if place.engine not in ("postgres", "mariadb"):
        pytest.skip("a file has no logins")
    made = deployment(place, scratch)
    made.run(place.admin_url, "apply")
    try:
        place.write(
            [
                grant.replace("`reader`", "dragoman_reader").replace('"reader"', "dragoman_reader")
                for grant in made.grants()
            ]
        )
        reader = place.open()
        with reader.stream(f"SELECT o_id FROM {scratch}.purchases ORDER BY 1", 20) as rows:
            assert [row for batch in rows for row in batch] == [(10,), (11,)]
        reader.close()
    finally:
        made.run(place.admin_url, "drop")


def test_a_name_that_is_taken_leaves_all_as_it_was(place: Place) -> None:
    with pytest.raises(SetupError, match="--schema"):
        deployment(place, "")
    if place.engine == "sqlite":
        place.write(["CREATE TABLE clear_cst (x)"])
        before = catalogue(place)
        with pytest.raises(SetupError, match="There is a table clear_cst already: choose another name with --schema"):
            deployment(place).run(place.admin_url, "apply")
        assert catalogue(place) == before


def test_dropping_what_is_gone_says_where_to_look(place: Place) -> None:
    with pytest.raises(SetupError, match=r"could not be dropped.*`dragoman schema` shows what is there"):
        deployment(place).run(place.admin_url, "drop")


def test_comments_follow_their_columns(place: Place) -> None:
    if place.engine != "postgres":
        pytest.skip("only PostgreSQL keeps comments on the columns of views")
    place.write(["COMMENT ON COLUMN cst.nm IS 'it''s the name'"])
    made = deployment(place)
    made.run(place.admin_url, "apply")
    assert place.ask("SELECT col_description('clear.cst'::regclass, 2)") == [("it's the name",)]
    made.run(place.admin_url, "drop")


def test_all_tables_may_be_shown(place: Place) -> None:
    names = [view.name for view in deployment(place, whole=True).views]
    assert len(names) == 3


def test_a_refinement_of_another_schema_is_refused(place: Place) -> None:
    database = opened(place)
    with pytest.raises(SetupError, match="Run refine again"):
        Deployment(database.schema(), Refinement({("nope", "x"): "y"}), "clear")
    database.close()


def test_the_diff_shows_old_and_new(place: Place) -> None:
    database = opened(place)
    lines = diff(database.schema(), NAMES).splitlines()
    database.close()
    assert [line.split()[:2] for line in lines if line[0] in "+-"][:2] == [["-", "c_id"], ["+", "customer_id"]]
    assert lines[-2:] == ["- ord", "+ purchases"]


def test_stored_queries_that_would_go_wrong_silently_are_named(place: Place) -> None:
    examples = [
        Example(Question("?", id="natural"), "SELECT count(*) FROM cst NATURAL JOIN ord"),
        Example(Question("?", id="using"), "SELECT count(*) FROM cst JOIN ord USING (c_id)"),
        Example(Question("?", id="quoted"), 'SELECT "nm" FROM cst'),
        Example(Question("?", id="plain"), "SELECT o_id FROM ord"),
        Example(Question("?", id="unread"), "SELECT FROM WHERE"),
    ]
    database = opened(place)
    found = stored_query_warnings(database.schema(), NAMES, examples)
    database.close()
    expected = ["natural", "using", *(["quoted"] if place.engine == "sqlite" else [])]
    assert [warning.partition(":")[0] for warning in found] == expected
