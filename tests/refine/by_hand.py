"""Screening and proposing on the demo's legacy table, answered by hand, and how it is recorded again.

    python -m tests.refine.by_hand           gives the recorded replies to the prompts as they are now

A reply is kept word for word; what changes is the request that it stands under. The run itself was made with an
OpenAI-compatible server whose replies are written by hand.
"""

from __future__ import annotations

import dataclasses
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from dragoman.databases import Database, connect
from dragoman.demo import open_demo
from dragoman.models import Model, RecordedModel, ScriptedModel
from dragoman.models.recorded import read_recordings
from dragoman.models.request import Request
from dragoman.refine.domain import Domain, domain_by_model
from dragoman.refine.name_problem import Names
from dragoman.refine.propose import Proposal
from dragoman.refine.propose_by_model import propose_by_model
from dragoman.refine.propose_offline import propose_offline
from dragoman.refine.screen import Screened, open_places, screen
from dragoman.refine.screen_by_model import screen_by_model
from dragoman.refine.subject import subjects

RECORDED = Path(__file__).resolve().parents[1] / "fixtures" / "recorded" / "refine" / "legacy.jsonl"
LEGACY = ("CUST_MST",)


@dataclass(frozen=True)
class LegacyRun:
    """What came of it, and what the offline proposer says of the same places."""

    domain: Domain
    screened: Screened
    proposals: Sequence[Proposal]
    offline: Sequence[Proposal]


def legacy_run(database: Database, model: Model, workers: int = 1) -> LegacyRun:
    """Domain, screening and proposing by the model; then the same places without it."""
    schema = database.schema()
    domain = domain_by_model(schema, model)
    about = subjects(open_places(schema, LEGACY), database, schema, domain.sentence)
    screened = screen(schema, about, screen_by_model(model, workers))
    kept = [subject for subject in about if subject.place in screened.kept]
    names = Names(schema)
    return LegacyRun(
        domain, screened, propose_by_model(model, names, workers=workers)(kept), propose_offline(names)(kept)
    )


def record_again(database: Database, to: Path) -> LegacyRun:
    """Give the recorded replies to the prompts as they are now: each to the request that is about the same place."""
    recorded = {_about(r.request): r.reply for r in read_recordings(RECORDED).values()}

    def reply(request: Request) -> object:
        return dataclasses.replace(recorded[_about(request)], seconds=0.0, cost=0.0)

    return legacy_run(database, RecordedModel(to, ScriptedModel(reply, name="hand"), "record"))  # type: ignore[arg-type]


def _about(request: Request) -> tuple[str, str, int]:
    """What a request asks, of which place, and which message of the conversation it answers."""
    lines = request.messages[0].text.splitlines()
    place = next((line for line in lines if line.startswith("Column: ")), "the table").split(" (")[0].split(", type")[0]
    return lines[0][:25], place.rpartition(".")[2].removeprefix("Column: "), len(request.messages)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        new = Path(folder) / "legacy.jsonl"
        record_again(connect(str(open_demo(Path(folder)))), new)
        RECORDED.write_bytes(new.read_bytes())
