"""Seeds and learned pool, unchanged, on the engines and the work they were not learned on: one table.

    python experiments/learn_transfer.py [--base-url URL] [--work demo|warehouse]

Without a server the recorded replies alone are used. An arm is three agents with a vote among their results, at
temperature 0; of the learned pool one text differs from its seed. Shares have 95 % intervals, p is McNemar's exact one
of learned against seed. "alike": how alike trajectories are to those of the same skills on the same work in the first
engine of the table.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
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
    """A line of the table: the outcomes of both arms on a target, and those of the work on the engine to compare with.

    The text is the first of a pool, the only one that was learned. `alike` is the mean likeness of trajectories.
    """

    target: Target
    arms: Mapping[str, Sequence[Outcome]]
    first: Mapping[str, Sequence[Outcome]]

    def text(self, arm: str) -> list[bool]:
        """Which tasks the text has right."""
        return [outcome.right[0] for outcome in self.arms[arm]]

    def selected(self, arm: str) -> list[bool]:
        """Which tasks the vote of the pool has right."""
        return [outcome.selected for outcome in self.arms[arm]]

    def covered(self, arm: str) -> list[bool]:
        """Which tasks some agent of the pool has right: Pass@3."""
        return [any(outcome.right) for outcome in self.arms[arm]]

    def alike(self, arm: str) -> float:
        """The skills of an arm here and in the first engine."""
        return _alike(self.arms[arm], self.first[arm], slice(None))

    @property
    def changed(self) -> float:
        """The learned text and its seed, here."""
        return _alike(self.arms["learned"], self.arms["seeds"], slice(0, 1))

    def __str__(self) -> str:
        cells = [f"{self.target.work}, {self.target.engine}"]
        cells += [_share(self.text(arm)) for arm in ARMS] + [_p(*map(self.text, ARMS))]
        cells += [f"{_share(self.selected(arm))}, {sum(self.covered(arm))}" for arm in ARMS]
        cells += [_p(*map(self.selected, ARMS)), *(f"{self.alike(arm):.2f}" for arm in ARMS), f"{self.changed:.2f}"]
        return f"| {' | '.join(cells)} |"


HEAD = (
    "work, engine",
    "seed text",
    "learned text",
    "p",
    "seeds: vote, Pass@3",
    "learned pool: vote, Pass@3",
    "p",
    "seeds alike",
    "learned alike",
    "learned text to seed",
)


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


def _share(right: Sequence[bool]) -> str:
    interval = wilson(sum(right), len(right))
    return f"{sum(right)} of {len(right)} ({interval.low:.0%} to {interval.high:.0%})"


def _p(seeds: Sequence[bool], learned: Sequence[bool]) -> str:
    pairs = list(zip(seeds, learned, strict=True))
    return f"{mcnemar(sum(a and not b for a, b in pairs), sum(b and not a for a, b in pairs)):.2f}"


def _alike(one: Sequence[Outcome], other: Sequence[Outcome], agents: slice) -> float:
    pairs = zip(one, other, strict=True)
    return fmean(similarity(*two) for a, b in pairs for two in zip(a.actions[agents], b.actions[agents], strict=True))


def table(targets: Sequence[Target], server: Model | None = None) -> list[Row]:
    """A row for each target. The targets of one kind of work are compared with the first of them."""
    with ThreadPoolExecutor(len(targets) if server else 1) as threads:
        found = list(threads.map(lambda target: by_arm(target, server), targets))
    pairs = list(zip(targets, found, strict=True))
    first = {target.work: made for target, made in reversed(pairs)}
    return [Row(target, made, first[target.work]) for target, made in pairs]


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
    print(f"| {' | '.join(HEAD)} |\n|{'---|' * len(HEAD)}")
    print(*made, sep="\n")


if __name__ == "__main__":
    main()
