"""Two runs on the same examples."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from random import Random

from dragoman.bench.accuracy import SEED, is_right, is_scored, mean_by_example
from dragoman.bench.line import Line
from dragoman.statistics import Interval, mcnemar, paired_cluster_bootstrap

Pair = tuple[Line, Line]
"""The first repeat of one example, in run A and in run B, scored in both."""


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """How many examples both, only one, or neither of two runs has. `p` is McNemar's, exact and two-sided."""

    name: str
    both: int
    only_a: int
    only_b: int
    neither: int

    @property
    def total(self) -> int:
        return self.both + self.only_a + self.only_b + self.neither

    @property
    def p(self) -> float:
        return mcnemar(self.only_a, self.only_b)


def pair_lines(a: Iterable[Line], b: Iterable[Line]) -> list[Pair]:
    """The pairs, in the order of run A."""
    first = {line.id: line for line in b if line.repeat == 0 and is_scored(line)}
    return [(line, first[line.id]) for line in a if line.repeat == 0 and is_scored(line) and line.id in first]


def head_to_head(pairs: Sequence[Pair], name: str, has: Callable[[Line], bool] = is_right) -> HeadToHead:
    """Counts over pairs of what `has` says, by default a right answer."""
    found = [(has(a), has(b)) for a, b in pairs]
    cells = ((True, True), (True, False), (False, True), (False, False))
    return HeadToHead(name, *(found.count(cell) for cell in cells))


def difference(a: Iterable[Line], b: Iterable[Line]) -> Interval:
    """Interval of accuracy of B minus A over the examples scored in both, databases resampled.

    Each example counts with its mean over the repeats of its run.
    """
    first, second = mean_by_example(a), mean_by_example(b)
    shared = [name for name in first if name in second]
    return paired_cluster_bootstrap(
        [first[name][0] for name in shared],
        [second[name][0] for name in shared],
        [first[name][1] for name in shared],
        Random(SEED),
    )


def flips(pairs: Sequence[Pair]) -> tuple[list[Pair], list[Pair]]:
    """(wrong in A and right in B, right in A and wrong in B)."""
    gained = [(a, b) for a, b in pairs if not is_right(a) and is_right(b)]
    lost = [(a, b) for a, b in pairs if is_right(a) and not is_right(b)]
    return gained, lost
