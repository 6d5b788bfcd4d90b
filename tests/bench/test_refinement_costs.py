"""What refinement costs, from lines whose stages are known."""

from __future__ import annotations

import pytest

from dragoman.bench.line import Times, line_record, read_line
from dragoman.bench.refinement_costs import candidate_costs, refinement_section
from dragoman.bench.stages import Stage, StageCost, executions, stage_costs, stages
from dragoman.bench.stages_section import stages_section
from dragoman.models.model import Usage
from dragoman.report import Table
from dragoman.solver import Step
from tests.bench.lines import line


def stage(name: str, round_: int, candidate: int, calls: int, ran: int, tried: int = 0) -> Stage:
    return Stage(name, round_, candidate, Usage(calls, 100 * calls, 10 * calls), ran, tried)


STAGES = (
    stage("link", 0, 0, 4, 0),
    stage("refine", 1, 1, 1, 1, 1),
    stage("refine", 1, 2, 3, 2, 3),
    stage("explore", 2, 0, 2, 6),
    stage("sample", 2, 0, 2, 0),
    stage("refine", 2, 1, 1, 1, 1),
    stage("refine", 2, 2, 0, 1, 1),
)


def test_costs_of_each_candidate_with_its_part_of_what_was_shared() -> None:
    costs = candidate_costs([line("a", stages=STAGES)])
    assert [(c.explored, c.iterations, c.calls, c.executions, c.tokens) for c in costs] == [
        (False, 1, 1, 1, 110),
        (False, 3, 3, 2, 330),
        (True, 1, 3, 4, 330),
        (True, 1, 2, 4, 220),
    ]


def test_the_tables_of_a_report() -> None:
    section = refinement_section([line("a", stages=STAGES), line("b")])
    assert section is not None
    without, explored = (part for part in section.parts if isinstance(part, Table))
    assert without.rows == (("1", 1, 1, 1, 110), ("3", 1, 3, 2, 330), ("all", 2, 2, 1.5, 220))
    assert explored.rows == (("1", 2, 2.5, 4, 275), ("all", 2, 2.5, 4, 275))
    assert refinement_section([line("a")]) is None


def test_what_stages_used() -> None:
    lines = [line("a", stages=STAGES), line("b", stages=STAGES[:2]), line("c")]
    times = [
        Times("a", 0, 9.0, database={"refine": 0.5, "explore": 0.25}),
        Times("b", 0, 1.0, database={"refine": 0.5}),
    ]
    section = stages_section(lines, times)
    assert section is not None
    (table,) = (part for part in section.parts if isinstance(part, Table))
    assert table.rows == (
        ("link", 2, 8, 800, 80, 0, 0.0),
        ("refine", 2, 6, 600, 60, 6, 1.0),
        ("explore", 1, 2, 200, 20, 6, 0.25),
        ("sample", 1, 2, 200, 20, 0, 0.0),
    )
    assert stages_section([line("c")], []) is None


def test_stages_are_read_back_and_old_lines_have_none() -> None:
    record = line_record(line("a", stages=STAGES))
    assert read_line(record).stages == STAGES
    del record["stages"]
    assert read_line(record).stages == ()


def test_steps_are_counted_by_stage() -> None:
    where = {"stage": "refine", "round": 1, "candidate": 2}
    steps = [
        Step("link", data={"tables": 3}),
        Step("model", role="generator", data=where, usage=Usage(1, 100, 10, 5), cost=0.5, seconds=2.0),
        Step("execute", data={**where, "iteration": 1, "failed": "query"}, seconds=0.5),
        Step("execute", data={**where, "iteration": 2, "failed": "refused"}, seconds=0.1),
        Step("execute", data={**where, "iteration": 3, "rows": 1}, seconds=0.5),
        Step("vote", data={"stage": "vote", "round": 1, "read_again": 2}, seconds=0.25),
        Step("model", role="judge", usage=Usage(1, 7, 1), cost=None, seconds=1.0),
    ]
    assert stages(steps) == (
        Stage("refine", 1, 2, Usage(1, 100, 10, 5), 2, 3),
        Stage("vote", 1, 0, Usage(), 2),
    )
    costs = stage_costs(steps)
    assert costs["refine"] == StageCost(Usage(1, 100, 10, 5), 2, 2.0, 1.0, 0.5)
    assert costs["vote"].database == 0.25
    assert costs["judge"].paid is None
    assert costs["link"] == StageCost()
    assert sum(map(executions, steps)) == 4
    assert sum(cost.usage.calls for cost in costs.values()) == 2


@pytest.mark.parametrize("kind", ["check", "held", "again"])
def test_what_did_not_run_is_no_execution(kind: str) -> None:
    assert executions(Step(kind)) == 0
