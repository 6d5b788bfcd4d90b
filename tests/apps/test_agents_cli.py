"""Agents on the command line: methods, candidates, progress, transcripts, interrupts."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from dragoman.agent.transcript import read_transcripts
from dragoman.apps.agents_at_work import AgentsAtWork, say_step
from dragoman.apps.cli import run
from dragoman.solver import Draw, Step

RIGHT, WRONG = "SELECT COUNT(*) FROM customer", "SELECT COUNT(name) FROM customer"
DOCS = Path(__file__).resolve().parents[2] / "docs" / "reference"


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DRAGOMAN_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def shop(tmp_path: Path) -> str:
    with sqlite3.connect(tmp_path / "shop.db") as connection:
        connection.executescript(
            "CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT);"
            "INSERT INTO customer VALUES (1, 'Ann'), (2, NULL);"
        )
    connection.close()
    return str(tmp_path / "shop.db")


def called(tool: str, argument: str, key: str = "sql") -> dict[str, object]:
    """One reply of a script that calls a tool."""
    call = {"id": "c", "name": tool, "arguments": json.dumps({key: argument})}
    return {"choices": [{"text": "", "tool_calls": [call], "finish": "tool_calls"}]}


@pytest.fixture
def scripted(tmp_path: Path) -> Callable[..., str]:
    def write(*replies: object) -> str:
        path = tmp_path / "script.jsonl"
        path.write_text("".join(json.dumps(reply) + "\n" for reply in replies), encoding="utf-8")
        return f"scripted:{path}"

    return write


@pytest.fixture
def skills(tmp_path: Path) -> str:
    (tmp_path / "mine").mkdir()
    for name in ("careful", "quick"):
        text = f'+++\nname = "{name}"\nwhen = "Always."\n+++\nBe {name}.\n'
        (tmp_path / "mine" / f"{name}.md").write_text(text, "utf-8")
    return str(tmp_path / "mine")


def two_agents_and_a_judge(scripted: Callable[..., str]) -> str:
    return scripted(
        called("execute_sql", RIGHT),
        called("submit_final_sql", RIGHT),
        called("submit_final_sql", WRONG),
        "Rows without a name are customers too. Better: A",
        "The first leaves some out. Better: B",
    )


def test_divskill_shows_candidates_judgements_and_what_agents_do(
    shop: str, scripted: Callable[..., str], skills: str, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["ask", "How many customers?", "--db", shop, "--method", "divskill", "--skills", skills]
    model = two_agents_and_a_judge(scripted)
    assert run([*command, "--model", model, "--show-candidates", "--transcript", "runs/a.jsonl"]) == 0
    captured = capsys.readouterr()
    assert captured.out.startswith(RIGHT)
    assert "careful" in captured.out
    assert "second" in captured.out
    assert "careful: turn 1, execute_sql, ok" in captured.err
    assert "quick: ended (submitted) after 1 turn and 0 executions" in captured.err
    assert [(t.skill, t.sql) for t in read_transcripts(Path("runs/a.jsonl"))] == [("careful", RIGHT), ("quick", WRONG)]


def test_json_holds_candidates_and_judgements(
    shop: str, scripted: Callable[..., str], skills: str, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["ask", "How many customers?", "--db", shop, "--method", "divskill", "--skills", skills, "--json"]
    assert run([*command, "--model", two_agents_and_a_judge(scripted), "--show-candidates"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert [(c["source"], c["class"], c["actions"]) for c in record["candidates"]] == [
        ("careful", 0, ["draft_execute", "submit"]),
        ("quick", 1, ["submit"]),
    ]
    assert [(j["first"], j["second"], j["winner"]) for j in record["judgements"]] == [(0, 1, "first"), (1, 0, "second")]
    documented = (DOCS / "json.md").read_text("utf-8")
    assert [key for key in record if f"`{key}`" not in documented] == []


def test_candidates_repeat_the_skill_that_is_named(
    shop: str, scripted: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    for method in ("divskill", "chase_agentic"):
        model = scripted(*[called("submit_final_sql", RIGHT)] * 3)
        command = ["ask", "How many?", "--db", shop, "--model", model, "--method", method, "--skill", "plain"]
        assert run([*command, "--candidates", "3", "--json", "--show-candidates"]) == 0
        record = json.loads(capsys.readouterr().out)
        assert [c["source"] for c in record["candidates"]] == ["plain 1", "plain 2", "plain 3"]
        assert record["share"] == 1.0


def test_documents_templates_and_the_text_protocol_reach_the_agent(
    shop: str, tmp_path: Path, scripted: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "terms.md").write_text("# Churn\n\nA customer without a name has churned.\n", "utf-8")
    example = {
        "question": "How many customers are called Ann?",
        "sql": "SELECT COUNT(*) FROM customer WHERE name = 'Ann'",
    }
    (tmp_path / "own.jsonl").write_text(json.dumps(example) + "\n", "utf-8")
    (tmp_path / "dragoman.toml").write_text("text_protocol = true\ndocuments = 'notes'\n", "utf-8")
    replies = [
        f"I look.\n\n```tool {tool}\n{argument}\n```"
        for tool, argument in [("lookup_docs", "churn"), ("get_sql_templates", "filter"), ("submit_final_sql", RIGHT)]
    ]
    command = ["ask", "How many?", "--db", shop, "--model", scripted(*replies), "--method", "agent"]
    assert run([*command, "--templates", "own.jsonl", "--transcript", "t.jsonl"]) == 0
    steps = [step for step in read_transcripts(Path("t.jsonl"))[0].steps if step.kind == "tool"]
    assert "has churned" in steps[0].text
    assert "[value]" in steps[1].text
    assert "Ann" not in steps[1].text
    capsys.readouterr()


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--method", "zero_shot", "--skills", "x"], "follow skills"),
        (["--method", "zero_shot", "--transcript", "x"], "leave a transcript"),
        (["--method", "divskill", "--skills", "nowhere"], "no skills in nowhere"),
        (["--method", "divskill", "--sql-only"], "single one"),
        (["--method", "agent", "--documents", "nowhere"], "no folder nowhere"),
        (["--method", "agent", "--templates", "nowhere"], "workload nowhere"),
        (["--method", "agent", "--transcript", "/proc/no/such"], "transcripts"),
        (["--method", "agent", "--skill", "nonsense"], "Choose one of"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(
    options: list[str], sentence: str, shop: str, scripted: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["ask", "How many?", "--db", shop, "--model", scripted(), *options]) == 2
    assert sentence in capsys.readouterr().err


def test_samples_of_one_agent_are_told_apart() -> None:
    watch = AgentsAtWork()
    step = Step("tool", data={"turn": 1, "tool": "execute_sql", "outcome": "ok", "argument": "SELECT 1"})
    watch.step("plain", Draw(), step)
    assert watch.label((0, "plain")) == "plain"
    watch.step("plain", Draw(sample=2), step)
    assert [watch.label(seat) for seat in watch.doing] == ["plain (sample 1)", "plain (sample 3)"]


def test_what_an_agent_looks_up_cannot_move_the_cursor() -> None:
    step = Step("tool", data={"turn": 1, "tool": "lookup_docs", "outcome": "ok", "argument": "a\x1b[2J" + "b" * 99})
    assert "\x1b" not in say_step(step)
    assert len(say_step(step)) < 120


def test_bench_measures_agents_without_examples_of_what_it_measures(
    shop: str, tmp_path: Path, scripted: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    own = [
        {"id": "a", "question": "How many customers?", "sql": RIGHT, "database": "shop"},
        {"id": "b", "question": "Which are nameless?", "sql": "SELECT id FROM customer WHERE name IS NULL"},
        {"id": "c", "question": "How many goods are blue?", "sql": "SELECT COUNT(*) FROM good", "database": "other"},
    ]
    (tmp_path / "own.jsonl").write_text("".join(json.dumps(line) + "\n" for line in own), "utf-8")
    (tmp_path / "asked.jsonl").write_text(json.dumps(own[0]) + "\n", "utf-8")
    replies = [called("get_sql_templates", "filter single aggregate", "query"), called("submit_final_sql", RIGHT)] * 2
    command = ["bench", "run", "--workload", "asked.jsonl", "--db", shop, "--method", "divskill", "--skill", "plain"]
    command += ["--candidates", "2", "--templates", "own.jsonl", "--transcript", "t.jsonl", "--workers", "1"]
    assert run([*command, "--out", "run", "--model", scripted(*replies)]) == 0
    runs = read_transcripts(Path("t.jsonl"))
    assert len(runs) == 2
    shown = next(step for step in runs[0].steps if step.kind == "tool").text
    assert "table_1" in shown
    assert "customer" not in shown.lower()
    assert "nameless" not in shown
    assert list(json.loads(Path("run/run.json").read_text("utf-8"))["asked"]["skills"]) == ["plain"]
    assert run(["bench", "report", "run", "--markdown", "page.md"]) == 0
    assert "Likeness of two agents" in Path("page.md").read_text("utf-8")
    (tmp_path / "own.jsonl").write_text(json.dumps(own[0]) + "\n", "utf-8")
    capsys.readouterr()
    assert run([*command, "--out", "run", "--model", scripted()]) == 2
    assert "templates" in capsys.readouterr().err


def test_skills_that_work_alike_are_found_in_transcripts(
    shop: str, scripted: Callable[..., str], skills: str, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["ask", "How many customers?", "--db", shop, "--method", "divskill", "--skills", skills]
    alike = [called("execute_sql", RIGHT), called("submit_final_sql", RIGHT)]
    assert run([*command, "--transcript", "alike.jsonl", "--model", scripted(*alike, *alike)]) == 0
    different = [called("lookup_docs", "customer", "query"), called("submit_final_sql", RIGHT)]
    assert run([*command, "--transcript", "different.jsonl", "--model", scripted(*alike, *different)]) == 0
    capsys.readouterr()
    check = ["skills", "check", "careful", "quick", "--folder", skills, "--json", "--runs"]
    assert run([*check, "different.jsonl"]) == 0
    assert json.loads(capsys.readouterr().out) == []
    assert run([*check, "alike.jsonl"]) == 2
    (found,) = json.loads(capsys.readouterr().out)
    assert (found["skill"], found["rule"]) == ("quick", "near-duplicate")
