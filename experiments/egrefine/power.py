"""Can these verifiers tell a good name from a useless one? The chance to pass the threshold, from rates of flips."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

from experiments.egrefine.scores import Change

SIZES = (2, 5, 10, 20, 50)
"""Questions that read a column."""
PAPER = (84 / 633, 13 / 633)
"""EGRefine's DIN-SQL on the 633 questions that its names touch: repaired 84, broken 13."""


@dataclass(frozen=True, slots=True)
class Rates:
    """The chance that a question is repaired by new names, and that it is broken."""

    repaired: float
    broken: float


def rates(found: Change | None) -> Rates | None:
    """The rates that were seen, None where nothing was."""
    return Rates(found.repaired / found.questions, found.broken / found.questions) if found else None


def chance_to_pass(questions: int, flips: Rates, tau: float = 0.05, least: int = 2) -> float:
    """The chance that repaired minus broken is at least tau of the questions, and `least`.

    Counted are whole questions, as the threshold counts them: verifiers that agree on nearly all are as good as one.
    """
    need = max(least, ceil(tau * questions))
    nets = {0: 1.0}
    for _ in range(questions):
        after: dict[int, float] = {}
        for net, chance in nets.items():
            for step, part in (
                (1, flips.repaired),
                (-1, flips.broken),
                (0, 1 - flips.repaired - flips.broken),
            ):
                after[net + step] = after.get(net + step, 0.0) + chance * part
        nets = after
    return sum(chance for net, chance in nets.items() if net >= need)
