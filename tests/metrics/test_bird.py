"""BIRD's three rules on rows and times; whole queries are in test_judge."""

from __future__ import annotations

import math
import sqlite3
from pathlib import Path

import pytest

from dragoman.databases import connect
from dragoman.metrics.bird_execution import results_match
from dragoman.metrics.bird_r_ves import reward, time_ratio
from dragoman.metrics.bird_soft_f1 import soft_f1
from dragoman.metrics.case import Case
from dragoman.metrics.judge import judge_case
from dragoman.questions import Example, Question


def test_execution_compares_sets_as_python_does() -> None:
    assert results_match([(1,), (1,), (2,)], [(2,), (1.0,)])
    assert results_match([], [])
    assert not results_match([(1,)], [("1",)])
    assert not results_match([(None,)], [("None",)])
    assert not results_match([("\udcff",)], [("\udcff",)])
    assert not results_match([([1],)], [([1],)])


@pytest.mark.parametrize(
    ("gold", "predicted", "score"),
    [
        ([(2,), (1,)], [(1,), (2,)], 0.0),
        ([(1, 2)], [(1, 1)], 0.8),
        ([(1, 1)], [(1, 2)], 2 / 3),
        ([(1, 2)], [(2, 1)], 1.0),
        ([(1,), (1,)], [(1,)], 1.0),
        ([], [], 1.0),
        ([], [(1,)], 0.0),
        ([(1,)], [], 0.0),
        ([(1, 2)], [(1,)], 2 / 3),
    ],
)
def test_soft_f1(gold: list[tuple[int, ...]], predicted: list[tuple[int, ...]], score: float) -> None:
    assert soft_f1(gold, predicted) == pytest.approx(score)


@pytest.mark.parametrize(
    ("ratio", "given"), [(3, 1.25), (2, 1.25), (1.99, 1), (1, 1), (0.99, 0.75), (0.5, 0.75), (0.25, 0.5), (0.2, 0.25)]
)
def test_rewards(ratio: float, given: float) -> None:
    assert reward(ratio) == given


def test_time_ratios_drop_outliers_and_vanish_without_variance() -> None:
    gold = [1.0 + i / 1000 for i in range(99)] + [500.0]
    assert time_ratio(gold, [1.0] * 100) == pytest.approx(1.049, abs=0.001)
    assert time_ratio([1.0] * 5, [1.0] * 5) is None
    assert time_ratio([1.0], [0.0]) is None


def test_a_right_answer_is_right_however_slow(tmp_path: Path) -> None:
    path = tmp_path / "one.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE t (a INTEGER)")
    database = connect(str(path))
    slow = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) SELECT MAX(i) FROM n"
    case = Case(Example(Question("?"), "SELECT 20000"), slow, database, published={"runs": 4})
    found = judge_case(case, "bird_r_ves")
    assert found.correct
    assert found.score in {0.0, *(math.sqrt(given) for given in (0.25, 0.5, 0.75, 1, 1.25))}
    assert judge_case(Case(Example(Question("?"), "SELECT 1"), slow, database), "bird_r_ves").score == 0
    database.close()
