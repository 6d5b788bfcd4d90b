"""What a run of learning will ask for, before anything is spent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from dragoman.learn.optimise import Effort, Item
from dragoman.learn.reflect import TRIES
from dragoman.learn.rollout import Rollout
from dragoman.learn.split import Split
from dragoman.models.model import Usage

REFLECTION = Usage(1, 6_000, 2_000)
"""Assumed use of one reflection: a strategy, three condensed runs, a new strategy."""


@dataclass(frozen=True, slots=True)
class Amount:
    """Numbers of runs of the agent by purpose, and of reflections.

    The paper's 20 metric calls are `minibatch` alone; `validation` chooses among texts, `comparison` are the fresh
    paired runs of incumbent and challenger on the whole residual.
    """

    minibatch: int = 0
    validation: int = 0
    comparison: int = 0
    reflections: int = 0

    @property
    def runs(self) -> int:
        return self.minibatch + self.validation + self.comparison

    def __add__(self, other: Amount) -> Amount:
        return Amount(
            self.minibatch + other.minibatch,
            self.validation + other.validation,
            self.comparison + other.comparison,
            self.reflections + other.reflections,
        )


@dataclass(frozen=True, slots=True)
class Plan:
    """`likely` if each skill answers the share `assumed` of what it faces; `most` is never exceeded.

    `turns` are the likely amounts, batch by batch and skill by skill. `tokens` is the likely use of one run, None
    where none was seen yet.
    """

    likely: Amount
    most: Amount
    turns: tuple[tuple[Amount, ...], ...]
    assumed: float
    tokens: Usage | None

    def usage(self, amount: Amount) -> tuple[Usage, Usage] | None:
        """What so many runs use, and so many reflections; None where the use of a run is unknown."""
        if self.tokens is None:
            return None
        return _times(self.tokens, amount.runs), _times(REFLECTION, amount.reflections)


def plan(
    split: Split, skills: int, effort: Effort = Effort(), assumed: float = 0.5, seen: Sequence[Rollout] = ()
) -> Plan:
    """The plan of `learn.learn`. `assumed` is the share (0 to 1) that a skill answers of what it faces; `seen` are
    runs made before, whose mean use is taken for that of a run."""
    turns = tuple(tuple(_likely(batch, turn, effort, assumed) for turn in range(skills)) for batch in split.batches)
    most = sum((_most(batch, effort) for batch in split.batches for _ in range(skills)), Amount())
    likely = sum((amount for batch in turns for amount in batch), Amount())
    return Plan(likely, most, turns, assumed, _mean(seen))


def _times(one: Usage, count: int) -> Usage:
    return Usage(one.calls * count, one.prompt_tokens * count, one.completion_tokens * count, one.cached_tokens * count)


def _likely(batch: Sequence[Item], turn: int, effort: Effort, assumed: float) -> Amount:
    left = len(batch) * (1 - assumed) ** turn
    if left < 1:
        return Amount()
    val = sum(item.part == "val" for item in batch) * left / len(batch)
    return Amount(
        effort.metric_calls // (2 * effort.minibatch) * 2 * effort.minibatch,
        round(2 * val),
        round(2 * left),
        effort.proposals,
    )


def _most(batch: Sequence[Item], effort: Effort) -> Amount:
    val = sum(item.part == "val" for item in batch)
    return Amount(
        effort.iterations * 2 * effort.minibatch,
        val * (1 + effort.iterations),
        2 * len(batch),
        effort.iterations * TRIES,
    )


def _mean(seen: Sequence[Rollout]) -> Usage | None:
    if not seen:
        return None
    parts = ("calls", "prompt_tokens", "completion_tokens", "cached_tokens")
    return Usage(*(round(fmean(getattr(rollout.usage, part) for rollout in seen)) for part in parts))
