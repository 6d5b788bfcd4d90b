"""Runs whose replies a thoughtful person wrote by hand, and how they are recorded again after a prompt has changed.

    python -m tests.agent.by_hand        gives the recorded replies to the prompts as they are now

A reply is kept word for word; what changes is the request that it stands under. The runs themselves were made with
an OpenAI-compatible server whose replies are written by hand.
"""

from __future__ import annotations

import dataclasses
import tempfile
from collections.abc import Iterator
from pathlib import Path

from dragoman.agent import Toolbox, agent
from dragoman.agent.debugging import demo_tasks
from dragoman.agent.skills import find_skill
from dragoman.databases import Database, connect
from dragoman.demo import build
from dragoman.models import Model, RecordedModel, ScriptedModel
from dragoman.models.recorded import read_recordings
from dragoman.questions import Question
from dragoman.solver import Answer, Draw

FOLDER = Path(__file__).resolve().parents[1] / "fixtures" / "recorded" / "agent"
TODAY = "Wednesday, 2025-12-31 (CET, UTC+0100)"
ASKED = {
    "app-returns": "What percentage of the orders placed through the app in 2025 was returned?",
    "slowest-carrier": "Which carrier took longest on average, from shipping to delivery, for orders to Germany in "
    "2025?",
    "dealer-credit": "How many active dealers in France have used up more than 80 percent of their credit limit?",
    "main-categories": "How many active products are there in each main category, those of its subcategories included?",
    "december-growth": "By how many percent did revenue change from December 2024 to December 2025?",
}


def runs() -> Iterator[tuple[str, Question, Path]]:
    """(name of the skill, question, recording) of every run."""
    tasks = {task.id: task.question for task in demo_tasks()}
    for path in sorted(FOLDER.glob("*/*.jsonl")):
        name = path.stem
        yield path.parent.name, tasks[name] if name in tasks else Question(ASKED[name], id=name), path


def answer_by_hand(database: Database, skill: str, question: Question, model: Model) -> Answer:
    """The run as it was made."""
    return agent(database, model, find_skill(skill).body, Toolbox(TODAY))(question, Draw(0, 0.2))


def record_again(database: Database, skill: str, question: Question, path: Path, to: Path) -> Answer:
    """Give the replies of a recording to the prompts as they are now."""
    replies = [dataclasses.replace(r.reply, seconds=0.0, cost=0.0) for r in read_recordings(path).values()]
    to.parent.mkdir(parents=True, exist_ok=True)
    to.unlink(missing_ok=True)
    return answer_by_hand(database, skill, question, RecordedModel(to, ScriptedModel(replies, name="hand"), "record"))


def main() -> None:
    """Record all runs again."""
    with tempfile.TemporaryDirectory() as folder:
        build(Path(folder) / "demo.sqlite")
        database = connect(str(Path(folder) / "demo.sqlite"))
        for skill, question, path in runs():
            answer = record_again(database, skill, question, path, Path(folder) / "again.jsonl")
            print(skill, question.id, dict(answer.steps[-1].data), answer.sql[:60])
            path.write_bytes((Path(folder) / "again.jsonl").read_bytes())
        database.close()


if __name__ == "__main__":
    main()
