"""Runs with a thoughtful model, replayed offline."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from dragoman.agent.debugging import demo_tasks, problems
from dragoman.agent.trajectory import trajectory
from dragoman.agent.transcript import transcript_line
from dragoman.databases import Database
from dragoman.metrics.rows_match import rows_match
from dragoman.models import RecordedModel
from dragoman.models.recorded import read_recordings
from dragoman.solver import Answer
from dragoman.statistics import similarity_matrix
from tests.agent.by_hand import Run, runs
from tests.agent.demo_postgres import demo_in_postgres

RUNS = runs()
ON_SQLITE = [run for run in RUNS if not run.on_postgres]
ON_POSTGRES = [run for run in RUNS if run.on_postgres]


def _marks(run: Run) -> list[pytest.MarkDecorator]:
    """NOT EXISTS over a column without an index takes seconds."""
    return [pytest.mark.slow] if run.path.stem == "not-in-null" else []


CHECKED = {
    "app-returns": "SELECT 100.0 * (SELECT COUNT(*) FROM orders WHERE channel = 'app' AND ordered_at LIKE '2025%' AND"
    " status = 'returned') / (SELECT COUNT(*) FROM orders WHERE channel = 'app' AND ordered_at LIKE '2025%')",
    "slowest-carrier": "SELECT c.name FROM carriers c ORDER BY (SELECT AVG(strftime('%s', s.delivered_at) -"
    " strftime('%s', s.shipped_at)) FROM shipments s, orders o, addresses a WHERE s.carrier_id = c.carrier_id AND"
    " o.order_id = s.order_id AND a.address_id = o.address_id AND a.country_code = 'DE' AND"
    " substr(o.ordered_at, 1, 4) = '2025') DESC LIMIT 1",
    "dealer-credit": "SELECT COUNT(*) FROM CUST_MST WHERE cntry_cd = 'FR' AND stat_flg = 'A'"
    " AND crdt_bal_amt / crdt_lmt_amt > 0.8",
    "main-categories": "SELECT m.name, (SELECT COUNT(*) FROM products p WHERE p.status = 'active' AND p.category_id IN"
    " (SELECT category_id FROM categories c WHERE c.parent_id = m.category_id OR c.category_id = m.category_id))"
    " FROM categories m WHERE m.parent_id IS NULL",
    "best-seller-per-channel": "WITH sold AS (SELECT o.channel, i.product_id, SUM(i.quantity) AS pieces FROM orders o"
    " JOIN order_items i USING (order_id) WHERE o.ordered_at LIKE '2025%' AND o.status <> 'cancelled' GROUP BY 1, 2)"
    " SELECT s.channel, p.name, s.pieces FROM sold s JOIN products p USING (product_id) WHERE s.pieces ="
    " (SELECT MAX(pieces) FROM sold t WHERE t.channel = s.channel)",
    "customers-so-far": "SELECT m.month, (SELECT COUNT(*) FROM customers WHERE signed_up_at >= '2025-01-01' AND"
    " substr(signed_up_at, 1, 7) <= m.month) FROM monthly_revenue m WHERE m.month LIKE '2025%'",
    "countries-without-orders": "SELECT k.name FROM countries k JOIN customers c ON c.country_code = k.code"
    " LEFT JOIN orders o USING (customer_id) GROUP BY k.code HAVING COUNT(o.order_id) = 0",
    "category-shares": "WITH goods AS (SELECT COALESCE(c.parent_id, c.category_id) AS main, SUM(i.quantity *"
    " i.unit_price_cents - i.discount_cents) AS cents FROM order_items i JOIN orders o USING (order_id) JOIN products p"
    " USING (product_id) JOIN categories c USING (category_id) WHERE o.ordered_at LIKE '2025%' AND o.status <>"
    " 'cancelled' GROUP BY 1) SELECT (SELECT name FROM categories WHERE category_id = main), cents * 100.0 /"
    " (SELECT SUM(cents) FROM goods) FROM goods",
    "second-order": "WITH o AS (SELECT customer_id, julianday(ordered_at) AS at, ROW_NUMBER() OVER (PARTITION BY"
    " customer_id ORDER BY ordered_at) AS n FROM orders), d AS (SELECT b.at - a.at AS days FROM o a JOIN o b USING"
    " (customer_id) WHERE a.n = 1 AND b.n = 2), r AS (SELECT days, RANK() OVER (ORDER BY days) AS up, RANK() OVER"
    " (ORDER BY days DESC) AS down FROM d) SELECT AVG(days) FROM r WHERE ABS(up - down) <= 1",
    "late-deliveries": "SELECT SUM(satisfaction >= 4) FROM support_tickets WHERE topic = 'late_delivery' AND"
    " opened_at LIKE '2025%'",
    "december-growth": "SELECT 100.0 * SUM(CASE WHEN ordered_on >= '2025' THEN total_cents END) /"
    " SUM(CASE WHEN ordered_on < '2025' THEN total_cents END) - 100 FROM order_totals WHERE status <> 'cancelled'"
    " AND substr(ordered_on, 1, 7) IN ('2024-12', '2025-12')",
}


@pytest.fixture(scope="module")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    with demo_in_postgres(tmp_path_factory.mktemp("demo")) as database:
        yield database


def assert_right(run: Run, answer: Answer, database: Database) -> None:
    """The answer against the checks of its task, or against another query for its question."""
    name = run.path.stem
    tasks = {task.id: task for task in demo_tasks("postgres" if run.on_postgres else "sqlite")}
    assert answer.steps[-1].data["reason"] == "submitted"
    if name == "vegetarians":
        assert (answer.sql, answer.error) == ("", None)
        assert answer.text
        return
    assert answer.rows is not None
    if name in tasks:
        assert problems(tasks[name], database, answer.sql) == ()
    else:
        assert rows_match(answer.rows, database.execute(CHECKED[name]))


def test_there_are_enough_runs_and_all_were_answered_by_hand() -> None:
    per_skill = Counter(run.skill for run in RUNS)
    assert len(RUNS) >= 40
    assert sum(number >= 5 for number in per_skill.values()) >= 4
    assert len(ON_POSTGRES) >= 10
    for run in RUNS:
        assert {recording.answered_by for recording in read_recordings(run.path).values()} == {"hand"}


@pytest.mark.parametrize("run", [pytest.param(run, marks=_marks(run), id=str(run)) for run in ON_SQLITE])
def test_a_run_replays_to_the_same_bytes_and_is_right(demo: Database, run: Run, tmp_path: Path) -> None:
    """The replies are given to the prompts as they are now; the record of that run replays to the same bytes."""
    answer = run.record_again(demo, tmp_path / "again.jsonl")
    again = run.answer(demo, RecordedModel(tmp_path / "again.jsonl"))
    lines = [transcript_line(run.skill, run.question, "sqlite", a) for a in (answer, again)]
    assert lines[0] == lines[1]
    assert_right(run, answer, demo)


@pytest.mark.slow
@pytest.mark.parametrize("run", ON_POSTGRES, ids=str)
def test_a_run_on_postgres_replays_and_is_right(postgres: Database, run: Run, tmp_path: Path) -> None:
    assert_right(run, run.record_again(postgres, tmp_path / "again.jsonl"), postgres)


def test_skills_change_what_is_done(demo: Database, tmp_path: Path) -> None:
    done: dict[str, dict[str, tuple[str, ...]]] = {}
    for run in ON_SQLITE:
        if run.skill in ("draft_first", "explore", "decompose"):
            answer = run.record_again(demo, tmp_path / "again.jsonl")
            done.setdefault(run.skill, {})[run.path.stem] = trajectory(answer.steps, "sqlite")
    matrix = similarity_matrix(done)
    assert max(matrix[i][j] for i in range(3) for j in range(i)) < 0.85
