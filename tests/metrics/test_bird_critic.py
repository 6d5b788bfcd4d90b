from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from dragoman.databases import connect
from dragoman.metrics.bird_critic import statements
from dragoman.metrics.case import Case
from dragoman.metrics.critic_trial import ex_base, preprocess_results, remove_comments, remove_distinct, remove_round
from dragoman.metrics.judge import judge_case
from dragoman.metrics.verdict import Judgement, Verdict
from dragoman.questions import Example, Question


@pytest.fixture
def template(tmp_path: Path) -> Path:
    path = tmp_path / "shop.sqlite"
    with sqlite3.connect(path) as connection:
        connection.executescript(
            "CREATE TABLE item (id INTEGER PRIMARY KEY, price REAL, sold TEXT);"
            "INSERT INTO item VALUES (1, 2.001, '2020-01-01 10:00:00'), (2, 3.0, '2020-01-02 11:00:00');"
        )
    return path


def tried(template: Path, gold: str, predicted: str, **published: Any) -> Judgement:
    database = connect(str(template))
    try:
        details = {"template": str(template), "seconds": 30, **published}
        case = Case(Example(Question("?"), gold), predicted, database, published=details, allow_code=True)
        return judge_case(case, "bird_critic")
    finally:
        database.close()


def test_code_does_not_run_unless_it_is_allowed(template: Path) -> None:
    case = Case(
        Example(Question("?"), "SELECT 1"), "SELECT 1", connect(str(template)), published={"template": template}
    )
    found = judge_case(case, "bird_critic")
    assert found.verdict is Verdict.UNSCORED
    assert "--allow-code" in found.detail


@pytest.mark.parametrize(
    ("gold", "predicted", "verdict"),
    [
        ("SELECT price FROM item", "SELECT ROUND(price, 2) FROM item", Verdict.CORRECT),
        ("SELECT sold FROM item", "SELECT SUBSTR(sold, 1, 10) FROM item", Verdict.CORRECT),
        ("SELECT id FROM item", "SELECT id FROM item UNION ALL SELECT 1", Verdict.CORRECT),
        ("SELECT id FROM item", "SELECT id FROM item WHERE id = 1", Verdict.WRONG),
        ("SELECT id FROM item WHERE id > 5", "SELECT id FROM item WHERE id > 6", Verdict.WRONG),
        ("SELECT id FROM item", "SELECT colour FROM item", Verdict.INVALID_REFERENCE),
    ],
)
def test_the_default_test(template: Path, gold: str, predicted: str, verdict: Verdict) -> None:
    assert tried(template, gold, predicted).verdict is verdict


def test_order_counts_where_the_conditions_say_so(template: Path) -> None:
    gold, predicted = "SELECT id FROM item ORDER BY id", "SELECT id FROM item ORDER BY id DESC"
    assert tried(template, gold, predicted).correct
    assert not tried(template, gold, predicted, conditions={"order": True}).correct


def test_changes_are_tried_on_a_copy_and_statements_run_twice(template: Path) -> None:
    before = template.read_bytes()
    check = (
        "def test_case(pred_sqls, sol_sqls, db_path, conn):\n"
        "    execute_queries(pred_sqls, db_path, conn)\n"
        "    assert execute_queries('SELECT COUNT(*) FROM item', db_path, conn) == [(0,)]\n"
    )
    assert tried(template, "DELETE FROM item", "DELETE FROM item", test_cases=[check]).correct
    twice = tried(template, "CREATE TABLE t (a)", "CREATE TABLE t (a)", test_cases=[check])
    assert "already exists" in twice.detail
    assert template.read_bytes() == before


def test_an_issue_that_passes_already_fails_the_instance(template: Path) -> None:
    found = tried(template, "SELECT id FROM item", "SELECT id FROM item", issue_sql=["SELECT id FROM item"])
    assert found.verdict is Verdict.WRONG
    broken = tried(template, "SELECT id FROM item", "SELECT id FROM item", issue_sql=["SELECT x FROM item"])
    assert broken.correct


def test_cost_counts_statements(template: Path) -> None:
    check = (
        "def test_case(old, new, path, conn, conditions):\n    return performance_compare_by_qep(old, new, path, conn)"
    )
    details: dict[str, Any] = {"issue_sql": ["SELECT 1", "SELECT 2"], "efficiency": True, "test_cases": [check]}
    assert tried(template, "SELECT 1", "SELECT 1", **details).correct
    assert not tried(template, "SELECT 1", "SELECT 1; SELECT 2", **details).correct


@pytest.mark.parametrize("code", ["while True: pass", "x = bytearray(8 * 2**30)", "open('big', 'wb').truncate(2**40)"])
def test_tests_that_take_too_much_are_ended(template: Path, code: str) -> None:
    check = f"def test_case(a, b, c, d):\n    {code}\n"
    found = tried(template, "SELECT 1", "SELECT 1", test_cases=[check], seconds=2)
    assert not found.correct


def test_parts_of_the_default_test() -> None:
    assert remove_comments(["SELECT 1 -- one\n/* two */"]) == ["SELECT 1"]
    assert remove_distinct(["SELECT DISTINCT a, COUNT(DISTINCT a) FROM t"]) == ["SELECT a, COUNT(DISTINCT a) FROM t"]
    assert remove_round(["SELECT ROUND(MAX(a, b), 2), round( c )"]) == ["SELECT MAX(a, b), c"]
    assert preprocess_results([(1.234, "2020-01-01 00:00:00", None)]) == [(1.23, "2020-01-01", None)]
    with sqlite3.connect(":memory:") as connection:
        assert ex_base(["SELECT 1"], ["SELECT 1.001"], "", connection) == 1
    assert statements("SELECT ';'; SELECT 2;") == ["SELECT ';'", "SELECT 2"]
    trigger = "CREATE TRIGGER t AFTER INSERT ON a BEGIN DELETE FROM b; END; SELECT 1"
    assert statements(trigger) == ["CREATE TRIGGER t AFTER INSERT ON a BEGIN DELETE FROM b; END", "SELECT 1"]
