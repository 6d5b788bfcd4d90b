"""Confidence on answers, answers that are held back, and the question that names two readings."""

from __future__ import annotations

import pytest

from dragoman.bench.fit_selector import fit_selector
from dragoman.databases import Database
from dragoman.ensemble import Voting, vote
from dragoman.ensemble.abstain import Doubt, confident
from dragoman.ensemble.clarify import clarify
from dragoman.ensemble.confidence import NAMES, Calibration, digest_of
from dragoman.ensemble.selector import Selector
from dragoman.questions import Question
from dragoman.solver import Answer, Candidate, Draw, Failure
from dragoman.statistics import Isotonic
from dragoman.statistics.boosting import Boosting
from dragoman.statistics.logistic import Logistic
from tests.bench.made_pools import made_lines
from tests.ensemble.pools import ASKED, saying

ORDERS = "SELECT COUNT(*) FROM orders"
BUYERS = "SELECT COUNT(DISTINCT customer_id) FROM orders"


@pytest.fixture(scope="module")
def selector() -> Selector:
    return fit_selector(made_lines(100, 0), Boosting(rounds=10))


def by_share(selector: Selector) -> Calibration:
    """A calibration whose confidence is the class's share."""
    weights = Logistic(tuple(float(name == "share") for name in NAMES), 0.0)
    shares = [n / 100 for n in range(101)]
    odds = [weights([share if name == "share" else 0.0 for name in NAMES]) for share in shares]
    return Calibration(weights, Isotonic(tuple(odds), tuple(shares)), digest_of(selector))


def asked(database: Database, selector: Selector, queries: list[str], least: float) -> Answer:
    solve = vote(saying(database, queries), database, Voting(len(queries)))
    return confident(solve, database, Doubt(by_share(selector), selector, least))(ASKED, Draw())


def test_an_answer_that_is_sure_enough_is_given_with_its_confidence(shop: Database, selector: Selector) -> None:
    answer = asked(shop, selector, [ORDERS, ORDERS, BUYERS, "SELECT nope"], 0.5)
    assert answer.sql == ORDERS
    assert answer.confidence == pytest.approx(0.5)
    assert answer.error is None
    assert answer.steps[-1].data == {"confidence": 0.5, "least": 0.5}


def test_one_that_is_not_is_held_back_with_a_question_that_names_both_readings(
    shop: Database, selector: Selector
) -> None:
    answer = asked(shop, selector, [ORDERS, ORDERS, BUYERS, "SELECT nope"], 0.6)
    assert (answer.sql, answer.rows) == ("", None)
    assert len(answer.candidates) == 4
    assert answer.error is not None
    assert answer.error.code == "abstained"
    assert "50%, and 60% are asked for" in answer.error.message
    assert "the number of rows" in answer.error.message
    assert "the number of different customer_id" in answer.error.message


def test_without_another_reading_there_is_no_question(shop: Database, selector: Selector) -> None:
    answer = asked(shop, selector, [ORDERS, "SELECT nope", "SELECT nope"], 0.6)
    assert answer.error is not None
    assert "Which do you mean" not in answer.error.message


def test_a_query_that_was_mended_is_a_class_of_its_own(shop: Database, selector: Selector) -> None:
    """Its drafts were tries of the same solver, compared by nobody; it is no less an answer for them."""
    mended = Candidate(ORDERS, shop.execute(ORDERS))
    drafts = (Candidate("SELECT nope", error=Failure("query", "No column is called nope.")), Candidate(BUYERS), mended)

    def solve(question: Question, draw: Draw) -> Answer:
        return Answer(ORDERS, mended.rows, candidates=drafts)

    answer = confident(solve, shop, Doubt(by_share(selector), selector, 0.3))(ASKED, Draw())
    assert answer.sql == ORDERS
    assert answer.confidence == pytest.approx(1 / 3, abs=0.01)


def test_what_failed_keeps_its_own_error(shop: Database, selector: Selector) -> None:
    answer = asked(shop, selector, ["SELECT nope", "SELECT nope"], 0.6)
    assert answer.error is not None
    assert answer.error.code != "abstained"
    assert answer.confidence == 0.0


def test_a_single_candidate_has_a_confidence_too(shop: Database, selector: Selector) -> None:
    rows = shop.execute(ORDERS)
    solve = confident(
        lambda q, d: Answer(ORDERS, rows, candidates=(Candidate(ORDERS, rows),)),
        shop,
        Doubt(by_share(selector), selector),
    )
    assert solve(ASKED, Draw()).confidence == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("one", "other", "question"),
    [
        (
            "SELECT name FROM customer WHERE country = 'FR'",
            "SELECT name FROM customer",
            "Which do you mean: (1) only where country is FR; or (2) without that condition?",
        ),
        (
            "SELECT name FROM customer WHERE country = 'FR' AND name = 'Ann'",
            "SELECT name FROM customer WHERE country = 'FR' AND name = 'Bo'",
            "Which do you mean: (1) only where name is Ann; or (2) only where name is Bo?",
        ),
        (
            "SELECT name FROM customer ORDER BY name LIMIT 1",
            "SELECT name, country FROM customer ORDER BY name LIMIT 1",
            "Which do you mean: (1) showing name; or (2) showing name and country?",
        ),
        (
            "SELECT country, COUNT(*) FROM customer GROUP BY country",
            "SELECT country, COUNT(*) FROM customer",
            "Which do you mean: (1) one row for each country; or (2) without grouping?",
        ),
        (
            "SELECT c.name FROM customer c JOIN orders o ON o.customer_id = c.customer_id",
            "SELECT c.name FROM customer c LEFT JOIN orders o ON o.customer_id = c.customer_id",
            "Which do you mean: (1) a result of 3 rows; or (2) a result of 4 rows?",
        ),
    ],
)
def test_the_question_names_where_the_queries_differ(shop: Database, one: str, other: str, question: str) -> None:
    first, second = (Candidate(sql, shop.execute(sql)) for sql in (one, other))
    assert clarify(first, second, shop.schema()) == question
