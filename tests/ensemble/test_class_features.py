"""What a selector knows of classes."""

from __future__ import annotations

import pytest

from dragoman.ensemble.class_features import class_features
from dragoman.ensemble.question_fit import question_fit
from dragoman.ensemble.signals import Signals

COUNT = Signals("SELECT COUNT(*) FROM orders", "plain", 0, "", 1, 1, 0.0, -0.1)
LONGER = Signals("SELECT COUNT(orders.order_id) FROM orders", "agent", 0, "", 1, 1, 0.0, -0.3)
EMPTY = Signals("SELECT name FROM customer WHERE country = 'XX'", "plain", 1, "", 0, 1, None, -0.9)
BROKEN = Signals("SELECT nope FROM orders", "agent", None, "query")


def test_classes_carry_agreement_execution_likelihood_and_structure() -> None:
    pool = [LONGER, EMPTY, COUNT, BROKEN]
    first, second = class_features("How many orders are there?", "sqlite", pool)
    assert (first.members, first.standing, second.members) == ((0, 2), 2, (1,))
    wanted = {"share": 0.5, "lead": 0.25, "first": 1.0, "failed": 0.25, "sources": 1.0, "logprob": -0.1}
    assert {name: first.features[name] for name in wanted} == wanted
    assert first.features["logprob_lead"] == pytest.approx(0.8)
    assert (second.features["no_rows"], second.features["nulls"], second.features["tables"]) == (1.0, None, 1.0)
    assert first.features.keys() == second.features.keys()


def test_a_pool_without_results_has_no_class_and_odd_sql_has_unknown_structure() -> None:
    assert class_features("?", "sqlite", [BROKEN, BROKEN]) == ()
    (odd,) = class_features("?", "sqlite", [Signals("not a query (", group=0, rows=1, columns=1)])
    assert odd.features["tables"] is None


@pytest.mark.parametrize(
    ("question", "sql", "name", "value"),
    [
        ("How many orders are there?", "SELECT COUNT(*) FROM orders", "cue_count", 3.0),
        ("How many orders are there?", "SELECT * FROM orders", "cue_count", 2.0),
        ("List all orders.", "SELECT COUNT(*) FROM orders", "cue_count", 1.0),
        ("List all orders.", "SELECT * FROM orders", "cue_count", 0.0),
        ("Who did not buy?", "SELECT name FROM c EXCEPT SELECT name FROM b", "cue_negation", 3.0),
        ("Notes of all", "SELECT note FROM n", "cue_negation", 0.0),
        ("Which is the oldest?", "SELECT n FROM t WHERE x = 'LIMIT'", "cue_extreme", 2.0),
        ("Orders over 500 by Ann", "SELECT * FROM o WHERE a > 500", "values_found", 0.5),
        ("List all orders.", "SELECT 1", "values_found", None),
        ("customer names", "SELECT cust.customerName FROM customers AS cust", "words_named", 1.0),
    ],
)
def test_how_a_question_fits_a_query(question: str, sql: str, name: str, value: float | None) -> None:
    assert question_fit(question, sql)[name] == value
