"""A solver that knows how sure it is, and says nothing where that is not enough."""

from __future__ import annotations

from dataclasses import dataclass, replace

from dragoman.databases import Database
from dragoman.ensemble.clarify import clarify, unsure
from dragoman.ensemble.confidence import Calibration, pool_signals, with_confidence
from dragoman.ensemble.selector import Selector
from dragoman.questions import Question
from dragoman.schema import Schema
from dragoman.solver import Answer, Draw, Failure, Solver, Step


@dataclass(frozen=True, slots=True)
class Doubt:
    """What confidence is made with. Below `least` (0 to 1) an answer is held back; at 0 none is."""

    calibration: Calibration
    selector: Selector
    least: float = 0.0


def confident(solver: Solver, database: Database, doubt: Doubt) -> Solver:
    """`solver` with `Answer.confidence` filled; answers that are less likely right than `doubt.least` are held back.

    Such an answer has the error "abstained" and no SQL; its candidates stay. Where candidates disagree, the error asks
    one question that names the two most likely readings.
    """
    schema = database.schema()

    def solve(question: Question, draw: Draw) -> Answer:
        answer = with_confidence(
            solver(question, draw), question.text, schema.dialect, doubt.calibration, doubt.selector
        )
        confidence = answer.confidence or 0.0
        told = Step("confidence", data={"confidence": round(confidence, 4), "least": doubt.least})
        answer = replace(answer, steps=(*answer.steps, told))
        if answer.error or not answer.sql or confidence >= doubt.least:
            return answer
        asked = _question(answer, question, schema, doubt.selector)
        held = Failure("abstained", unsure(confidence, doubt.least, asked))
        return replace(answer, sql="", rows=None, error=held)

    return solve


def _question(answer: Answer, question: Question, schema: Schema, selector: Selector) -> str:
    """Which reading is meant, of the answer's and the likeliest other one; "" where all candidates agree."""
    rated = selector.rate(question.text, schema.dialect, pool_signals(answer))
    own = [found for found, _ in rated if any(answer.candidates[p].sql == answer.sql for p in found.members)]
    others = [found for found, _ in rated if found not in own]
    if not own or not others:
        return ""
    one, other = (answer.candidates[found.standing] for found in (own[0], others[0]))
    return clarify(one, other, schema)
