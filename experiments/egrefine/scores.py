"""What a stage has measured, read back, and what follows from two arms over the same questions."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from dragoman.statistics import Interval, mcnemar, paired_cluster_bootstrap, recovery

Question = tuple[str, str]
"""(database, id)."""
Record = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Change:
    """From one arm to another, over `questions`: shares of right answers, their difference with an interval, flips.

    The interval draws whole databases; `p` is McNemar's.
    """

    questions: int
    before: float
    after: float
    gain: Interval
    repaired: int
    broken: int
    p: float


@dataclass(frozen=True, slots=True)
class Scores:
    """The records of one stage, one a database."""

    records: tuple[Record, ...]

    @property
    def arms(self) -> list[str]:
        """Names in the order of the stage."""
        return list(self.records[0]["arms"]) if self.records else []

    @property
    def solvers(self) -> list[str]:
        return list(next(iter(self.records[0]["arms"].values()))["verdicts"]) if self.records else []

    def right(self, arm: str, solver: str) -> dict[Question, bool]:
        """Whether each question was answered right."""
        return {
            (record["database"], question): correct
            for record in self.records
            for question, correct in record["arms"][arm]["verdicts"][solver].items()
        }

    def touching(self, arm: str) -> set[Question]:
        """Questions whose gold reads a column that the arm renames."""
        return {(r["database"], question) for r in self.records for question in r["arms"][arm].get("touching", ())}

    def runs(self, arm: str) -> list[Record]:
        """All runs that found the names of an arm."""
        return [run for record in self.records for run in record["arms"][arm]["runs"]]

    def sets_of_names(self, arm: str) -> list[int]:
        """How many columns each half of each database has renamed."""
        return [len(names) for record in self.records for names in record["arms"][arm]["names"]]


def read_scores(folder: Path, stage: str) -> Scores:
    """All databases of a stage that are finished."""
    paths = sorted((folder / stage).glob("*.json"))
    return Scores(tuple(json.loads(path.read_text(encoding="utf-8")) for path in paths))


def change(
    before: dict[Question, bool], after: dict[Question, bool], only: Collection[Question] | None = None
) -> Change | None:
    """What became of the questions, of those in `only` if given; None where there are none."""
    asked = [question for question in before if only is None or question in only]
    if not asked:
        return None
    old, new = [before[q] for q in asked], [after[q] for q in asked]
    gain = paired_cluster_bootstrap(list(map(float, old)), list(map(float, new)), [q[0] for q in asked], Random(0))
    repaired = sum(b and not a for a, b in zip(old, new, strict=True))
    broken = sum(a and not b for a, b in zip(old, new, strict=True))
    shares = sum(old) / len(asked), sum(new) / len(asked)
    return Change(len(asked), *shares, gain, repaired, broken, mcnemar(repaired, broken))


def recovered(loss: Change, gain: Change) -> float | None:
    """The share of what abbreviation cost that came back; None where what it cost is not beyond its interval."""
    if loss.gain.low <= 0:
        return None
    return recovery(gain.before, gain.after, loss.after)


def total(runs: Sequence[Record], key: str) -> int:
    """The sum over runs."""
    return sum(int(run[key]) for run in runs)
