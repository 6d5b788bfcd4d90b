from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from dragoman.agent import AgentLimits, Toolbox, agent
from dragoman.agent.debugging import DebuggingTask, demo_tasks, failed_checks, problems, read_tasks
from dragoman.databases import Database, Limits, Rows
from dragoman.errors import QueryError, Refused, SetupError
from dragoman.models import ScriptedModel
from dragoman.solver import Draw
from tests.agent.script import TODAY, call

TASKS = demo_tasks()


def test_there_are_enough_tasks_of_many_kinds() -> None:
    assert len({task.id for task in TASKS}) == len(TASKS) >= 40
    assert len({task.category for task in TASKS}) >= 8
    assert all(len(task.checks) >= 2 for task in TASKS)


@pytest.mark.parametrize("task", TASKS, ids=[task.id for task in TASKS])
def test_the_query_shows_its_issue_and_the_reference_repairs_it(demo: Database, task: DebuggingTask) -> None:
    assert problems(task, demo, task.reference) == ()
    try:
        rows = demo.execute(task.sql, Limits(rows=None))
    except (QueryError, Refused):
        return
    assert failed_checks(task, rows)


def test_an_agent_repairs_a_query(demo: Database) -> None:
    task = TASKS[0]
    model = ScriptedModel([call("execute_sql", task.sql), call("submit_final_sql", task.reference)])
    answer = agent(demo, model, "Repair.", Toolbox(TODAY), AgentLimits())(task.question, Draw())
    assert task.issue in model.requests[0].messages[1].text
    assert task.sql in model.requests[0].messages[1].text
    assert problems(task, demo, answer.sql) == ()
    assert problems(task, demo, task.sql)
    assert "does not run" in problems(task, demo, "SELECT nothing")[0]


@pytest.mark.parametrize(
    ("kind", "asked", "passes"),
    [
        ("rows", 3, True),
        ("rows", 2, False),
        ("columns", 2, True),
        ("first", ["a", 1], True),
        ("first", ["a", 2], False),
        ("near", 1, False),
        ("total", [1, 4], True),
        ("total", [5, 4], False),
        ("total", [0, 4], False),
        ("least", [1, 1], True),
        ("nulls", [1, 1], True),
        ("nulls", [0, 1], False),
        ("count", [0, "a", 2], True),
        ("unique", [0, 1], True),
        ("unique", [0], False),
        ("between", [1, 0, 3], True),
        ("between", [1, 2, 3], False),
        ("sorted", [0, "asc"], False),
        ("sorted", [1, "asc"], False),
    ],
)
def test_checks_look_at_the_result(kind: str, asked: object, passes: bool) -> None:
    rows = Rows(("x", "y"), (("a", 1), ("b", None), ("a", 3)))
    task = replace(TASKS[0], checks=((kind, asked),))
    assert (failed_checks(task, rows) == ()) == passes


def test_tasks_that_cannot_be_read_are_named_by_line(tmp_path: Path) -> None:
    path = tmp_path / "tasks.jsonl"
    line = '{"id": "a", "category": "x", "issue": "i", "sql": "s", "reference": "r", "checks": [%s]}'
    path.write_text(f"{line % ''}\n{line % chr(123)}\n", "utf-8")
    with pytest.raises(SetupError, match="line 2"):
        read_tasks(path)
    path.write_text(line.replace("%s", '{"magic": 1}') + "\n", "utf-8")
    with pytest.raises(SetupError, match="unknown check magic"):
        read_tasks(path)


def test_tasks_may_be_written_for_another_dialect() -> None:
    changed = [a.id for a, b in zip(TASKS, demo_tasks("postgres"), strict=True) if a.sql != b.sql]
    assert "days-to-deliver" in changed
