"""What a new name must gain before it replaces the old one."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil

from dragoman.errors import SetupError


@dataclass(frozen=True, slots=True)
class Threshold:
    """The conservative rule (EGRefine, phase 3) with its meaning in counts.

    A name wins where its score, the share of right answers over all verifiers and questions, is above the original's
    by `tau` or more, and by `least_flips` net questions or more, in the mean over the verifiers. With 10 questions and
    2 verifiers one answer more is 0.05 already, so tau alone would let one lucky answer decide; and verifiers that are
    alike flip together, so that answers are not counted but questions. The paper's own rule is `least_flips=0` and
    `least_questions=1`; with `tau=0` as well a name wins that is no worse (its ablation). Fewer questions than
    `least_questions`, and an original that answers less than `least_baseline` of them, are a reason to abstain.
    """

    tau: float = 0.05
    least_flips: int = 2
    least_questions: int = 2
    least_baseline: float = 0.0

    def __post_init__(self) -> None:
        if not 0 <= self.tau <= 1 or not 0 <= self.least_baseline <= 1:
            raise SetupError("tau and the least baseline are shares between 0 and 1. Change the setting.")
        if self.least_flips < 0 or self.least_questions < 1:
            raise SetupError("The least number of flips is 0 or more, that of questions 1 or more. Change the setting.")

    def need(self, answers: int, questions: int) -> int:
        """How many more of `answers` (`questions` times verifiers) a name must get right than the original."""
        each = answers // questions if questions else 1
        return max(self.least_flips * each, ceil(Fraction(str(self.tau)) * answers))
