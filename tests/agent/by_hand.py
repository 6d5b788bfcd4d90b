"""Runs whose replies were written by hand, and how they are recorded again after a prompt has changed.

    python -m tests.agent.by_hand        gives the recorded replies to the prompts as they are now

A reply is kept word for word; what changes is the request that it stands under. The runs themselves were made with
an OpenAI-compatible server whose replies are written by hand.
"""

from __future__ import annotations

import dataclasses
import tempfile
from dataclasses import dataclass
from pathlib import Path

from dragoman.agent import Toolbox, agent
from dragoman.agent.debugging import demo_tasks
from dragoman.agent.skills import find_skill
from dragoman.databases import Database, connect
from dragoman.models import Model, RecordedModel, ScriptedModel
from dragoman.models.recorded import read_recordings
from dragoman.questions import Question
from dragoman.solver import Answer, Draw
from tests.agent.demo_postgres import demo_in_postgres

FOLDER = Path(__file__).resolve().parents[1] / "fixtures" / "recorded" / "agent"
TODAY = "Wednesday, 2025-12-31 (CET, UTC+0100)"
ASKED = {
    "app-returns": "What percentage of the orders placed through the app in 2025 was returned?",
    "slowest-carrier": "Which carrier took longest on average, from shipping to delivery, for orders to Germany in "
    "2025?",
    "dealer-credit": "How many active dealers in France have used up more than 80 percent of their credit limit?",
    "main-categories": "How many active products are there in each main category, those of its subcategories included?",
    "best-seller-per-channel": "For each channel, which product sold the most pieces in 2025? Give channel, product "
    "name and pieces.",
    "customers-so-far": "For each month of 2025: how many customers have signed up since the beginning of the year?",
    "countries-without-orders": "Which countries have customers none of whom has ever ordered?",
    "category-shares": "What percentage of the goods revenue of 2025 does each main category have?",
    "second-order": "What is the median number of days between the first and the second order of a customer?",
    "vegetarians": "How many of our customers are vegetarians?",
    "late-deliveries": "How many tickets about late deliveries that were opened in 2025 got a satisfaction of 4 or "
    "better?",
    "december-growth": "By how many percent did revenue change from December 2024 to December 2025?",
}


@dataclass(frozen=True)
class Run:
    """One run. Its folder is called by the skill, with `@postgres` or `@text` (the text protocol) behind it."""

    path: Path

    @property
    def skill(self) -> str:
        return self.path.parent.name.partition("@")[0]

    @property
    def on_postgres(self) -> bool:
        return self.path.parent.name.endswith("@postgres")

    @property
    def question(self) -> Question:
        name = self.path.stem
        tasks = demo_tasks("postgres" if self.on_postgres else "sqlite")
        found = [task.question for task in tasks if task.id == name]
        return found[0] if found else Question(ASKED[name], id=name)

    def answer(self, database: Database, model: Model) -> Answer:
        """The run as it was made."""
        toolbox = Toolbox(TODAY, text_protocol=self.path.parent.name.endswith("@text"))
        return agent(database, model, find_skill(self.skill).body, toolbox)(self.question, Draw(0, 0.2))

    def record_again(self, database: Database, to: Path) -> Answer:
        """Give the recorded replies to the prompts as they are now."""
        recorded = read_recordings(self.path).values()
        replies = [dataclasses.replace(r.reply, seconds=0.0, cost=0.0) for r in recorded]
        to.unlink(missing_ok=True)
        return self.answer(database, RecordedModel(to, ScriptedModel(replies, name="hand"), "record"))

    def __str__(self) -> str:
        return f"{self.path.parent.name} {self.path.stem}"


def runs() -> list[Run]:
    """All recorded runs."""
    return [Run(path) for path in sorted(FOLDER.glob("*/*.jsonl"))]


def main() -> None:
    """Record all runs again."""
    with tempfile.TemporaryDirectory() as name, demo_in_postgres(Path(name)) as postgres:
        sqlite = connect(str(Path(name) / "demo.sqlite"))
        for run in runs():
            answer = run.record_again(postgres if run.on_postgres else sqlite, Path(name) / "again.jsonl")
            print(run, dict(answer.steps[-1].data), answer.sql[:60] or answer.text)
            run.path.write_bytes((Path(name) / "again.jsonl").read_bytes())
        sqlite.close()


if __name__ == "__main__":
    main()
