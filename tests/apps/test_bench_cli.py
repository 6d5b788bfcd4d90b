"""The commands bench and workload, from the command line to the files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from dragoman.apps import bench, workload
from dragoman.errors import SetupError
from dragoman.questions import write_workload
from tests.bench.shop import shop


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DRAGOMAN_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A workload of ten questions about one database, and a script that answers seven of them right."""
    dataset = shop(tmp_path / "databases", 1, 10)
    write_workload(dataset.examples, tmp_path / "w.jsonl")
    replies = [e.sql if i < 7 else "SELECT 1" for i, e in enumerate(dataset.examples)]
    (tmp_path / "replies.jsonl").write_text("".join(json.dumps(reply) + "\n" for reply in replies))
    return tmp_path


def invoke(app: object, *arguments: str) -> Result:
    result = CliRunner().invoke(app, arguments)  # type: ignore[arg-type]
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def run(out: str, *more: str) -> Result:
    model = ("--model", "scripted:replies.jsonl", "--workers", "1")
    return invoke(bench.app, "run", "--workload", "w.jsonl", "--databases", "databases", "--out", out, *model, *more)


def test_run_report_compare(files: Path) -> None:
    assert "7 of 10 answers are right (70.0%)." in run("one").output
    assert "7 of 10" in run("one").output
    run("two", "--seed", "1")
    assert "7 of 10 answers are right (70.0%)." in invoke(bench.app, "report", "one").output
    written = invoke(bench.app, "report", "one", "--html", "r.html", "--markdown", "r.md")
    assert "Wrote r.html." in written.output
    assert "<svg" in (files / "r.html").read_text()
    assert "# workload w: zero_shot" in (files / "r.md").read_text()
    compared = invoke(bench.app, "compare", "one", "two", "--json")
    assert json.loads(compared.output)["title"] == "two against one"
    record = json.loads((files / "one" / "run.json").read_text())["asked"]
    assert record["model"] == "scripted:replies.jsonl"
    assert record["prices"]["scripted:replies.jsonl"] == {"prompt": 0.0, "completion": 0.0, "cached": 0.0}


def test_perturbed_schemas(files: Path) -> None:
    out = run("one", "--perturb", "list", "--limit", "4").output
    assert "4 answers are right" in out
    assert (
        json.loads((files / "one" / "run.json").read_text())["dataset"]["renamed"]["shop_0"]["customers.city"] == "cty"
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--out", "x"), "either --dataset NAME"),
        (("--out", "x", "--dataset", "demo", "--workload", "w.jsonl"), "either --dataset NAME"),
        (("--out", "x", "--dataset", "demo", "--db", "y"), "are for --workload"),
        (("--out", "x", "--dataset", "spider"), "Get Spider"),
        (("--out", "x", "--dataset", "demo", "--rule", "luck", "--model", "scripted:replies.jsonl"), "no rule 'luck'"),
    ],
)
def test_what_is_wrong_is_said_before_anything_is_asked(files: Path, arguments: tuple[str, ...], said: str) -> None:
    with pytest.raises(SetupError, match=said):
        invoke(bench.app, "run", *arguments)


def test_workload_check(files: Path) -> None:
    where = ("--databases", "databases")
    assert "10 questions, 0 problems." in invoke(workload.app, "check", "w.jsonl", *where).output
    assert json.loads(invoke(workload.app, "check", "w.jsonl", "--json", *where).output) == []
    broken = (files / "w.jsonl").read_text().replace("customers", "clients", 1)
    (files / "b.jsonl").write_text(broken)
    with pytest.raises(SetupError, match=r"b\.jsonl is not ready to judge by: 1 gold fails"):
        invoke(workload.app, "check", "b.jsonl", *where)


def test_workload_draft(files: Path) -> None:
    arguments = ("--db", "databases/shop_0/shop_0.sqlite", "--out", "d.jsonl", "--number", "5")
    assert "Wrote 5 drafts to d.jsonl." in invoke(workload.app, "draft", *arguments, "--templates").output
    with pytest.raises(SetupError, match=r"d\.jsonl exists"):
        invoke(workload.app, "draft", *arguments, "--templates")
    with pytest.raises(SetupError, match="writes SQL only"):
        invoke(workload.app, "draft", *arguments[:3], "e.jsonl", "--model", "embedded")
