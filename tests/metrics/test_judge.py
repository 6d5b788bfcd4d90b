from __future__ import annotations

import sqlite3
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dragoman.databases import Database, connect
from dragoman.errors import SetupError
from dragoman.metrics.case import Case
from dragoman.metrics.digest import Bound
from dragoman.metrics.gold import GoldCache
from dragoman.metrics.judge import judge, judge_case
from dragoman.metrics.rules import RULES
from dragoman.metrics.verdict import Verdict
from dragoman.questions import Example, Question

FIXTURES = Path(__file__).parents[1] / "fixtures" / "judging"
CASES: list[dict[str, Any]] = tomllib.loads((FIXTURES / "cases.toml").read_text("utf-8"))["case"]
GOLD = GoldCache()


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    path = tmp_path_factory.mktemp("judging") / "judging.sqlite"
    with sqlite3.connect(path) as connection:
        connection.executescript((FIXTURES / "tables.sql").read_text("utf-8"))
    opened = connect(str(path))
    yield opened
    opened.close()


def example(sql: str, *alternatives: str) -> Example:
    return Example(Question("?"), sql, alternatives=alternatives)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['section']} {case['name']}")
def test_every_rule_on_every_flaw(case: dict[str, Any], database: Database) -> None:
    trial = Case(example(case["gold"]), case["predicted"], database, GOLD)
    found = {rule: str(judge_case(trial, rule).verdict) for rule in case["verdicts"]}
    assert found == case["verdicts"]
    if "soft_f1" in case:
        assert judge_case(trial, "bird_soft_f1").score == pytest.approx(case["soft_f1"], abs=1e-4)


def test_the_flaws_of_every_section_have_a_case() -> None:
    assert {case["section"] for case in CASES} >= {"5.1", "5.2", "5.3", "5.4", "5.6", "wrong numbers", "verdicts"}
    names = [case["name"] for case in CASES]
    assert len(names) == len(set(names))


def test_any_gold_query_may_match(database: Database) -> None:
    several = example("SELECT id FROM person", "SELECT name FROM person")
    assert judge(several, "SELECT name FROM person", database).correct
    assert judge(several, "SELECT age FROM person", database).verdict is Verdict.WRONG


def test_a_broken_gold_query_beside_a_good_one_does_not_count(database: Database) -> None:
    several = example("SELECT nothing FROM person", "SELECT name FROM person")
    assert judge(several, "SELECT name FROM person", database).correct
    assert judge(several, "SELECT age FROM person", database).verdict is Verdict.WRONG


def test_an_open_tie_beside_a_wrong_alternative_stays_open(database: Database) -> None:
    open_tie = example("SELECT name FROM person", "SELECT DISTINCT name FROM person ORDER BY age DESC LIMIT 1")
    other = "SELECT DISTINCT name FROM person ORDER BY age DESC, name DESC LIMIT 1"
    assert judge(open_tie, other, database).verdict is Verdict.UNSCORED


def test_an_order_that_cannot_be_seen_is_not_scored(database: Database) -> None:
    # The bound leaves room for the rows of the gold query, and none for a rank beside each.
    sql = "SELECT *, age FROM person ORDER BY age"
    gold = example(sql)
    cache = GoldCache(Bound(keep=GOLD.digest(database, sql).bytes))
    assert judge(gold, f"{sql} DESC", database, gold=cache).verdict is Verdict.UNSCORED
    assert judge(gold, sql, database, gold=cache).correct
    assert judge(gold, "SELECT *, id FROM person", database, gold=cache).verdict is Verdict.WRONG


def test_a_random_gold_query_beside_a_good_one_does_not_count(database: Database) -> None:
    several = example("SELECT id FROM person ORDER BY RANDOM() LIMIT 1", "SELECT MIN(id) FROM person")
    assert judge(several, "SELECT 1", database).correct
    assert judge(several, "SELECT 2", database).verdict is Verdict.WRONG


def test_a_query_that_never_ends_is_a_timeout(database: Database) -> None:
    endless = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT COUNT(*) FROM n"
    found = judge(example("SELECT 1"), endless, database, gold=GoldCache(Bound(seconds=0.2)))
    assert found.verdict is Verdict.TIMEOUT
    assert found.score == 0


def test_results_beyond_the_bound_are_not_scored(database: Database) -> None:
    gold = GoldCache(Bound(bytes=10))
    assert judge(example("SELECT name FROM person"), "SELECT name FROM person", database, gold=gold).verdict is (
        Verdict.UNSCORED
    )


def test_large_results_are_judged_by_their_digests(database: Database) -> None:
    gold = GoldCache(Bound(keep=10, again=10))
    ordered = example("SELECT id, name FROM person ORDER BY id")
    assert judge(ordered, "SELECT id, name FROM person ORDER BY id", database, gold=gold).correct
    assert judge(ordered, "SELECT id, city FROM person ORDER BY id", database, gold=gold).verdict is Verdict.WRONG
    assert judge(ordered, "SELECT id, name FROM person WHERE id < 5", database, gold=gold).verdict is Verdict.WRONG
    turned = judge(ordered, "SELECT id, name FROM person ORDER BY id DESC", database, gold=gold)
    assert turned.verdict is Verdict.UNSCORED
    free = example("SELECT id, name FROM person")
    assert judge(free, "SELECT id, name FROM person ORDER BY id DESC", database, gold=gold).correct


def test_a_second_pass_decides_what_digests_cannot(database: Database) -> None:
    noisy = example("SELECT id, score + 0.1 FROM person ORDER BY id")
    answer = "SELECT id, score + 0.3 - 0.2 FROM person ORDER BY id"
    assert judge(noisy, answer, database, gold=GoldCache(Bound(keep=10))).correct
    assert judge(noisy, answer, database, gold=GoldCache(Bound(keep=10, again=10))).verdict is Verdict.UNSCORED


def test_flags_of_a_judgement_do_not_depend_on_the_verdict(database: Database) -> None:
    right = judge(example("SELECT 1"), 'SELECT 1 WHERE "x" = "x"', database, rule="bird_execution")
    assert right.correct
    assert right.invalid_reference
    both = judge(example("SELECT 1"), "SELECT nothing, INITCAP(name) FROM person", database)
    assert both.invalid_reference


def test_references_count_in_parts_that_never_run(database: Database) -> None:
    syntax_first = judge(example("SELECT 1"), "SELECT surname FROM person WHERE name MATCH 'x'", database)
    assert syntax_first.invalid_reference


def test_gold_results_are_computed_once(database: Database) -> None:
    cache = GoldCache()
    first = cache.digest(database, "SELECT name FROM person")
    assert cache.digest(database, "SELECT name FROM person") is first


def test_the_cache_lets_go_of_what_is_not_used(database: Database) -> None:
    cache = GoldCache(most=10)
    first = cache.digest(database, "SELECT 1")
    cache.digest(database, "SELECT 2")
    assert cache.digest(database, "SELECT 1") is not first


def test_a_rule_that_nobody_knows_is_named(database: Database) -> None:
    with pytest.raises(SetupError, match="Choose one of strict"):
        judge(example("SELECT 1"), "SELECT 1", database, rule="exact")


def test_every_rule_stands_in_the_list_under_its_own_name() -> None:
    assert {name: rule.__name__ for name, rule in RULES.items()} == {name: name for name in RULES}
