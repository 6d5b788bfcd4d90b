"""The embedded model over databases that it was not made for: every answer is SQL over names that exist."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path

import pytest

from dragoman import compose
from dragoman.databases import connect
from dragoman.models import ModelsByRole
from dragoman.models.embedded import EmbeddedModel
from dragoman.questions import Question
from dragoman.solver import Draw
from dragoman.sql.parse import parse
from dragoman.sql.references import unresolved
from tests.shared_data import shared_data

A_DATABASE = 4
DATABASES = 25


@pytest.mark.slow
def test_a_hundred_questions_over_spider(
    embedded_model: EmbeddedModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DRAGOMAN_CACHE", str(tmp_path))
    root = shared_data("data", "spider")
    questions: dict[str, list[str]] = defaultdict(list)
    for file in ("dev.json", "train_spider.json"):
        for record in json.loads((root / file).read_text("utf-8")):
            questions[record["db_id"]].append(record["question"])
    present = [name for name in questions if (root / "database" / name / f"{name}.sqlite").exists()]
    answered = 0
    for name in present[:DATABASES]:
        database = connect(str(root / "database" / name / f"{name}.sqlite"))
        solve = compose.solver_for(compose.SolverSettings(), ModelsByRole(embedded_model))(database)
        for question in questions[name][:: max(1, len(questions[name]) // A_DATABASE)][:A_DATABASE]:
            answer = solve(Question(question), Draw())
            assert answer.sql, question
            assert unresolved(parse(answer.sql, "sqlite"), database.schema()) == (), (question, answer.sql)
            assert answer.error is None or answer.error.code in ("query", "timeout"), (question, answer)
            answered += 1
        database.close()
    assert answered >= 4 * min(DATABASES, len(present))


def test_a_second_question_costs_only_its_own_tokens(
    embedded_model: EmbeddedModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DRAGOMAN_CACHE", str(tmp_path))
    database = compose.open_database(compose.SolverSettings())
    solve = compose.solver_for(compose.SolverSettings(), ModelsByRole(embedded_model))(database)
    solve(Question("How many customers do we have?"), Draw())
    answer = solve(Question("How many customers are there?"), Draw())
    own = answer.usage.prompt_tokens - answer.usage.cached_tokens
    assert own < 30
    assert answer.rows is not None
