"""Runs with a thoughtful model, replayed offline."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from dragoman.agent.debugging import demo_tasks, problems
from dragoman.agent.trajectory import similarity_matrix, trajectory
from dragoman.agent.transcript import transcript_line
from dragoman.databases import Database, connect
from dragoman.demo import build
from dragoman.metrics.rows_match import rows_match
from dragoman.models import RecordedModel
from dragoman.models.recorded import read_recordings
from dragoman.questions import Question
from tests.agent.by_hand import answer_by_hand, record_again, runs

RUNS = list(runs())
TASKS = {task.id: task for task in demo_tasks()}
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
    "december-growth": "SELECT 100.0 * SUM(CASE WHEN ordered_on >= '2025' THEN total_cents END) /"
    " SUM(CASE WHEN ordered_on < '2025' THEN total_cents END) - 100 FROM order_totals WHERE status <> 'cancelled'"
    " AND substr(ordered_on, 1, 7) IN ('2024-12', '2025-12')",
}


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    path = tmp_path_factory.mktemp("demo") / "demo.sqlite"
    build(path)
    database = connect(str(path))
    yield database
    database.close()


def test_there_are_enough_runs_and_all_were_answered_by_hand() -> None:
    per_skill = Counter(skill for skill, _, _ in RUNS)
    assert len(RUNS) >= 20
    assert sum(number >= 5 for number in per_skill.values()) >= 3
    for _, _, path in RUNS:
        assert {recording.answered_by for recording in read_recordings(path).values()} == {"hand"}


@pytest.mark.parametrize(("skill", "question", "path"), RUNS, ids=[f"{skill} {q.id}" for skill, q, _ in RUNS])
def test_a_run_replays_to_the_same_bytes_and_is_right(
    demo: Database, skill: str, question: Question, path: Path, tmp_path: Path
) -> None:
    answer = answer_by_hand(demo, skill, question, RecordedModel(path))
    again = record_again(demo, skill, question, path, tmp_path / "again.jsonl")
    assert (tmp_path / "again.jsonl").read_bytes() == path.read_bytes()
    lines = [transcript_line(skill, question, "sqlite", a) for a in (answer, again)]
    assert lines[0] == lines[1]
    assert answer.steps[-1].data["reason"] == "submitted"
    assert answer.rows is not None
    if question.id in TASKS:
        assert problems(TASKS[question.id], demo, answer.sql) == ()
    else:
        assert rows_match(answer.rows, demo.execute(CHECKED[question.id]))


def test_skills_change_what_is_done(demo: Database) -> None:
    done: dict[str, dict[str, tuple[str, ...]]] = {}
    for skill, question, path in RUNS:
        if skill != "repair":
            answer = answer_by_hand(demo, skill, question, RecordedModel(path))
            done.setdefault(skill, {})[question.id] = trajectory(answer.steps, "sqlite")
    matrix = similarity_matrix(done)
    others = [matrix[i][j] for i in range(len(matrix)) for j in range(i)]
    assert max(others) < 0.85
