"""What a run would ask and could gain is said before, and learned from runs that were made."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from dragoman.databases.guarded_database import GuardedDatabase
from dragoman.errors import SetupError
from dragoman.refine.applicability import Bounds
from dragoman.refine.expected_gain import ENOUGH, Observation, expected_gain, observed, shipped_runs, write_observations
from dragoman.refine.file_of_run import file_of_run
from dragoman.refine.plan import Plan, plan
from dragoman.refine.refine import Ways, refine
from dragoman.refine.refinement_file import MadeFrom, write_refinement
from dragoman.refine.run_record import run_record
from dragoman.refine.schema_outline import outline
from dragoman.refine.screen import Judgement
from dragoman.refine.trials import Verifier
from tests.refine.test_refine import ASKED, NAMES, SETTINGS, everything, proposing, well_spoken
from tests.refine.test_verify import TOWNS, base, executing

__all__ = ["base"]


def nobody_asked(*_: object) -> str:
    raise AssertionError("a verifier was asked")


def planned(base: GuardedDatabase, *, judge: object = everything, examples: object = ASKED, **given: object) -> Plan:
    ways = Ways(judge, proposing(NAMES), [Verifier("v", executing(nobody_asked))])  # type: ignore[arg-type]
    return plan(base, examples, ways, replace(SETTINGS, bundles="auto"), 2, **given)  # type: ignore[arg-type]


def test_a_plan_asks_nothing_and_a_run_stays_within_it(base: GuardedDatabase) -> None:
    found = planned(base)
    assert (found.columns, found.tried, found.questions, found.touched) == (9, 8, 10, 10)
    ways = Ways(everything, proposing(NAMES), [Verifier("v", executing(well_spoken))])
    run = refine(base, ASKED, ways, replace(SETTINGS, bundles="auto"))
    assert run.spent.asked <= found.most
    assert found.likely < found.most


def test_it_says_why_not_to_begin(base: GuardedDatabase) -> None:
    assert planned(base, judge=lambda about: [Judgement(False) for _ in about]).pointless == "every name is clear"
    only_x = planned(base, judge=lambda about: [Judgement(s.name == "x") for s in about])
    assert only_x.pointless == "no unclear name is read by 2 questions or more"
    little = planned(base, judge=lambda about: [Judgement(s.name == "twn") for s in about])
    assert little.gain[2] == pytest.approx(expected_gain().high * 100 / 9)
    assert little.pointless == ""
    much = replace(SETTINGS, bounds=Bounds(least_gain=5.0))
    ways = Ways(lambda about: [Judgement(s.name == "twn") for s in about], proposing(NAMES), [])
    assert plan(base, ASKED, ways, much).pointless.endswith("and 5 are the least to begin for")
    broken = [replace(example, sql="SELECT nope FROM clients") for example in TOWNS]
    assert planned(base, examples=broken).pointless == "no gold query can be judged on this database"


def test_the_paper_speaks_until_enough_runs_are_ours() -> None:
    runs = [Observation(f"r{n}", 100, 40, 10, 50, 5.0) for n in range(ENOUGH)]
    prior = expected_gain(runs[1:], known=())
    assert (prior.low, prior.high) == (0.25, 0.4)
    assert "the paper" in prior.source
    assert prior.kept == pytest.approx(331 / 2595)
    ours = expected_gain(runs, known=())
    assert (ours.slope, ours.low, ours.high, ours.kept) == pytest.approx((0.5, 0.5, 0.5, 0.25))
    assert ours.source == f"{ENOUGH} runs of our own"
    assert ours.gain(200, 20) == pytest.approx((1.25, 1.25, 5.0))


def test_the_shipped_runs_are_enough_for_a_slope_of_our_own() -> None:
    found = expected_gain()
    assert sum(1 for run in shipped_runs() if run.renamed) >= ENOUGH
    assert 0 < found.low < found.slope < found.high
    assert 0 < found.kept < 1


def test_the_slope_is_found_again_from_noisy_runs_and_those_in_the_loop_are_left_out() -> None:
    random = Random(1)
    sizes = [random.randint(1, 30) for _ in range(60)]
    runs = [Observation("r", 100, 50, n, 80, 0.3 * n + random.gauss(0, 2)) for n in sizes]
    boasting = [Observation("own", 100, 50, 20, 80, 90.0, in_loop=True) for _ in range(30)]
    found = expected_gain([*runs, *boasting], known=())
    assert found.low < 0.3 < found.high
    assert found.high - found.low < 0.15
    assert "60 runs" in found.source


def test_a_finished_run_is_an_observation(base: GuardedDatabase, tmp_path: Path) -> None:
    run = refine(base, ASKED, Ways(everything, proposing(NAMES), [Verifier("v", executing(well_spoken))]), SETTINGS)
    file = file_of_run(run, MadeFrom(outline(base.schema())))
    write_refinement(file, tmp_path / "refinement.json")
    (tmp_path / "run.json").write_text(json.dumps(run_record(run, file)))
    (found,) = observed([tmp_path])
    assert run.joint is not None
    gain = 100 * run.joint.last.net / run.joint.last.answers
    assert (found.columns, found.renamed, found.answers, found.gain, found.in_loop) == (9, 3, 10, gain, True)
    write_observations([found], tmp_path / "observations.json")
    assert json.loads((tmp_path / "observations.json").read_text())["ours"][0]["renamed"] == 3
    with pytest.raises(SetupError, match="There is no finished run"):
        observed([tmp_path / "nowhere"])
