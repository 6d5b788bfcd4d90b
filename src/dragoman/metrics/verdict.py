"""What came of one example."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
    """One verdict per example. Only UNSCORED says nothing about the answer."""

    CORRECT = "correct"
    WRONG = "wrong"
    INVALID_REFERENCE = "invalid_reference"
    MISSING_FUNCTION = "missing_function"
    SYNTAX = "syntax"
    TIMEOUT = "timeout"
    REFUSED = "refused"
    NO_ANSWER = "no_answer"
    UNSCORED = "unscored"


@dataclass(frozen=True, slots=True)
class Judgement:
    """The verdict of one rule on one answer.

    score              what the rule gives, 1 for a right answer; rules with partial credit or bonuses give others
    detail             one sentence on why, "" where the verdict says it all
    invalid_reference  the query names a table or column that is not there, whatever the verdict
    missing_function   the engine said that a function is not there
    """

    verdict: Verdict
    rule: str = "strict"
    detail: str = ""
    score: float = 0.0
    invalid_reference: bool = False
    missing_function: bool = False

    @property
    def correct(self) -> bool:
        return self.verdict is Verdict.CORRECT

    @property
    def scored(self) -> bool:
        """Whether the example counts at all."""
        return self.verdict is not Verdict.UNSCORED
