"""ask --select, --calibration and --min-confidence; bench selector and bench calibrate."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from dragoman.apps.cli import run

ALL, FEW = "SELECT COUNT(*) FROM orders", "SELECT COUNT(*) FROM orders WHERE amount > 600"


@pytest.fixture
def shop(tmp_path: Path) -> str:
    path = tmp_path / "shop.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(
            "CREATE TABLE orders (order_id INTEGER PRIMARY KEY, amount INTEGER);"
            "INSERT INTO orders VALUES (1, 500), (2, 700), (3, 900);"
        )
    return str(path)


def script(folder: Path, *replies: str) -> str:
    """The name of a scripted model with these replies in order."""
    path = folder / f"script{len(list(folder.glob('script*')))}.jsonl"
    path.write_text("".join(json.dumps(reply) + "\n" for reply in replies))
    return f"scripted:{path}"


def queries(*sql: str) -> list[str]:
    return [f"```sql\n{one}\n```" for one in sql]


def asked(shop: str, model: str, *more: str) -> list[str]:
    return ["ask", "How many orders?", "--db", shop, "--model", model, "--candidates", "3", "--json", *more]


@pytest.fixture
def calibration(shop: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """Fitted on a run in which every second answer is right."""
    workload = tmp_path / "workload.jsonl"
    lines = [{"id": f"q{n}", "question": f"How many orders? ({n})", "sql": ALL if n % 2 else FEW} for n in range(40)]
    workload.write_text("".join(json.dumps(line) + "\n" for line in lines))
    model = script(tmp_path, *queries(ALL, ALL, FEW) * 40)
    out = tmp_path / "run"
    bench = ["bench", "run", "--workload", str(workload), "--db", shop, "--model", model, "--candidates", "3"]
    assert run([*bench, "--workers", "1", "--out", str(out)]) == 0
    path = tmp_path / "calibration.json"
    assert run(["bench", "calibrate", str(out), "--out", str(path)]) == 0
    assert "40 questions" in capsys.readouterr().out
    return str(path)


def test_a_run_says_how_its_candidates_are_chosen(calibration: str, tmp_path: Path) -> None:
    record = json.loads((tmp_path / "run" / "run.json").read_text())
    assert record["asked"]["select"] == "likelihood"


def test_a_judge_may_overrule_the_vote(shop: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = script(tmp_path, *queries(ALL, ALL, FEW))
    judge = script(tmp_path, "Better: B", "Better: A")
    argv = asked(shop, model, "--select", "tournament", "--model-for", f"judge={judge}", "--show-candidates")
    assert run(argv) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["sql"] == FEW
    assert [(j["first"], j["second"], j["winner"]) for j in record["judgements"]] == [(0, 2, "second"), (2, 0, "first")]
    assert record["by_role"]["judge"]["usage"]["calls"] == 2


@pytest.mark.parametrize("way", ["vote", "hybrid", "learned"])
def test_a_majority_needs_no_judge(shop: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], way: str) -> None:
    model = script(tmp_path, *queries(ALL, ALL, FEW))
    assert run(asked(shop, model, "--select", way)) == 0
    assert json.loads(capsys.readouterr().out)["sql"] in (ALL, FEW)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--select", "luck"], "vote, tournament, hybrid, learned"),
        (["--select", "vote", "--candidates", "1"], "--candidates 5"),
        (["--select", "vote", "--method", "c3"], "in its own way"),
        (["--min-confidence", "0.5"], "bench calibrate"),
        (["--calibration", "absent.json"], "absent.json"),
    ],
)
def test_what_cannot_be_is_said(
    shop: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], more: list[str], said: str
) -> None:
    assert run(asked(shop, script(tmp_path), *more)) == 2
    assert said in capsys.readouterr().err


def test_an_answer_has_a_confidence_and_is_held_back_below_the_one_asked_for(
    shop: str, tmp_path: Path, calibration: str, capsys: pytest.CaptureFixture[str]
) -> None:
    model = script(tmp_path, *queries(ALL, ALL, FEW) * 2)
    assert run(asked(shop, model, "--calibration", calibration)) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["confidence"] == pytest.approx(0.5, abs=0.1)
    assert (
        run(
            asked(
                shop, script(tmp_path, *queries(ALL, ALL, FEW)), "--calibration", calibration, "--min-confidence", "0.9"
            )
        )
        == 1
    )
    out, err = capsys.readouterr()
    record = json.loads(out)
    assert (record["sql"], record["error"]["code"]) == (None, "abstained")
    assert "Which do you mean: (1) without that condition; or (2) only where amount is more than 600?" in err


def test_a_selector_is_trained_and_used(
    shop: str, tmp_path: Path, calibration: str, capsys: pytest.CaptureFixture[str]
) -> None:
    selector = tmp_path / "selector.json"
    assert run(["bench", "selector", str(tmp_path / "run"), "--out", str(selector)]) == 0
    provenance = json.loads(selector.read_text())["provenance"]
    assert provenance["questions"] == 40
    settings = tmp_path / "settings.toml"
    settings.write_text(f'selector = "{selector}"\nselect = "learned"\ncandidates = 3\n')
    model = script(tmp_path, *queries(ALL, ALL, FEW))
    assert run(["ask", "How many?", "--db", shop, "--model", model, "--json", "--settings", str(settings)]) == 0
    capsys.readouterr()
    assert run(asked(shop, model, "--settings", str(settings), "--calibration", calibration)) == 2
    assert "another selector" in capsys.readouterr().err
