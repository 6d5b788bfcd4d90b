"""A database under new names: the same results as on the base, the new names alone, and nothing left behind."""

from __future__ import annotations

import hashlib
import sqlite3
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


@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(seed=st.integers(0, 2**32))
def test_every_query_gives_on_views_what_it_gives_on_the_base(place: Place, seed: int) -> None:
    random = Random(seed)
    dialect = {"mariadb": "mysql"}.get(place.engine, place.engine)
    statements, made = random_tables(random, dialect)
    mark = "`" if dialect == "mysql" else '"'
    drops = [f"DROP TABLE {mark}{name}{mark}" for name, _ in reversed(made)]
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
