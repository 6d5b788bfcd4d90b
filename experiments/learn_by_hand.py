"""A small run of learning over the demo warehouse in DuckDB, and how it is recorded:

    python experiments/learn_by_hand.py --base-url URL --out FOLDER

All runs of its twelve questions, and all reflections, are answered by hand behind an OpenAI-compatible server, from
what the agent reads and as the skill says. Everything is drawn at temperature 0, where a model gives the same reply to
the same prompt: what tells two texts apart is then the texts. Agents have two turns, one to look and one to submit:
with four of them all questions of this kind were answered, whatever the skill. Of a request's system text, which holds
the schema, the recording keeps the digest.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from experiments.recorded_by_hand import RecordedByHand

from dragoman.agent import AgentLimits
from dragoman.agent.skill_lint import lint_skill
from dragoman.agent.skills import Skill, find_skill
from dragoman.bench.dataset import Dataset
from dragoman.compose import cache_folder
from dragoman.databases import Database
from dragoman.demo import locate
from dragoman.demo.warehouse import workload
from dragoman.learn import Attempts, Drawing, Effort, Reflector, Split, Ways, begin_learning, learn
from dragoman.learn.optimise import Item
from dragoman.models import Model, ModelsByRole, open_model
from dragoman.solver import Solver, SolverFor
from dragoman.workflows.agentic import Equipment, agentic
from dragoman.workflows.zero_shot import Asking

RECORDED = Path(__file__).resolve().parents[1] / "tests" / "fixtures" / "recorded" / "learn"
TODAY = "Tuesday, 2024-12-31 (UTC, UTC+0000)"
POOL = ("draft_first", "plain", "explore")
TRAIN = (
    "gold-visits-june",
    "defective-pieces",
    "app-orders",
    "lithium-items",
    "rent-in-june",
    "mixers-sold",
    "tracked-revenue-euro",
    "slow-pages",
)
VALIDATION = ("email-channel", "silver-visits-may", "motor-claims", "video-seconds")
HELD_OUT = (
    "ads-consent",
    "region-visits",
    "ad-slot-top",
    "cancelled-orders",
    "declined-payments",
    "days-to-cancel",
    "loudest-saw",
    "discontinued-items",
    "lost-parcels",
    "repair-tickets",
    "rejected-claims",
    "open-invoices",
)
LIMITS = AgentLimits(turns=2)
EFFORT = Effort(metric_calls=6, proposals=1, iterations=2)


def by_hand(hand: Model) -> Callable[[Skill], SolverFor]:
    """A skill -> its agent, answered by hand, bound to a database."""
    asking = Asking(TODAY, match=lambda text: ())

    def of(skill: Skill) -> SolverFor:
        def bind(database: Database) -> Solver:
            return agentic(skill, Equipment(limits=LIMITS))(database, ModelsByRole(hand), asking)

        return bind

    return of


def questions(path: Path, ids: Sequence[str]) -> Dataset:
    """Questions of the warehouse's workload by their ids, over the warehouse at `path`."""
    known = {example.question.id: example for example in workload("duckdb")}
    return Dataset("warehouse", "", tuple(known[name] for name in ids), {"warehouse": str(path)})


def learn_by_hand(hand: Model, warehouse: Path, folder: Path, workers: int = 1) -> tuple[Skill, ...]:
    """The run, in a folder to be gone on with."""
    dataset = questions(warehouse, (*TRAIN, *VALIDATION))
    batch = tuple(Item(e, "train" if e.question.id in TRAIN else "val") for e in dataset.examples)
    database = dataset.open("warehouse")
    schema = database.schema()
    database.close()
    begin_learning(folder, dataset, {"skills": list(POOL)})
    attempts = Attempts(by_hand(hand), dataset, folder, Drawing(0.0, workers=workers))
    reflector = Reflector(hand, lambda skill: [f.message for f in lint_skill(skill, [schema])], folder, 0.0)
    try:
        parts = Split((batch,), questions(warehouse, HELD_OUT).examples, False)
        return learn([find_skill(name) for name in POOL], parts, Ways(attempts, reflector, EFFORT), folder)
    finally:
        attempts.close()
        reflector.close()


def main() -> None:
    """Record the run. Started again, it goes on."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--base-url", required=True)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    hand = RecordedByHand(RECORDED / "hand.jsonl", open_model("openai:hand", base_url=given.base_url))
    warehouse = Path(locate("warehouse", cache_folder()))
    for skill in learn_by_hand(hand, warehouse, given.out, workers=12):
        print(skill.label, skill.id, dict(skill.scores))


if __name__ == "__main__":
    main()
