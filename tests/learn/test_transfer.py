"""Seeds and learned pool on other engines and other work, answered by hand (experiments/learn_transfer.py), offline."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from experiments.learn_targets import QUESTIONS, Target, demo_copies, demo_targets, warehouse_targets
from experiments.learn_transfer import ARMS, recording_of, table

from dragoman.databases import Database, Limits
from dragoman.demo import workload
from dragoman.errors import SetupError
from dragoman.metrics.rows_match import rows_match
from experiments import learn_transfer


def found(targets: Sequence[Target]) -> dict[str, list[tuple[int, int, int, float]]]:
    """Target -> of seeds and of the learned pool: right by the text, by the vote, by any agent; likeness of engines."""
    return {
        row.target.name: [
            (sum(row.text(arm)), sum(row.selected(arm)), sum(row.covered(arm)), round(row.alike(arm), 2))
            for arm in ARMS
        ]
        for row in table(targets)
    }


ALL_RIGHT = [(12, 12, 12, 1.0)] * 2


@pytest.fixture(scope="module")
def in_duckdb() -> Iterator[tuple[Target, ...]]:
    """The questions and the repairs in DuckDB."""
    with demo_targets(["duckdb"]) as targets:
        yield targets


def test_in_duckdb(in_duckdb: Sequence[Target]) -> None:
    assert found(in_duckdb) == {"demo_duckdb": ALL_RIGHT, "debugging_duckdb": ALL_RIGHT}


@pytest.mark.slow
def test_in_sqlite_and_postgres() -> None:
    with demo_targets(["sqlite", "postgres"]) as targets:
        assert found(targets) == {target.name: ALL_RIGHT for target in targets}


@pytest.mark.slow
def test_the_warehouse_in_duckdb_and_postgres() -> None:
    with warehouse_targets() as targets:
        assert found(targets) == {target.name: [(10, 10, 12, 1.0), (12, 12, 12, 1.0)] for target in targets}


def test_a_reply_that_was_not_recorded_fails(
    in_duckdb: Sequence[Target], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    repairs = in_duckdb[1]
    lines = recording_of(repairs).read_text("utf-8").splitlines(keepends=True)
    monkeypatch.setattr(learn_transfer, "RECORDED", tmp_path)
    recording_of(repairs).write_text("".join(lines[-2:]), "utf-8")
    with pytest.raises(SetupError, match="was not recorded"):
        table([repairs])


@pytest.mark.slow
def test_the_copies_hold_the_same() -> None:
    asked = [e for e in workload().examples if e.question.id in QUESTIONS]
    assert len(asked) == len(QUESTIONS)
    with demo_copies() as (first, *others):
        for example in asked:
            rows = first.execute(example.sql, Limits(rows=None))
            assert all(rows_match(copy.execute(example.sql, Limits(rows=None)), rows) for copy in others)
        assert all(names(copy) == names(first) for copy in others)


def names(database: Database) -> dict[str, list[str]]:
    """Columns by table, whatever the case of the engine's names."""
    return {table.name.lower(): [column.name.lower() for column in table.columns] for table in database.schema()}
