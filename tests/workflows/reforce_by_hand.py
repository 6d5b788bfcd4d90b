"""ReFoRCE on the warehouse, with replies that were written by hand, and how they are recorded again.

    python -m tests.workflows.reforce_by_hand            gives the recorded replies to the prompts as they are now
    python -m tests.workflows.reforce_by_hand SERVER     asks an OpenAI-compatible server what is not recorded yet

A reply is kept word for word; what changes is the request that it stands under. Each reply was written with no more to
go by than what its request shows. Recordings are kept without their system messages, which hold the whole schema.
"""

from __future__ import annotations

import dataclasses
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from dragoman.compose import cache_folder
from dragoman.databases import Database, connect
from dragoman.demo import locate
from dragoman.demo.warehouse import workload
from dragoman.models import Message, Model, ModelsByRole, RecordedModel, Reply, ScriptedModel
from dragoman.models.hosted import HostedModel
from dragoman.models.recorded import Recording, read_recordings, write_recording
from dragoman.questions import Example
from dragoman.solver import Answer, Draw
from dragoman.workflows import Asking
from dragoman.workflows.reforce import Parameters, reforce

FOLDER = Path(__file__).resolve().parents[1] / "fixtures" / "recorded" / "reforce"
TODAY = "Tuesday, 2024-12-31 (UTC, UTC+0000)"
HOW = Parameters(votes=3)
"""The paper's parameters, but for three candidates in place of eight."""
CHOSEN = (
    "visits-one-day",
    "before-six",
    "site-searches",
    "email-medium",
    "cancelled-orders",
    "orders-per-year",
    "goods-by-region",
    "eighteen-volt",
    "gold-visits-june",
    "survey-quiet",
    "video-seconds",
    "added-to-cart",
    "tracked-revenue-euro",
    "motor-temperature",
    "late-parcels-kpi",
    "ticket-feature",
)
SCHEMA = Message("system", "(what the stage is about, and the whole schema)")


@dataclass(frozen=True)
class Run:
    """One question's run."""

    example: Example

    @property
    def path(self) -> Path:
        return FOLDER / f"{self}.jsonl"

    def answer(self, database: Database, model: Model, how: Parameters = HOW) -> Answer:
        """The run as it was made."""
        return reforce(how)(database, ModelsByRole(model), Asking(TODAY))(self.example.question, Draw())

    def record(self, database: Database, server: str, to: Path) -> Answer:
        """Ask the server, whose replies are written by hand, for every reply that `to` does not hold yet."""
        hosted = HostedModel("openai:hand", server, "none", timeout=3600.0, deadline=7200.0)
        hosted.name = "hand"
        return self.answer(database, RecordedModel(to, hosted, "record"))

    def record_again(self, database: Database, to: Path) -> Answer:
        """Give the recorded replies to the prompts as they are now."""
        to.unlink(missing_ok=True)
        return self.answer(database, RecordedModel(to, self.script(), "record"))

    def script(self) -> ScriptedModel:
        """The replies in the order in which they were given."""
        recorded = read_recordings(self.path).values()
        replies: Sequence[Reply] = [dataclasses.replace(found.reply, seconds=0.0, cost=0.0) for found in recorded]
        return ScriptedModel(replies, name="hand")

    def keep(self, recorded: Path) -> None:
        """Make what was recorded this run's recording."""
        self.path.unlink(missing_ok=True)
        for recording in _without_schema(recorded):
            write_recording(self.path, recording)

    def __str__(self) -> str:
        return self.example.question.id


def runs() -> list[Run]:
    """A run for each question that was chosen."""
    examples = {example.question.id: example for example in workload("duckdb")}
    return [Run(examples[name]) for name in CHOSEN]


def standings(answer: Answer) -> list[str]:
    """How each round stood."""
    return [step.data["standing"] for step in answer.steps if step.kind == "vote"]


def _without_schema(path: Path) -> Iterator[Recording]:
    for recording in read_recordings(path).values():
        messages = (SCHEMA, *(m for m in recording.request.messages if m.role != "system"))
        yield dataclasses.replace(recording, request=dataclasses.replace(recording.request, messages=messages))


def main() -> None:
    """Record all runs again, or for the first time."""
    with closing(connect(locate("warehouse", cache_folder()))) as database, tempfile.TemporaryDirectory() as name:

        def made(run: Run) -> Answer:
            to = Path(name) / f"{run}.jsonl"
            answer = run.record(database, sys.argv[1], to) if sys.argv[1:] else run.record_again(database, to)
            run.keep(to)
            print(run, standings(answer), answer.usage, answer.sql[:60], flush=True)
            return answer

        with ThreadPoolExecutor(len(CHOSEN) if sys.argv[1:] else 1) as pool:
            list(pool.map(made, runs()))


if __name__ == "__main__":
    main()
