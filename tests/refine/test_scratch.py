"""A scratch schema holds views while they are used, and nothing afterwards, whatever happens."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dragoman.databases import connect
from dragoman.databases.guarded_database import GuardedDatabase
from dragoman.errors import QueryError, Refused, SetupError, Unreadable
from dragoman.questions import Example, Question
from dragoman.refine.gold_check import check_gold
from dragoman.refine.refined_database import RefinedDatabase
from dragoman.refine.refinement import Refinement
from dragoman.refine.scratch import Scratch
from dragoman.sql.access import AccessPolicy
from tests.databases.places import PLACES, Place
from tests.refine.random_refinements import Queries, random_refinement, random_tables
from tests.refine.test_refined_database import multiset

SHOP = [
    "CREATE TABLE cst (cst_id INTEGER PRIMARY KEY, nm VARCHAR(9), sts VARCHAR(9))",
    "CREATE TABLE ord (ord_id INTEGER PRIMARY KEY, cst_id INTEGER REFERENCES cst (cst_id), amt INTEGER)",
    "INSERT INTO cst VALUES (1, 'Ada', 'open'), (2, 'nm', 'shut')",
    "INSERT INTO ord VALUES (10, 1, 7), (11, 1, 8), (12, 2, 9)",
]
CLEAR = Refinement({("cst", "nm"): "name", ("ord", "amt"): "amount"}, {"ord": "purchases"})


class Ground:
    """A database with a scratch schema beside its tables."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self.dialect = {"mariadb": "mysql"}.get(place.engine, place.engine)
        name = place.url.rpartition("/")[2].partition("?")[0]
        self.schema = f"{name}_scratch" if self.dialect == "mysql" else "scratch"
        self.scratch = Scratch(self.schema, place.admin_url)

    def left(self) -> list[str]:
        """The views that stand in the scratch schema."""
        sql = f"SELECT table_name FROM information_schema.views WHERE table_schema = '{self.schema}'"
        return [row[0] for row in self.place.ask(sql)]

    def base(self) -> GuardedDatabase:
        database = connect(self.place.url, AccessPolicy(deny_schemas=(self.schema,)))
        assert isinstance(database, GuardedDatabase)
        return database


@pytest.fixture(params=["postgres", "mariadb"], scope="module")
def ground(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ground]:
    with PLACES[request.param](tmp_path_factory.mktemp(request.param)) as place:
        made = Ground(place)
        place.write([f"CREATE SCHEMA {made.schema}"])
        if made.dialect == "postgres":
            place.write([f"GRANT USAGE ON SCHEMA {made.schema} TO dragoman_reader"])
        try:
            yield made
        finally:
            if made.dialect == "mysql":
                place.write([f"DROP SCHEMA {made.schema}"])


@pytest.fixture
def shop(ground: Ground) -> Iterator[GuardedDatabase]:
    ground.place.write(SHOP)
    base = ground.base()
    yield base
    base.close()
    ground.place.write(["DROP TABLE ord", "DROP TABLE cst"])


def test_views_are_there_while_they_are_used(ground: Ground, shop: GuardedDatabase) -> None:
    before = shop.schema()
    with_names = RefinedDatabase(shop, CLEAR, ground.scratch)
    assert len(ground.left()) == 2
    assert shop.schema() == before
    sql = "SELECT cst.name, sum(p.amount) FROM cst JOIN purchases p ON p.cst_id = cst.cst_id GROUP BY cst.name"
    assert sorted(with_names.execute(sql).rows) == [("Ada", 15), ("nm", 9)]
    cte = "WITH cst AS (SELECT amount AS a FROM purchases) SELECT sum(a) FROM cst"
    assert with_names.execute(cte).rows == ((24,),)
    assert with_names.execute(f"EXPLAIN {sql}").rows
    for stale in ("SELECT nm FROM cst", "SELECT amt FROM ord", f"SELECT 1 FROM {ground.schema}.cst"):
        with pytest.raises((Refused, QueryError)):
            with_names.execute(stale)
    second = RefinedDatabase(shop, Refinement({("cst", "nm"): "title"}), ground.scratch)
    assert len(ground.left()) == 3
    assert len(second.execute("SELECT title FROM cst").rows) == 2
    second.close()
    with_names.close()
    with_names.close()
    assert ground.left() == []
    assert "admin" not in repr(ground.scratch)


