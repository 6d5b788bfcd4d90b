"""Refinement of candidates that cannot be told what went wrong: draw again, with what failed set apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from dragoman.databases import Database
from dragoman.models import Model
from dragoman.questions import Question
from dragoman.solver import Answer, Draw, Step
from dragoman.workflows.reforce.parameters import Parameters
from dragoman.workflows.reforce.staged import staged
from dragoman.workflows.zero_shot import Asking, zero_shot

APART = 100_000
"""Samples between one try of a candidate and its next."""

Failed = dict[str, Answer]
"""Queries that failed or found nothing, by their text."""


@dataclass(frozen=True, slots=True)
class Resample:
    """The candidates of a model with a prompt form, a solver that draws together.

    The bounds are those of `self_refine`. A query that failed is not run again, in whichever candidate it comes back;
    it counts as tried. Steps of a request that several candidates share belong to the stage "sample" of all of them.
    """

    database: Database
    model: Model
    asking: Asking
    how: Parameters

    def __call__(self, question: Question, draw: Draw) -> Answer:
        return self.together(question, (draw,))[0]

    def together(self, question: Question, drawn: Sequence[Draw]) -> tuple[Answer, ...]:
        """One answer a draw, in their order."""
        failed: Failed = {}
        consent = self.asking.consent
        asking = replace(
            self.asking, consent=lambda sql: sql not in failed and (consent is None or consent(sql)), on_text=None
        )
        solve = zero_shot(self.database, self.model, asking)
        tries = [_Tried(draw) for draw in drawn]
        for iteration in range(self.how.iterations):
            open_ = [tried for tried in tries if not tried.done]
            if not open_:
                break
            answers = solve.together(question, [self._again(tried.draw, iteration) for tried in open_])
            for tried, answer in zip(open_, answers, strict=True):
                tried.take(answer, failed, self.how.empties)
                tried.steps += _staged(answer, iteration + 1)
        return tuple(replace(tried.answer, steps=tuple(tried.steps)) for tried in tries)

    def _again(self, draw: Draw, iteration: int) -> Draw:
        if not iteration:
            return draw
        warm = max(draw.temperature, self.how.form_temperature)
        return Draw(draw.seed, warm, draw.sample + APART * iteration)


@dataclass
class _Tried:
    """One candidate under way."""

    draw: Draw
    answer: Answer = Answer()
    empties: int = 0
    done: bool = False
    steps: list[Step] = field(default_factory=list)

    def take(self, drawn: Answer, failed: Failed, most_empties: int) -> None:
        """What was drawn now becomes the answer, and perhaps the last one."""
        held = bool(drawn.sql) and drawn.error is None and drawn.rows is None
        known = failed.get(drawn.sql) if held else None
        self.answer = known or drawn
        ran = self.answer.error is None and self.answer.rows is not None
        if self.answer.error is not None or (ran and not self.answer.rows):
            failed.setdefault(drawn.sql, self.answer)
        self.empties = self.empties + 1 if ran and not self.answer.rows else 0
        kept_from_running = held and known is None
        self.done = bool(self.answer.rows) or kept_from_running or self.empties == most_empties or _is_lost(self.answer)


def _staged(answer: Answer, iteration: int) -> tuple[Step, ...]:
    """The steps of one try, those of a request that several candidates share set apart.

    A try whose query was run for another one has a step of the kind "again".
    """
    shared = [step for step in answer.steps if "choices" in step.data]
    own = [step for step in answer.steps if "choices" not in step.data] or [Step("again", answer.sql)]
    if answer.error is not None and own[-1].kind == "execute":
        own[-1] = replace(own[-1], data={"failed": answer.error.code})
    return (*staged(shared, "sample", candidate=0), *staged(own, "refine", iteration=iteration))


def _is_lost(answer: Answer) -> bool:
    """Whether the model gave no reply, so that drawing again is for others to decide."""
    return answer.error is not None and answer.error.code in ("model", "model_unavailable")
