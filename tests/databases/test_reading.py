"""What only reads is let through, by the guard and by the engine: every construct of a dialect, on a real database."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from functools import cache
from pathlib import Path

import pytest

from dragoman.databases import Database, connect
from dragoman.errors import Refused
from dragoman.sql.access import AccessPolicy
from dragoman.sql.guard import guard
from dragoman.sql.parse import parse
from dragoman.sql.references import unresolved
from tests.databases.places import PLACES

FOLDER = Path(__file__).parents[1] / "fixtures" / "reading"
DIALECTS = {"sqlite": "sqlite", "duckdb": "duckdb", "postgres": "postgres", "mariadb": "mysql"}
QUERIES = [
    (engine, query)
    for engine, dialect in DIALECTS.items()
    for query in re.sub(r"(?m)^--.*\n", "", (FOLDER / f"{dialect}.sql").read_text("utf-8")).strip().split("\n\n")
]


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Database]]:
    """A database of an engine with the tables of its file, made when it is first asked for."""
    with ExitStack() as stack:

        @cache
        def of(engine: str) -> Database:
            place = stack.enter_context(PLACES[engine](tmp_path_factory.mktemp(engine)))
            tables = (FOLDER / f"tables_{DIALECTS[engine]}.sql").read_text("utf-8")
            place.write(tables.strip().split(";\n"))
            return stack.enter_context(closing(connect(place.url)))

        yield of


@pytest.mark.parametrize(("engine", "query"), QUERIES)
def test_it_runs_and_all_its_names_are_known(opened: Callable[[str], Database], engine: str, query: str) -> None:
    database = opened(engine)
    database.execute(query)
    assert unresolved(parse(query, database.dialect), database.schema()) == ()


@pytest.mark.parametrize(
    ("engine", "query", "name"),
    [
        ("duckdb", "UNPIVOT wide ON jan, fbe INTO NAME month VALUE amount", "fbe"),
        ("duckdb", "PIVOT sales ON yaer USING sum(amount)", "yaer"),
        ("duckdb", "PIVOT sales ON year USING sum(amuont) GROUP BY region", "amuont"),
        ("duckdb", "WITH p AS (PIVOT salse ON year USING sum(amount)) FROM p", "salse"),
        ("duckdb", "SELECT [t || x FOR t IN tags] FROM nested", "x"),
        ("mariadb", "SELECT seq + one FROM seq_1_to_3", "one"),
        (
            "postgres",
            "SELECT q.a FROM ((people p JOIN sales s ON s.person_id = p.id) JOIN wide w ON w.id = p.ids) q",
            "p.ids",
        ),
    ],
)
def test_names_that_are_wrong_are_still_told(
    opened: Callable[[str], Database], engine: str, query: str, name: str
) -> None:
    database = opened(engine)
    assert name in [unknown.name for unknown in unresolved(parse(query, database.dialect), database.schema())]


@pytest.mark.parametrize(
    "query",
    [
        "UNPIVOT people ON name, city INTO NAME k VALUE v",
        "FROM (PIVOT people ON city USING count(*))",
        "WITH p AS (PIVOT people ON city USING count(*) GROUP BY id) SELECT id FROM p",
        "PIVOT (SELECT * FROM people) ON city USING count(*)",
        "SELECT [born FOR t IN ['a']] FROM people",
    ],
)
def test_what_may_not_be_read_is_not_read_by_a_pivot(opened: Callable[[str], Database], query: str) -> None:
    database = opened("duckdb")
    database.execute(query)
    with pytest.raises(Refused, match="born may not be read"):
        guard(query, database.schema(), "duckdb", allow=AccessPolicy(deny_columns=("people.born",)))
