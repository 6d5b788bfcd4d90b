"""The published methods over the demo database, with replies written by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from dragoman.compose import cache_folder
from dragoman.databases import Database, connect
from dragoman.demo import open_demo
from dragoman.linking.build_value_index import open_value_index
from dragoman.linking.value_index import ValueIndex
from dragoman.models import ModelsByRole
from dragoman.models.scripted import read_script
from dragoman.questions import Question
from dragoman.solver import Draw
from dragoman.workflows import METHODS, Method
from dragoman.workflows.chase import Chase, chase
from dragoman.workflows.zero_shot import Asking

FOLDER = Path(__file__).resolve().parents[1] / "fixtures" / "recorded" / "methods"
ASKED = {
    "slowest-carrier": "Which carrier took longest on average, from shipping to delivery, for orders to Germany in "
    "2025?",
    "countries-without-orders": "Which countries have customers none of whom has ever ordered?",
}
ROLES = {
    ("slowest-carrier", "c3_unified"): {"linker": 1, "generator": 3},
    ("slowest-carrier", "din_sql"): {"linker": 1, "classifier": 1, "generator": 1, "corrector": 1},
    ("slowest-carrier", "mac_sql"): {"linker": 1, "generator": 1, "corrector": 1},
    ("slowest-carrier", "chase"): {"linker": 2, "generator": 5, "judge": 2},
    ("countries-without-orders", "c3_unified"): {"linker": 1, "generator": 3},
    ("countries-without-orders", "din_sql"): {"linker": 1, "classifier": 1, "generator": 1, "corrector": 1},
    ("countries-without-orders", "mac_sql"): {"linker": 1, "generator": 1, "corrector": 1},
    ("countries-without-orders", "chase"): {"linker": 2, "generator": 5, "corrector": 4},
}
RIGHT = {
    "slowest-carrier": """SELECT name FROM (
            SELECT c.name, AVG(julianday(s.delivered_at) - julianday(s.shipped_at)) AS days
            FROM shipments s JOIN carriers c ON c.carrier_id = s.carrier_id JOIN orders o ON o.order_id = s.order_id
            JOIN addresses a ON a.address_id = o.address_id
            WHERE a.country_code = 'DE' AND substr(o.ordered_at, 1, 4) = '2025' GROUP BY c.name)
        ORDER BY days DESC LIMIT 1""",
    "countries-without-orders": """SELECT n.name FROM countries n JOIN customers c ON c.country_code = n.code
        LEFT JOIN orders o ON o.customer_id = c.customer_id GROUP BY n.name HAVING COUNT(o.order_id) = 0""",
}


@pytest.fixture(scope="module")
def demo() -> Iterator[tuple[Database, ValueIndex]]:
    database = connect(str(open_demo(cache_folder())))
    yield database, open_value_index(database, cache_folder() / "values")
    database.close()


def method_of(name: str) -> Method:
    """The method, of CHASE one candidate of each generator."""
    if name == "chase":
        return lambda database, models, asking: chase(database, models, asking, Chase(candidates=1, workers=1))
    return METHODS[name]


@pytest.mark.parametrize(("question", "name"), ROLES)
def test_the_replies_lead_to_the_right_answer(demo: tuple[Database, ValueIndex], question: str, name: str) -> None:
    database, index = demo
    model = read_script(FOLDER / question / f"{name}.jsonl")
    asking = Asking("Wednesday, 2025-12-31 (CET, UTC+0100)", match=index.match)
    answer = method_of(name)(database, ModelsByRole(model), asking)(Question(ASKED[question]), Draw())
    calls: Counter[str] = Counter()
    for step in answer.steps:
        calls[step.role] += step.usage.calls
    assert +calls == ROLES[question, name]
    assert len(model.requests) == len((FOLDER / question / f"{name}.jsonl").read_text("utf-8").splitlines())
    assert answer.rows is not None
    assert sorted(answer.rows) == sorted(database.execute(RIGHT[question]))
