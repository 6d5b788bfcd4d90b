"""The debugging tasks on PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from dragoman.agent.debugging import DebuggingTask, demo_tasks, failed_checks, problems
from dragoman.databases import Database, Limits
from dragoman.errors import QueryError, Refused
from tests.agent.demo_postgres import demo_in_postgres

pytestmark = pytest.mark.slow
TASKS = demo_tasks("postgres")


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    with demo_in_postgres(tmp_path_factory.mktemp("demo")) as database:
        yield database


@pytest.mark.parametrize("task", TASKS, ids=[task.id for task in TASKS])
def test_the_query_shows_its_issue_and_the_reference_repairs_it(demo: Database, task: DebuggingTask) -> None:
    assert problems(task, demo, task.reference) == ()
    try:
        rows = demo.execute(task.sql, Limits(rows=None))
    except (QueryError, Refused):
        return
    assert failed_checks(task, rows)
