"""ReFoRCE with a model that completes one prompt form: what is left of it without words.

Such a model cannot be told of an error, cannot plan probes, and reads no notes. So a candidate is mended by drawing
again, with what failed set apart; exploration is made by rule and becomes value hints; the schema is cut to what the
form holds, with no model asked; and the format of the answer is not restricted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from dragoman.databases import Database
from dragoman.linking.probe_values import probe_values
from dragoman.models import ModelsByRole
from dragoman.models.fence import fence_for
from dragoman.questions import Question
from dragoman.solver import Answer, Draw, Solver, Step
from dragoman.workflows.reforce.briefing import Briefing
from dragoman.workflows.reforce.parameters import Parameters
from dragoman.workflows.reforce.resample import Resample
from dragoman.workflows.reforce.staged import staged
from dragoman.workflows.reforce.way import Steps
from dragoman.workflows.zero_shot import Asking


@dataclass(frozen=True)
class ByForm:
    """Candidates by sampling; the first is drawn at temperature 0, as the model is trained to be used."""

    database: Database
    models: ModelsByRole
    asking: Asking
    how: Parameters

    @property
    def alike(self) -> bool:
        return True

    def draws(self, first: Draw) -> Sequence[Draw]:
        warm = self.how.form_temperature
        return [Draw(first.seed, warm if n else 0.0, first.sample + n) for n in range(self.how.votes)]

    def brief(self, question: Question, draw: Draw) -> tuple[Briefing, Steps]:
        match = self.asking.match
        hints = tuple(match(question.text)) if match else ()
        schema = self.database.schema()
        fence = fence_for(draw.seed, self.database.name)
        told = Step("link", data={"stage": "link", "tables": len(schema.tables), "degraded": "prompt form"})
        return Briefing(schema, "", self.asking.today, fence, True, hints), (told,)

    def candidates(self, briefing: Briefing) -> Solver:
        asking = replace(self.asking, match=lambda text: briefing.hints)
        return Resample(self.database, self.models.for_role("generator"), asking, self.how)

    def explore(
        self, briefing: Briefing, question: Question, draw: Draw, earlier: Sequence[Answer]
    ) -> tuple[Briefing | None, Steps]:
        tried = [answer.sql for answer in earlier if answer.sql]
        found, steps = probe_values(self.database, question.text, briefing.hints, tried, self.how.exploring)
        told = Step("explore", data={"notes": len(found), "aborted": not found, "degraded": "probes by rule"})
        noted = replace(briefing, hints=(*briefing.hints, *found)) if found else None
        return noted, staged((*steps, told), "explore")
