"""Seeds and learned pool, unchanged, on the engines and the work they were not learned on: one table.

    python experiments/learn_transfer.py [--base-url URL] [--work demo|warehouse]

Without a server the recorded replies alone are used. An arm is three agents with a vote among their results, at
temperature 0; of the learned pool one text differs from its seed. Trajectories are compared with those of the same
skills on the same work in the first engine of the table.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

sys.path.insert(0, str(Path(__file__).parents[1]))

from experiments.learn_arms import arms
from experiments.learn_by_hand import LIMITS, RECORDED
from experiments.learn_targets import Target, Task, demo_targets, warehouse_targets
from experiments.recorded_by_hand import RecordedByHand

from dragoman.agent.skills import Skill
from dragoman.agent.trajectory import Trajectory
from dragoman.models import Model, ModelsByRole, open_model
from dragoman.solver import Draw
from dragoman.statistics import mcnemar, similarity, wilson
from dragoman.workflows import choosing
from dragoman.workflows.agentic import Equipment
from dragoman.workflows.divskill import DivSkill, divskill
from dragoman.workflows.zero_shot import Asking

ARMS = ("seeds", "learned")
WAITING = 4
"""Tasks of an arm whose replies are waited for at the same time, where somebody writes them; else one agent works at a
time, so that no server runs out of connections."""
RECORDINGS = {"warehouse_duckdb": "held_out"}
"""Files that bear another name than their target."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What three agents made of a task: who was right, whether the vote was, and what each of them did."""

    right: tuple[bool, ...]
    selected: bool
    actions: tuple[Trajectory, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table: a text alone, or a pool with the vote among its agents.

    `alike` says how alike trajectories are to those in the first engine, `to_seeds` to those of the seeds in the same
    engine, `p` is exact and against the seeds. `any_right` counts tasks that some agent of a pool has right.
    """

    target: Target
    arm: str
    right: Sequence[bool]
    alike: float
    to_seeds: float
    any_right: int | None = None
    p: float | None = None

    def __str__(self) -> str:
        number, interval = len(self.right), wilson(sum(self.right), len(self.right))
        cells = (
            f"{self.target.work}, {self.target.engine}",
            self.arm,
            f"{sum(self.right)} of {number} ({interval.low:.0%} to {interval.high:.0%})",
            "" if self.any_right is None else f"{self.any_right} of {number}",
            f"{self.alike:.2f}",
            f"{self.to_seeds:.2f}",
            "" if self.p is None else f"{self.p:.4f}",
        )
        return f"| {' | '.join(cells)} |"


def outcomes(target: Target, pool: Sequence[Skill], hand: Model, waiting: int = 1) -> tuple[Outcome, ...]:
    """What the pool makes of the target's tasks, in their order."""
    agents = len(pool) if waiting > 1 else 1
    how = DivSkill(tuple(pool), temperature=0.0, workers=agents, select=choosing("vote", None, 1))
    asking = Asking(target.today, match=lambda text: ())
    solver = divskill(how, Equipment(limits=LIMITS))(target.database, ModelsByRole(hand), asking)

    def outcome(task: Task) -> Outcome:
        answer = solver(task.question, Draw())
        right = tuple(bool(c.sql) and task.right(c.sql) for c in answer.candidates)
        return Outcome(right, bool(answer.sql) and task.right(answer.sql), tuple(c.actions for c in answer.candidates))

    with ThreadPoolExecutor(waiting) as threads:
        return tuple(threads.map(outcome, target.tasks))


def by_arm(target: Target, server: Model | None = None) -> dict[str, tuple[Outcome, ...]]:
    """Both arms, from the recording of the target and, for what is not there, from `server`."""
    recording = RecordedByHand(recording_of(target), server)
    pools = arms()
    if server is None:
        return {arm: outcomes(target, pools[arm], recording) for arm in ARMS}
    with ThreadPoolExecutor(len(ARMS)) as threads:
        found = threads.map(lambda arm: outcomes(target, pools[arm], recording, WAITING), ARMS)
        return dict(zip(ARMS, found, strict=True))


def recording_of(target: Target) -> Path:
    """Where the replies of a target lie."""
    return RECORDED / f"{RECORDINGS.get(target.name, target.name)}.jsonl"


def rows(
    target: Target, found: Mapping[str, Sequence[Outcome]], first: Mapping[str, Sequence[Outcome]]
) -> Iterator[Row]:
    """The text that was learned beside its seed, and the pools. `first` is the work in the engine to compare with."""
    for name, agents in (("text", slice(0, 1)), ("pool", slice(None))):
        for arm in ARMS:
            alike, to_seeds = _alike(found[arm], first[arm], agents), _alike(found[arm], found["seeds"], agents)
            right = {side: _right(found[side], name) for side in ARMS}
            covered = sum(any(o.right) for o in found[arm]) if name == "pool" else None
            yield Row(target, f"{_NAMES[arm]} {name}", right[arm], alike, to_seeds, covered, _p(right, arm))


_NAMES = {"seeds": "seed", "learned": "learned"}


def _right(found: Sequence[Outcome], name: str) -> list[bool]:
    return [outcome.right[0] if name == "text" else outcome.selected for outcome in found]


def _p(right: Mapping[str, Sequence[bool]], arm: str) -> float | None:
    if arm == "seeds":
        return None
    pairs = list(zip(right[arm], right["seeds"], strict=True))
    return mcnemar(sum(a and not b for a, b in pairs), sum(b and not a for a, b in pairs))


def _alike(one: Sequence[Outcome], other: Sequence[Outcome], agents: slice) -> float:
    pairs = zip(one, other, strict=True)
    return fmean(similarity(*two) for a, b in pairs for two in zip(a.actions[agents], b.actions[agents], strict=True))


def table(targets: Sequence[Target], server: Model | None = None) -> list[Row]:
    """All rows. The targets of one kind of work are compared with the first of them."""
    with ThreadPoolExecutor(len(targets) if server else 1) as threads:
        found = list(threads.map(lambda target: by_arm(target, server), targets))
    pairs = list(zip(targets, found, strict=True))
    first = {target.work: made for target, made in reversed(pairs)}
    return [row for target, made in pairs for row in rows(target, made, first[target.work])]


def main() -> None:
    """Print the table in Markdown. Started again with a server, it goes on."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--base-url")
    parser.add_argument("--work", choices=("demo", "warehouse"), action="append")
    given = parser.parse_args()
    server = open_model("openai:hand", base_url=given.base_url) if given.base_url else None
    opened = {"demo": demo_targets, "warehouse": warehouse_targets}
    with ExitStack() as stack:
        targets = [t for name in given.work or opened for t in stack.enter_context(opened[name]())]
        made = table(targets, server)
    print("| work, engine | arm | right (95 % interval) | Pass@3 | alike to first engine | alike to seeds | exact p |")
    print("|---|---|---|---|---|---|---|")
    print(*made, sep="\n")


if __name__ == "__main__":
    main()
