"""ReFoRCE with a model that converses: the paper's way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from dragoman.databases import Database
from dragoman.errors import BudgetSpent, ModelError
from dragoman.linking.chat import Chat
from dragoman.linking.explore import Subject, explore
from dragoman.models import ModelsByRole, Settings
from dragoman.models.fence import fence_for
from dragoman.questions import Question
from dragoman.schema import Schema
from dragoman.solver import Answer, Draw, Solver, Step
from dragoman.workflows.reforce.briefing import Briefing, may_show_cells, opening, prompt, request
from dragoman.workflows.reforce.parameters import Parameters
from dragoman.workflows.reforce.self_refine import self_refine
from dragoman.workflows.reforce.sight import Sight
from dragoman.workflows.reforce.staged import staged
from dragoman.workflows.reforce.way import Steps
from dragoman.workflows.zero_shot import Asking


@dataclass(frozen=True)
class ByChat:
    """Candidates in conversations of their own; each is explored for in another one, unless `how.explore_once`."""

    database: Database
    models: ModelsByRole
    asking: Asking
    how: Parameters
    schema: Schema
    sight: Sight

    @property
    def alike(self) -> bool:
        return self.how.explore_once

    def draws(self, first: Draw) -> Sequence[Draw]:
        return [Draw(first.seed, self.how.temperature, first.sample + number) for number in range(self.how.votes)]

    def brief(self, question: Question, draw: Draw) -> tuple[Briefing, Steps]:
        match = self.asking.match
        hints = tuple(match(question.text)) if match else ()
        asked = f"{question.text} {question.evidence}".strip()
        seen = self.sight.see(self.schema, asked, hints, draw.seed)
        fence = fence_for(draw.seed, self.database.name)
        cells = may_show_cells(self.models, self.asking)
        briefing = Briefing(self.database.schema(), seen.text.text, self.asking.today, fence, cells, hints)
        if not self.how.answer_format:
            return briefing, seen.steps
        header, steps = self._header(briefing, question, draw)
        return replace(briefing, header=header), (*seen.steps, *steps)

    def candidates(self, briefing: Briefing) -> Solver:
        refine = self_refine(self.database, self.models.for_role("generator"), briefing, self.asking, self.how)

        def solve(question: Question, draw: Draw) -> Answer:
            answer = refine(question, draw)
            return replace(answer, steps=staged(answer.steps, "refine"))

        return solve

    def explore(
        self, briefing: Briefing, question: Question, draw: Draw, earlier: Sequence[Answer]
    ) -> tuple[Briefing | None, Steps]:
        subject = Subject(
            briefing.fence(briefing.text, "schema"),
            request(briefing, question),
            briefing.today,
            lambda found: briefing.show(found, self.how),
        )
        settings = Settings(draw.temperature, draw.seed, draw.sample)
        found = explore(self.database, self.models.for_role("explorer"), subject, self.how.exploring, settings)
        told = Step("explore", found.aborted, data={"notes": len(found.notes), "aborted": bool(found.aborted)})
        steps = staged((*found.steps, told), "explore")
        kept = found.notes and not found.aborted
        return (replace(briefing, notes=found.notes) if kept else None), steps

    def _header(self, briefing: Briefing, question: Question, draw: Draw) -> tuple[str, Steps]:
        """The columns of the answer on one line, "" where the model did not say (format restriction)."""
        settings = Settings(draw.temperature, draw.seed, draw.sample, max_tokens=self.how.tokens)
        chat = Chat(self.models.for_role("generator"), "generator", settings, [opening(briefing)])
        try:
            said = chat.ask(prompt("format", question=request(briefing, question))).text
        except BudgetSpent:
            raise
        except ModelError:
            said = ""
        lines = [line.strip() for line in said.splitlines() if line.strip().strip("`")]
        return (lines[-1] if lines else ""), staged(chat.steps, "format")
