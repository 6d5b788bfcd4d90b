"""On very long queries over a hard schema names are not what fails: refinement must abstain there, and does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from dragoman.apps.refine_ways import verifiers
from dragoman.compose import SolverSettings, open_models
from dragoman.databases import Database, connect
from dragoman.databases.guarded_database import GuardedDatabase
from dragoman.questions import Question
from dragoman.refine.applicability import Bounds
from dragoman.refine.propose import Proposal
from dragoman.refine.refine import RefineSettings, Ways, refine
from dragoman.refine.screen import Judgement
from dragoman.refine.subject import Subject
from dragoman.refine.trials import Verifier
from dragoman.solver import Draw
from tests.refine.freight import build_freight, freight_workload
from tests.refine.test_verify import executing


@pytest.fixture
def freight(tmp_path: Path) -> Iterator[GuardedDatabase]:
    path = tmp_path / "freight.sqlite"
    build_freight(path)
    database = connect(str(path))
    assert isinstance(database, GuardedDatabase)
    yield database
    database.close()


def never_propose(about: Sequence[Subject]) -> list[Proposal]:
    raise AssertionError("names were proposed")


def never_screen(about: Sequence[Subject]) -> list[Judgement]:
    raise AssertionError("names were screened")


def plain(question: Question, draw: Draw, database: Database) -> str:
    """What a small model writes: the table that shares most words with the question, counted."""
    tables = sorted(database.schema(), key=lambda table: (-sum(table.name[:3] in w for w in question.text.split()), 0))
    return f"SELECT count(*) FROM {tables[0].name}"


def test_every_gold_query_runs_and_says_something(freight: GuardedDatabase) -> None:
    for example in freight_workload():
        assert freight.execute(example.sql).rows, example.question.id
        assert example.sql.count("\n") >= 9


def test_it_abstains_before_anything_is_screened_or_proposed(freight: GuardedDatabase) -> None:
    ways = Ways(never_screen, never_propose, [Verifier("one", executing(plain)), Verifier("two", executing(plain))])
    found = refine(freight, freight_workload(), ways)
    assert not found.refinement
    assert found.unjudged == {}
    assert found.applicability is not None
    assert found.applicability.accuracy is not None
    assert found.applicability.accuracy.high < 0.10
    assert "0 of 48 right under the old names" in found.declined


DRAWN = (Draw(), Draw(seed=1, temperature=0.7))
"""The likeliest answer and a drawn one: two settings of the embedded model that differ."""


@pytest.mark.slow
def test_it_abstains_with_the_embedded_model(freight: GuardedDatabase, weights: Path) -> None:
    settings = SolverSettings(today="2025-12-31", timeout=5.0)
    judges = verifiers(settings, open_models(settings), ["zero_shot"])
    fewest = RefineSettings(draws=DRAWN, bounds=Bounds(sample=20))  # 40 wrong answers are the fewest that decide
    found = refine(freight, freight_workload(), Ways(never_screen, never_propose, judges), fewest)
    assert not found.refinement
    assert "of 40 right under the old names" in found.declined
