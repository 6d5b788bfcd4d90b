"""The method reforce from the command line: arms, parameters, and what a run keeps of its stages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from dragoman.apps import ask, bench
from dragoman.bench.run import read_lines, read_run_times
from dragoman.errors import SetupError
from dragoman.questions import Example, Question, write_workload
from dragoman.workflows.reforce import ARMS
from tests.workflows.shop import EMPTY, QUESTION, RIGHT, shop


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The shop, a workload of one question, and a script that is empty once and right from then on."""
    monkeypatch.setenv("DRAGOMAN_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    shop(tmp_path).close()
    write_workload([Example(QUESTION, RIGHT, "shop")], tmp_path / "w.jsonl")
    (tmp_path / "replies.jsonl").write_text("".join(json.dumps(reply) + "\n" for reply in (EMPTY, *[RIGHT] * 99)))
    return tmp_path


def run(out: str, *more: str) -> Result:
    given = ("--workload", "w.jsonl", "--db", "shop.db", "--model", "scripted:replies.jsonl", "--method", "reforce")
    result = CliRunner().invoke(bench.app, ["run", *given, "--out", out, *more])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def test_a_run_keeps_its_stages_and_its_report_what_they_cost(folder: Path) -> None:
    assert "1 of 1 answers are right" in run("one", "--parameter", "votes=2").output
    (line,) = read_lines(folder / "one")
    assert [(s.name, s.candidate, s.usage.calls, s.executions) for s in line.stages if s.round] == [
        ("refine", 1, 2, 2),
        ("refine", 2, 1, 1),
        ("vote", 0, 0, 0),
    ]
    (times,) = read_run_times(folder / "one").values()
    assert times.database["refine"] > 0
    shown = CliRunner().invoke(bench.app, ["report", "one"], catch_exceptions=False).output
    assert "What refinement costs" in shown
    record = json.loads((folder / "one" / "run.json").read_text())["asked"]
    assert (record["reforce"], record["arm"]) == ({"votes": 2}, "")


@pytest.mark.parametrize(
    ("arm", "calls"),
    [
        ("no_compression", 9),
        ("no_vote", 2),
        ("no_final_pick", 9),
        ("no_exploration", 9),
        ("exploration_on_all", 8 * (3 + 1) + 1),
        ("gold_tables", 9),
        ("gold_schema", 9),
        ("answer_format", 1 + 8),
        ("self_check", 17),
    ],
)
def test_arms(folder: Path, arm: str, calls: int) -> None:
    """The first reply, which finds nothing, costs one more call; it is the header where that is asked for."""
    assert "1 of 1 answers are right" in run("one", "--arm", arm).output
    (line,) = read_lines(folder / "one")
    assert sum(used.calls for used in line.usage.values()) == calls


def test_every_arm_is_tested() -> None:
    (marked,) = test_arms.pytestmark  # type: ignore[attr-defined]
    assert {arm for arm, _ in marked.args[1]} == set(ARMS)


def test_what_goes_wrong_is_said(folder: Path) -> None:
    with pytest.raises(SetupError, match="no arm no_such"):
        run("one", "--arm", "no_such")
    with pytest.raises(SetupError, match="needs NAME=VALUE"):
        run("one", "--parameter", "votes")
    with pytest.raises(SetupError, match="Only the method reforce"):
        run("one", "--method", "zero_shot", "--arm", "no_vote")
    (folder / "dragoman.toml").write_text('method = "reforce"\narm = "gold_tables"\n')
    with pytest.raises(SetupError, match="bench alone"):
        CliRunner().invoke(
            ask.app, ["Who?", "--db", "shop.db", "--model", "scripted:replies.jsonl"], catch_exceptions=False
        )


def test_ask(folder: Path) -> None:
    given = ["--db", "shop.db", "--model", "scripted:replies.jsonl", "--method", "reforce", "--candidates", "2"]
    found = CliRunner().invoke(ask.app, [Question("How many?").text, *given, "--json"])
    assert json.loads(found.output)["rows"] == [[2]]
    found = CliRunner().invoke(ask.app, ["How many?", *given[:-2], "--sql-only"])
    assert "country = 'France'" in found.output
    found = CliRunner().invoke(ask.app, ["How many?", *given[:-2], "--arm", "no_vote", "--json"])
    assert json.loads(found.output)["rows"] == [[2]]
    with pytest.raises(SetupError, match="bench alone"):
        CliRunner().invoke(ask.app, ["How many?", *given, "--arm", "gold_schema"], catch_exceptions=False)
