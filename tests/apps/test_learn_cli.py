"""Learning from the plan to the answer, over HTTP, and killed in between."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from dragoman.apps.cli import app
from dragoman.apps.plan_report import plan_report
from dragoman.errors import SetupError
from dragoman.learn import split
from dragoman.learn.plan import plan
from dragoman.learn.rollout import Rollout
from dragoman.models import ModelsByRole, ScriptedModel, Usage
from dragoman.questions import Example, Question, write_workload
from dragoman.report import Table
from tests.learn.world import HABITS, SEEDS, make_dataset
from tests.models.chat_server import Behaviour, ChatServer, Handler, say
from tests.models.conftest import server

__all__ = ["server"]

QUESTIONS = 20
SIZES = ("--batches", "2", "--train", "6", "--val", "2", "--held-out", "4")


class Always(list[Behaviour]):
    """A queue that never ends."""

    def __bool__(self) -> bool:
        return True

    def pop(self, index: Any = -1) -> Behaviour:
        return behave


def behave(handler: Handler, body: dict[str, Any]) -> None:
    """An agent that answers what its skill minds, a reflector that adds a habit, and a judge that knows."""
    said = [str(message.get("content") or "") for message in body["messages"]]
    if "You improve the strategy" in said[0]:
        strategy = said[0].split("```markdown\n", 1)[1].split("\n```", 1)[0]
        say(f"```markdown\n{strategy} Mind the dates.\n```")(handler, body)
    elif not body.get("tools"):
        first = "".join(said).split("SELECT MAX(", 1)[1]
        say("B" if first.startswith("-1") else "A")(handler, body)
    else:
        asked = next(text for text in said if "Which is " in text)
        number = int(asked.split("Which is ")[1].split("?")[0])
        known = f"Mind the {HABITS[number % len(HABITS)]}" in said[0]
        sql = f"SELECT MAX({number if known else -1}) FROM number"
        say("", (("submit_final_sql", json.dumps({"sql": sql})),))(handler, body)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a workload, its database, and three skills."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DRAGOMAN_CACHE", str(tmp_path / "cache"))
    write_workload(make_dataset(tmp_path, QUESTIONS).examples, tmp_path / "w.jsonl")
    (tmp_path / "own").mkdir()
    for skill in SEEDS:
        text = f'+++\nname = "{skill.name}"\nwhen = "Always."\n+++\n{skill.body}\n'
        (tmp_path / "own" / f"{skill.name}.md").write_text(text, "utf-8")
    return tmp_path


def common(server: ChatServer) -> list[str]:
    return [
        "--workload", "w.jsonl", "--db", "numbers.sqlite", "--skills", "own", *SIZES,
        "--model", "openai:some", "--base-url", server.url,
    ]  # fmt: skip


def invoke(*arguments: str) -> str:
    result = CliRunner().invoke(app, arguments, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout + (result.stderr if arguments[0] == "learn" else "")


def test_from_the_plan_to_the_answer(server: ChatServer, home: Path) -> None:
    server.behaviours = Always()
    assert "runs of the agent in all" in invoke("learn", "plan", *common(server))
    assert server.seen == []
    said = invoke("learn", "run", "--out", "learned", *common(server))
    assert "skills changed" in said
    made = len(server.seen)
    assert "0 runs and 0 reflections were made" in invoke("learn", "run", "--out", "learned", *common(server))
    assert len(server.seen) == made
    invoke("learn", "report", "learned", "--html", "r.html")
    assert "Mind the dates" in (home / "r.html").read_text("utf-8")
    assert "tokens read" in invoke("learn", "plan", "--seen", "learned", *common(server))
    pool = sorted(path.name for path in (home / "learned" / "pool").iterdir())
    assert pool == sorted(f"{skill.name}.md" for skill in SEEDS)
    ask = ["ask", "Which is 7?", "--db", "numbers.sqlite", "--method", "divskill", "--skills", "learned/pool"]
    answer = json.loads(invoke(*ask, "--model", "openai:some", "--base-url", server.url, "--json"))
    assert answer["rows"] == [[7]]
    held = [json.loads(line) for line in (home / "learned" / "held_out.jsonl").read_text("utf-8").splitlines()]
    asked = json.dumps([seen.body["messages"] for seen in server.seen[:made]])
    assert held
    assert not any(f"{line['question']}" in asked for line in held)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--seen", "nowhere"], "nowhere holds no runs"),
        (["--skill", "plain", "--skill", "plain"], "2 skills of the pool are called plain"),
        (["--skills", "nowhere"], "no skills in nowhere"),
        (["--held-out", "1000", "--batches", "1", "--train", "1", "--val", "1"], "Lower --held-out"),
    ],
)
def test_what_cannot_be_planned_is_said(server: ChatServer, home: Path, more: list[str], said: str) -> None:
    with pytest.raises(SetupError, match=said):
        CliRunner().invoke(app, ["learn", "plan", *common(server), *more], catch_exceptions=False)


def test_reflections_cost_what_their_model_costs() -> None:
    examples = [Example(Question(f"{n}?", id=f"q{n}"), f"SELECT {n}", "d") for n in range(20)]
    parts = split(examples)
    seen = [Rollout("s", "q", 0, True, "correct", usage=Usage(5, 1000, 100))]
    made = plan(parts, len(SEEDS), seen=seen)
    models = ModelsByRole(Priced(0.01), {"reflector": Priced(2.0)})
    table = plan_report(made, parts, SEEDS, models).sections[0].parts[0]
    assert isinstance(table, Table)
    assert table.rows[-1][0] == "US cents"
    assert table.rows[-1][1:] == tuple(
        5 * amount.runs + 200 * amount.reflections for amount in (made.likely, made.most)
    )


class Priced(ScriptedModel):
    """A model that takes so many dollars a call."""

    def __init__(self, dollars: float) -> None:
        super().__init__([])
        self._dollars = dollars

    def price(self, usage: Usage) -> float:
        return self._dollars * usage.calls


@pytest.mark.slow
def test_killed_ten_times_it_comes_to_the_same_pool(server: ChatServer, home: Path) -> None:
    server.behaviours = Always()
    invoke("learn", "run", "--out", "whole", *common(server))
    whole = len(server.seen)
    server.seen.clear()
    command = [sys.executable, "-m", "dragoman", "learn", "run", "--out", "parts", "--workers", "2", *common(server)]
    environment = {**os.environ, "DRAGOMAN_CACHE": str(home / "other")}
    order = random.Random(5)
    killed = 0
    while killed < 10:
        target = len(server.seen) + order.randint(1, whole // 10)
        process = subprocess.Popen(command, env=environment, cwd=home, stdout=subprocess.DEVNULL)
        while process.poll() is None and len(server.seen) < target:
            time.sleep(0.002)
        if process.poll() is not None:
            break
        process.send_signal(signal.SIGKILL)
        process.wait()
        killed += 1
    assert killed == 10, "the run ended before it was killed often enough"
    subprocess.run(command, env=environment, cwd=home, check=True, stdout=subprocess.DEVNULL)
    for name in ("history.jsonl", "held_out.jsonl", *(f"pool/{skill.name}.md" for skill in SEEDS)):
        assert (home / "whole" / name).read_bytes() == (home / "parts" / name).read_bytes()
    bodies = Counter(json.dumps(seen.body, sort_keys=True) for seen in server.seen)
    again = sum(count - 1 for count in bodies.values())
    assert again <= 2 * killed, "only what was on its way when a kill came is asked again"
