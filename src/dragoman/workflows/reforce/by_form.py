"""ReFoRCE with a model that completes one prompt form: what is left of it without words.

Such a model cannot be told of an error, cannot plan probes, and reads no notes. So a candidate is mended by drawing
again, with what failed set apart; exploration is made by rule and becomes value hints; the schema is cut to what the
form holds, with no model asked; and the format of the answer is not restricted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from dragoman.agent.fence import fence_for
from dragoman.databases import Database
from dragoman.linking.probe_values import probe_values
from dragoman.models import ModelsByRole
from dragoman.questions import Question
from dragoman.solver import Answer, Draw, Step
from dragoman.workflows.reforce.briefing import Briefing
from dragoman.workflows.reforce.parameters import Parameters
from dragoman.workflows.reforce.staged import staged
from dragoman.workflows.reforce.way import Steps
from dragoman.workflows.zero_shot import Asking, zero_shot


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

    def candidate(self, briefing: Briefing, question: Question, draw: Draw) -> Answer:
        """Draw until a query has rows, or the bounds of refinement are reached. No query that failed runs again."""
        how, failed, steps, empties = self.how, set[str](), list[Step](), 0
        consent = self.asking.consent
        asking = replace(
            self.asking,
            match=lambda text: briefing.hints,
            consent=lambda sql: sql not in failed and (consent is None or consent(sql)),
        )
        solve = zero_shot(self.database, self.models.for_role("generator"), asking)
        answer = Answer()
        for iteration in range(how.iterations):
            warm = max(draw.temperature, how.form_temperature) if iteration else draw.temperature
            drawn = solve(question, Draw(draw.seed, warm, draw.sample * how.iterations + iteration))
            steps += [replace(s, data={**s.data, "iteration": iteration + 1}) for s in drawn.steps]
            again = drawn.error is None and drawn.rows is None and drawn.sql in failed
            answer = answer if again else drawn
            empties = (
                empties + 1 if not again and answer.error is None and not answer.rows else 0 if not again else empties
            )
            held = answer.sql and answer.error is None and answer.rows is None
            if held or answer.rows or empties == how.empties or _is_hopeless(answer):
                break
            failed.add(drawn.sql)
        return replace(answer, steps=staged(steps, "refine"))

    def explore(
        self, briefing: Briefing, question: Question, draw: Draw, earlier: Sequence[Answer]
    ) -> tuple[Briefing | None, Steps]:
        tried = [answer.sql for answer in earlier if answer.sql]
        found, steps = probe_values(self.database, question.text, briefing.hints, tried, self.how.exploring)
        told = Step("explore", data={"notes": len(found), "aborted": not found, "degraded": "probes by rule"})
        noted = replace(briefing, hints=(*briefing.hints, *found)) if found else None
        return noted, staged((*steps, told), "explore")


def _is_hopeless(answer: Answer) -> bool:
    """Whether the model gave no reply, so that asking again is for others to decide."""
    return answer.error is not None and answer.error.code in ("model", "model_unavailable")
