"""Practice questions run, and none has the form of a question that measures the model."""

from __future__ import annotations

from pathlib import Path

import pytest

from dragoman.databases import connect
from dragoman.demo import build, workload
from tests.training.conftest import TRAINING  # noqa: F401 - puts the training folder on the path

import practice  # isort: skip


@pytest.mark.slow
def test_practice_runs_and_keeps_clear_of_the_workload(tmp_path: Path) -> None:
    build(tmp_path / "demo.sqlite")
    demo = connect(str(tmp_path / "demo.sqlite"))
    asked = [e for e in workload().examples if e.sql]
    made = practice.practice(demo, 1, 2, (e.sql for e in asked))
    assert len(made) > 70
    assert made == practice.practice(demo, 1, 2, (e.sql for e in asked))
    forms = {practice.form(e.sql, demo.schema()) for e in asked}
    questions = {e.question.text.lower() for e in asked}
    for example in made:
        assert practice.form(example.sql, demo.schema()) not in forms
        assert example.question.text.lower() not in questions
        assert demo.execute(example.sql) is not None


@pytest.mark.slow
def test_written_practice_runs_and_keeps_clear_of_the_workload(tmp_path: Path) -> None:
    build(tmp_path / "demo.sqlite")
    demo = connect(str(tmp_path / "demo.sqlite"))
    asked = [e for e in workload().examples if e.sql]
    made = practice.written(demo, (e.sql for e in asked))
    assert len(made) > 1000
    forms = {practice.form(e.sql, demo.schema()) for e in asked}
    questions = {e.question.text.lower() for e in asked}
    assert len({example.question.id for example in made}) == len(made)
    for example in made:
        assert practice.form(example.sql, demo.schema()) not in forms
        assert example.question.text.lower() not in questions
