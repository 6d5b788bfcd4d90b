"""Ties that only the engine's collation makes, on a server whose default collation folds case."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from dragoman.databases import Database, connect
from dragoman.metrics.judge import judge
from dragoman.metrics.verdict import Verdict
from dragoman.questions import Example, Question
from tests.databases.places import mariadb_place


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    with mariadb_place(tmp_path_factory.mktemp("collation")) as place:
        place.write(
            [
                "CREATE TABLE cs (n VARCHAR(9), k INT)",
                "INSERT INTO cs VALUES ('b', 1), ('B', 2), ('a', 3), ('A', 4)",
            ]
        )
        opened = connect(place.url)
        yield opened
        opened.close()


@pytest.mark.parametrize(
    ("gold", "predicted", "verdict"),
    [
        ("SELECT n, k FROM cs ORDER BY n", "SELECT n, k FROM cs ORDER BY n, k DESC", Verdict.CORRECT),
        ("SELECT n, k FROM cs ORDER BY n", "SELECT n, k FROM cs ORDER BY n DESC, k", Verdict.WRONG),
        ("SELECT n FROM cs ORDER BY n, k LIMIT 1", "SELECT 'A'", Verdict.WRONG),
        ("SELECT n FROM cs ORDER BY n LIMIT 1", "SELECT 'a'", Verdict.CORRECT),
        ("SELECT n FROM cs ORDER BY n LIMIT 1", "SELECT 'A'", Verdict.CORRECT),
        ("SELECT n FROM cs ORDER BY n LIMIT 1", "SELECT 'b'", Verdict.WRONG),
        (
            "SELECT n, k FROM cs ORDER BY n COLLATE utf8mb4_bin",
            "SELECT n, k FROM cs ORDER BY n, k DESC",
            Verdict.CORRECT,
        ),
        ("SELECT DISTINCT k, n FROM cs ORDER BY n", "SELECT k, n FROM cs ORDER BY n, k DESC", Verdict.CORRECT),
        ("SELECT *, n FROM cs ORDER BY n", "SELECT *, n FROM cs ORDER BY n, k DESC", Verdict.CORRECT),
        ("SELECT *, n FROM cs ORDER BY n", "SELECT *, n FROM cs ORDER BY n DESC", Verdict.WRONG),
        (
            "SELECT n, k FROM cs ORDER BY 1 DESC LIMIT 3",
            "SELECT n, k FROM cs WHERE k <> 4 ORDER BY n DESC",
            Verdict.CORRECT,
        ),
        (
            "SELECT n, k FROM cs ORDER BY 1 DESC LIMIT 3",
            "SELECT n, k FROM cs WHERE k <> 1 ORDER BY n DESC",
            Verdict.WRONG,
        ),
        (
            "SELECT n, k FROM cs UNION ALL SELECT n, k FROM cs WHERE k > 9 ORDER BY n",
            "SELECT n, k FROM cs ORDER BY n, k DESC",
            Verdict.CORRECT,
        ),
    ],
)
def test_rows_that_the_engine_holds_tied(gold: str, predicted: str, verdict: Verdict, database: Database) -> None:
    assert judge(Example(Question("?"), gold), predicted, database).verdict is verdict
