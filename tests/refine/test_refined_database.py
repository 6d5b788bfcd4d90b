"""A database under new names: the same results as on the base, the new names alone, and nothing left behind."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dragoman.databases import connect
from dragoman.databases.guarded_database import GuardedDatabase
from dragoman.errors import QueryError, Refused, SetupError, Unreadable
from dragoman.refine.refined_database import RefinedDatabase
from dragoman.refine.refinement import Refinement
from dragoman.sql.access import AccessPolicy
from dragoman.sql.rename import rename
from tests.databases.places import PLACES, Place
from tests.refine.random_refinements import Queries, random_refinement, random_tables


@pytest.fixture(params=list(PLACES), scope="module")
def place(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    with PLACES[request.param](tmp_path_factory.mktemp(request.param)) as made:
        yield made


def opened(url: str, access: AccessPolicy | None = None) -> GuardedDatabase:
    database = connect(url, access)
    assert isinstance(database, GuardedDatabase)
    return database


def multiset(database: GuardedDatabase, sql: str) -> list[str]:
    return sorted(map(repr, database.execute(sql).rows))


@settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(seed=st.integers(0, 2**32))
def test_every_query_gives_on_views_what_it_gives_on_the_base(place: Place, seed: int) -> None:
    random = Random(seed)
    dialect = {"mariadb": "mysql"}.get(place.engine, place.engine)
    statements, made = random_tables(random, dialect)
    mark = "`" if dialect == "mysql" else '"'
    left = "CASCADE" if dialect == "postgres" else ""  # the server may not have ended the session with the views yet
    drops = [f"DROP TABLE {mark}{name}{mark} {left}" for name, _ in reversed(made)]
    place.write(statements)
    base = opened(place.url)
    try:
        schema = base.schema()
        refinement = random_refinement(random, schema)
        for how in ("auto", "overlay"):
            refined = RefinedDatabase(base, refinement, how)  # type: ignore[arg-type]
            for sql in islice(Queries(random, schema), 12):
                try:
                    rewritten = rename(sql, schema, refinement.names)
                except Unreadable:
                    continue
                assert multiset(refined, rewritten) == multiset(base, sql), (sql, rewritten, refinement)
            refined.close()
        assert base.schema() == schema
    finally:
        base.close()
        place.write(drops)


SHOP = [
    'CREATE TABLE cst (cst_id INTEGER PRIMARY KEY, nm TEXT, sts TEXT, "two words" TEXT)',
    "CREATE TABLE ord (ord_id INTEGER PRIMARY KEY, cst_id INTEGER REFERENCES cst (cst_id), amt INTEGER)",
    "INSERT INTO cst VALUES (1, 'Ada', 'open', 'x'), (2, 'nm', 'shut', NULL)",
    "INSERT INTO ord VALUES (10, 1, 7), (11, 1, 8), (12, 2, 9)",
    "CREATE VIEW busy AS SELECT nm, count(*) AS n FROM cst JOIN ord USING (cst_id) GROUP BY nm",
]
CLEAR = Refinement(
    {
        ("cst", "cst_id"): "customer_id",
        ("cst", "nm"): "order",
        ("cst", "two words"): "note text",
        ("ord", "cst_id"): "customer_id",
        ("ord", "amt"): "amount",
        ("busy", "n"): "number of orders",
    },
    {"ord": "purchases"},
)


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[GuardedDatabase]:
    path = tmp_path / "shop.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        for statement in SHOP:
            connection.execute(statement)
        connection.commit()
    database = opened(str(path))
    yield database
    database.close()


@pytest.fixture(params=["views", "overlay"])
def refined(request: pytest.FixtureRequest, shop: GuardedDatabase) -> Iterator[RefinedDatabase]:
    database = RefinedDatabase(shop, CLEAR, request.param)
    yield database
    database.close()


def test_the_new_names_are_there_with_their_keys(refined: RefinedDatabase) -> None:
    schema = refined.schema()
    assert [t.name for t in schema] == ["cst", "purchases", "busy"]
    assert [c.name for c in schema.tables[0].columns] == ["customer_id", "order", "sts", "note text"]
    assert schema.tables[0].primary_key == ("customer_id",)
    assert schema.tables[1].foreign_keys[0].target_columns == ("customer_id",)
    rows = refined.execute(
        'SELECT c."order", sum(p.amount) FROM cst c JOIN purchases p USING (customer_id) GROUP BY 1 ORDER BY 1'
    )
    assert rows.rows == (("Ada", 15), ("nm", 9))
    assert refined.execute('SELECT "note text" FROM cst WHERE customer_id = 1').rows == (("x",),)


def test_a_view_that_was_there_shows_its_new_names_and_still_reads_the_old_ones(refined: RefinedDatabase) -> None:
    assert set(refined.execute('SELECT nm, "number of orders" FROM busy').rows) == {("Ada", 2), ("nm", 1)}


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT nm FROM cst",
        'SELECT "nm" FROM cst',
        "SELECT * FROM cst WHERE \"nm\" = 'nm'",
        "SELECT c.nm FROM cst AS c",
        "SELECT main.cst.nm FROM cst",
        "SELECT nm FROM main.cst",
        'SELECT "order" FROM main.cst',
        "SELECT amount FROM purchases p, main.cst",
        "SELECT amt FROM ord",
        "SELECT amt FROM main.ord",
        "SELECT rowid FROM cst",
        "SELECT c._rowid_ FROM cst c",
        "SELECT nm FROM (SELECT * FROM cst)",
        "WITH x AS (SELECT * FROM cst) SELECT nm FROM x",
        "SELECT 1 FROM purchases WHERE EXISTS (SELECT 1 FROM cst WHERE amt = 7)",
        'SELECT "order" FROM temp.cst',
    ],
)
def test_nothing_reaches_past_the_views(refined: RefinedDatabase, sql: str) -> None:
    with pytest.raises((Refused, QueryError)):
        refined.execute(sql)


def test_an_old_name_is_told_its_new_one(refined: RefinedDatabase) -> None:
    with pytest.raises(Refused, match="it is called order"):
        refined.execute('SELECT "nm" FROM cst')
    with pytest.raises(Refused, match="write cst alone"):
        refined.execute('SELECT "order" FROM main.cst')


def test_an_old_name_may_be_an_alias_or_a_string(refined: RefinedDatabase) -> None:
    sql = """SELECT "order" AS nm FROM cst WHERE "order" = 'nm' ORDER BY nm"""
    assert refined.execute(sql).rows == (("nm",),)


def test_names_may_change_places(shop: GuardedDatabase) -> None:
    refined = RefinedDatabase(
        shop, Refinement({("cst", "nm"): "sts", ("cst", "sts"): "nm"}, {"cst": "ord", "ord": "cst"})
    )
    assert refined.execute("SELECT nm, sts FROM ord WHERE cst_id = 1").rows == (("open", "Ada"),)
    assert len(refined.execute("SELECT amt FROM cst")) == 3
    refined.close()


def test_a_cte_may_bear_a_refined_tables_name(refined: RefinedDatabase) -> None:
    """As in SQLite: a CTE that reads a table of its own name is circular, one that reads another is not."""
    sql = "WITH cst AS (SELECT amount AS a FROM purchases) SELECT sum(a) FROM cst"
    assert refined.execute(sql).rows == ((24,),)
    assert len(refined.execute(f"EXPLAIN QUERY PLAN {sql}")) > 0


def test_what_the_access_policy_hides_is_in_no_view(shop: GuardedDatabase) -> None:
    policy = AccessPolicy(deny_columns=("cst.sts",))
    refined = RefinedDatabase(opened(str(shop.engine.path), policy), Refinement({("ord", "amt"): "sts"}))  # type: ignore[attr-defined]
    assert refined.execute("SELECT sts FROM ord WHERE ord_id = 10").rows == ((7,),)
    for sql in ("SELECT sts FROM cst", "SELECT cst.sts FROM cst", "SELECT sts FROM main.cst"):
        with pytest.raises((Refused, QueryError)):
            refined.execute(sql)
    assert len(refined.execute("SELECT * FROM cst").columns) == 3
    refined.close()


def test_nothing_is_written_and_the_base_stays_open(shop: GuardedDatabase) -> None:
    path = shop.engine.path  # type: ignore[attr-defined]
    before = path.read_bytes()
    refined = RefinedDatabase(shop, CLEAR)
    assert refined.fingerprint() != shop.fingerprint()
    assert refined.execute("SELECT amount FROM purchases").rows
    refined.close()
    assert path.read_bytes() == before
    assert shop.execute("SELECT amt FROM main.ord WHERE ord_id = 10").rows == ((7,),)


def test_tables_that_would_share_a_name_are_refused(shop: GuardedDatabase) -> None:
    with pytest.raises(SetupError, match="another name"):
        RefinedDatabase(shop, Refinement({}, {"ord": "cst"}))


@pytest.mark.parametrize("engine", ["postgres", "duckdb"])
def test_a_table_of_another_schema_is_called_by_its_bare_name(engine: str, tmp_path: Path) -> None:
    with PLACES[engine](tmp_path) as made:
        made.write(
            [
                "CREATE SCHEMA sales",
                "CREATE TABLE cst (c_id INTEGER PRIMARY KEY, nm VARCHAR(9))",
                "CREATE TABLE sales.ord (o_id INTEGER PRIMARY KEY, c_id INTEGER REFERENCES cst (c_id))"
                if engine == "postgres"
                else "CREATE TABLE sales.ord (o_id INTEGER PRIMARY KEY, c_id INTEGER)",
                "INSERT INTO cst VALUES (1, 'Ada')",
                "INSERT INTO sales.ord VALUES (10, 1)",
                *(["GRANT USAGE ON SCHEMA sales TO dragoman_reader"] if engine == "postgres" else []),
                *(["GRANT SELECT ON sales.ord TO dragoman_reader"] if engine == "postgres" else []),
            ]
        )
        base = opened(made.url)
        for how in ("views", "overlay"):
            refined = RefinedDatabase(base, Refinement({("ord", "o_id"): "order_id"}), how)  # type: ignore[arg-type]
            seen = refined.schema().table("ord")
            assert seen is not None
            assert seen.schema == refined.schema().default_schema
            sql = "SELECT o.order_id, c.nm FROM ord o JOIN cst c ON c.c_id = o.c_id"
            assert refined.rewritten("SELECT sales.ord.o_id FROM sales.ord") == "SELECT ord.order_id FROM ord"
            assert refined.execute(sql).rows == ((10, "Ada"),)
            for past in ("SELECT o_id FROM sales.ord", "SELECT o_id FROM ord", "SELECT order_id FROM sales.ord"):
                with pytest.raises((Refused, QueryError)):
                    refined.execute(past)
            refined.close()
        base.close()
