"""Judgements answered by hand over stored candidates for Spider, replayed: the prompts are still the recorded ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from dragoman.bench.run import read_lines
from dragoman.databases import connect
from dragoman.ensemble.model_judge import Judging, model_judge
from dragoman.ensemble.pool import pool_of
from dragoman.ensemble.tournament import Tournament, tournament
from dragoman.models.recorded import RecordedModel
from dragoman.questions import Question
from dragoman.solver import Answer, Draw, Failure
from tests.shared_data import shared_data

RECORDED = Path(__file__).parents[1] / "fixtures" / "recorded" / "judge"
LINES = {line.id: line for line in read_lines(RECORDED)}


@pytest.mark.parametrize(("name", "right"), [("dev-25", True), ("dev-78", True), ("dev-148", False), ("dev-447", True)])
def test_the_tournament_chooses_as_it_did(name: str, right: bool) -> None:
    """The judge overrules a wrong majority (25, 78, 447), and once one that was right for no visible reason (148)."""
    line = LINES[name]
    database = connect(str(shared_data("data", "spider", "database", line.database, f"{line.database}.sqlite")))
    failed = Failure("query_error", "It had no result.")
    answers = [
        Answer(s.sql, error=failed) if s.group is None else Answer(s.sql, rows=database.execute(s.sql))
        for s in line.slots
    ]
    pool = pool_of(Question(line.question, id=line.id), Draw(), answers, database)
    how = Judging("Monday, 2026-11-30 (UTC, UTC+0000)")
    judge = model_judge(database, RecordedModel(RECORDED / "judge.jsonl"), how)
    choice = tournament(judge, Tournament(adaptive=True))(pool)
    database.close()
    assert not any(step.data.get("failure") for step in choice.steps)
    assert (line.slots[choice.place].verdict == "correct") == right
