"""Execution accuracy over lines, whole and in groups, with intervals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from random import Random

from dragoman.bench.line import Line
from dragoman.metrics import Verdict
from dragoman.statistics import Interval, Spread, cluster_bootstrap, spread, wilson

SEED = 42
"""Seed of the bootstrap of reports, so that a report of the same lines is the same report."""


@dataclass(frozen=True, slots=True)
class Accuracy:
    """`right` of `scored` lines, out of `total`. The rest is unscored: its gold failed."""

    name: str
    total: int
    scored: int
    right: int

    @property
    def share(self) -> float:
        """0 to 1, nan where nothing is scored."""
        return self.right / self.scored if self.scored else float("nan")

    @property
    def interval(self) -> Interval:
        """Wilson's, over lines."""
        return wilson(self.right, self.scored)


def accuracy(lines: Iterable[Line], name: str = "") -> Accuracy:
    """Accuracy of lines."""
    found = list(lines)
    scored = [line for line in found if is_scored(line)]
    return Accuracy(name, len(found), len(scored), sum(map(is_right, scored)))


def accuracy_by(lines: Sequence[Line], group: Callable[[Line], str]) -> tuple[Accuracy, ...]:
    """Accuracy of each group, in the order in which the groups first come."""
    groups: dict[str, list[Line]] = {}
    for line in lines:
        groups.setdefault(group(line), []).append(line)
    return tuple(accuracy(members, name) for name, members in groups.items())


def repeat_spread(lines: Sequence[Line]) -> Spread | None:
    """How accuracy moves between repeats; None where there is nothing scored."""
    shares = [a.share for a in accuracy_by(lines, lambda line: str(line.repeat)) if a.scored]
    return spread(shares) if shares else None


def example_interval(lines: Sequence[Line]) -> Interval:
    """Interval of accuracy by resampling databases; each example counts with its mean over repeats."""
    means = mean_by_example(lines)
    return cluster_bootstrap([mean for mean, _ in means.values()], [where for _, where in means.values()], Random(SEED))


def mean_by_example(lines: Iterable[Line]) -> dict[str, tuple[float, str]]:
    """Example -> (share of its scored repeats that are right, its database)."""
    found: dict[str, list[Line]] = {}
    for line in lines:
        if is_scored(line):
            found.setdefault(line.id, []).append(line)
    return {name: (sum(map(is_right, ls)) / len(ls), ls[0].database) for name, ls in found.items()}


def is_right(line: Line) -> bool:
    """Whether the answer is right."""
    return line.verdict == Verdict.CORRECT


def is_scored(line: Line) -> bool:
    """Whether the example says anything about the answer."""
    return line.verdict != Verdict.UNSCORED