@settings(max_examples=2, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(seed=st.integers(0, 2**32))
def test_every_query_gives_there_what_it_gives_on_the_base(ground: Ground, seed: int) -> None:
    random = Random(seed)
    statements, made = random_tables(random, ground.dialect)
    mark = "`" if ground.dialect == "mysql" else '"'
    ground.place.write(statements)
    base = ground.base()
    try:
        schema = base.schema()
        refinement = random_refinement(random, schema)
        refined = RefinedDatabase(base, refinement, ground.scratch)
        for sql in islice(Queries(random, schema), 12):
            try:
                rewritten = refined.rewritten(sql)
            except Unreadable:
                continue
            assert multiset(refined, rewritten) == multiset(base, sql), (sql, rewritten, refinement)
        refined.close()
        assert ground.left() == []
    finally:
        base.close()
        ground.place.write([f"DROP TABLE {mark}{name}{mark}" for name, _ in reversed(made)])


def test_gold_is_checked_there_and_an_error_leaves_nothing(ground: Ground, shop: GuardedDatabase) -> None:
    examples = [
        Example(Question("?", id=str(n)), sql)
        for n, sql in enumerate(("SELECT nm FROM cst", "SELECT max(amt) FROM ord"))
    ]
    assert check_gold(shop, CLEAR, examples, ground.scratch).same == 2
    assert ground.left() == []

    def fail() -> None:
        assert len(ground.left()) == 2
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        check_gold(shop, CLEAR, examples, ground.scratch, fail)
    assert ground.left() == []


def test_what_cannot_be_made_is_said_and_leaves_nothing(ground: Ground, shop: GuardedDatabase) -> None:
    with pytest.raises(SetupError, match="The views could not be written"):
        RefinedDatabase(shop, CLEAR, Scratch("nowhere_at_all", ground.place.admin_url))
    with pytest.raises(SetupError, match="The views could not be written"):
        RefinedDatabase(shop, CLEAR, Scratch(ground.schema, ground.place.url))
    assert ground.left() == []


@pytest.mark.parametrize("end", ["1 / 0", "os.kill(os.getpid(), signal.SIGTERM)"])
def test_a_program_that_ends_leaves_nothing(ground: Ground, shop: GuardedDatabase, end: str, tmp_path: Path) -> None:
    script = tmp_path / "ends.py"
    script.write_text(
        textwrap.dedent(
            f"""
            import os, signal, sys, time
            from dragoman.apps.scratch_schema import ended_in_order
            from dragoman.databases import connect
            from dragoman.refine.refined_database import RefinedDatabase
            from dragoman.refine.refinement import Refinement
            from dragoman.refine.scratch import Scratch
            with ended_in_order():
                base = connect({ground.place.url!r})
                held = RefinedDatabase(base, {CLEAR!r}, Scratch({ground.schema!r}, {ground.place.admin_url!r}))
                print(len(held.execute("SELECT name FROM cst").rows), flush=True)
                {end}
                time.sleep(60)
            """
        )
    )
    ended = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=60)
    assert ended.stdout == "2\n", ended.stderr
    assert ended.returncode != 0
    assert ground.left() == []


def test_engines_with_views_of_a_session_need_none(tmp_path: Path) -> None:
    with PLACES["sqlite"](tmp_path) as place:
        place.write(SHOP)
        base = connect(place.url)
        assert isinstance(base, GuardedDatabase)
        with pytest.raises(SetupError, match="sessions have views here"):
            RefinedDatabase(base, CLEAR, Scratch("x", place.url))
        base.close()
