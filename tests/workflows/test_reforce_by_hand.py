"""ReFoRCE on the warehouse with a thoughtful model, replayed offline."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from dragoman.agent.transcript import transcript_line
from dragoman.bench.stages import stages
from dragoman.databases import Database, connect
from dragoman.databases.duckdb import NO_EXTENSIONS
from dragoman.demo.warehouse import needs_exploration
from dragoman.metrics.rows_match import rows_match
from dragoman.models import RecordedModel
from dragoman.models.recorded import read_recordings
from dragoman.solver import Answer
from tests.workflows.reforce_by_hand import HOW, Run, runs, standings

UNSOLVED_AT_FIRST = {"tracked-revenue-euro"}
SOLVED_SINCE = {"motor-temperature", "late-parcels-kpi", "ticket-feature", "survey-quiet"}
"""Recorded when the guard could not read UNPIVOT. The query that it turned away runs now, so that the first round
agrees and the later replies, with the exploration of the first three, are not asked for."""
RUNS = runs()
ALL = [pytest.param(run, id=str(run), marks=[] if run is RUNS[-1] else [pytest.mark.slow]) for run in RUNS]
"""Each takes a second or two, most of it for the schema's text; one is enough for every day."""


@pytest.fixture(scope="module")
def warehouse(warehouse_path: Path) -> Iterator[Database]:
    """Read by one thread: with several, DuckDB gives rows without an order in another one each time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(NO_EXTENSIONS, "threads", 1)
        with closing(connect(str(warehouse_path))) as database:
            yield database


def test_there_are_enough_runs_and_all_were_answered_by_hand() -> None:
    assert len(RUNS) >= 12
    assert needs_exploration() >= UNSOLVED_AT_FIRST | {"motor-temperature", "late-parcels-kpi", "ticket-feature"}
    for run in RUNS:
        assert {recording.answered_by for recording in read_recordings(run.path).values()} == {"hand"}


@pytest.mark.parametrize("run", ALL)
def test_a_run_replays_to_the_same_bytes_and_is_right(warehouse: Database, run: Run, tmp_path: Path) -> None:
    """The replies are given to the prompts as they are now; the record of that run replays to the same bytes."""
    answer = run.record_again(warehouse, tmp_path / "again.jsonl")
    again = run.answer(warehouse, RecordedModel(tmp_path / "again.jsonl"))
    lines = [transcript_line("reforce", run.example.question, "duckdb", a) for a in (answer, again)]
    assert lines[0] == lines[1]
    assert is_right(run, answer, warehouse)
    assert standings(answer) == (["scattered", "agreed"] if str(run) in UNSOLVED_AT_FIRST else ["agreed"])
    unused = len(read_recordings(run.path)) - answer.usage.calls
    assert unused > 0 if str(run) in SOLVED_SINCE else unused == 0


@pytest.mark.slow
@pytest.mark.parametrize("run", [run for run in RUNS if str(run) in UNSOLVED_AT_FIRST], ids=str)
def test_without_exploration_it_stays_open(warehouse: Database, run: Run) -> None:
    answer = run.answer(warehouse, run.script(), replace(HOW, explore="never", final_pick=False))
    assert standings(answer) == ["scattered"]
    assert answer.error is not None
    assert answer.error.code == "undecided"


def test_exploration_is_counted_apart(warehouse: Database, tmp_path: Path) -> None:
    run = next(run for run in RUNS if str(run) == "tracked-revenue-euro")
    found = stages(run.record_again(warehouse, tmp_path / "again.jsonl").steps)
    explored = [stage for stage in found if stage.name == "explore"]
    assert [(stage.round, stage.candidate) for stage in explored] == [(2, 1), (2, 2), (2, 3)]
    assert [stage.usage.calls for stage in explored] == [4, 1, 1], "corrections and what was carried over"
    assert [stage.executions for stage in explored] == [6, 3, 3]


def is_right(run: Run, answer: Answer, database: Database) -> bool:
    assert answer.rows is not None
    return rows_match(answer.rows, database.execute(run.example.sql))
