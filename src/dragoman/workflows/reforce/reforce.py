"""ReFoRCE: compression, self-refinement, consensus, and column exploration for what stays unsure.

After Deng et al. 2025 (arXiv 2502.00675). What the published code gets wrong is mended: whole results vote, rows are
compared as rows, a lone candidate is not lost, keys are shown, and no loop is without an end.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from dragoman.databases import Database
from dragoman.ensemble import candidates
from dragoman.errors import SetupError
from dragoman.models import ModelsByRole
from dragoman.questions import Question
from dragoman.solver import Answer, Candidate, Draw, Failure, Solver, Step
from dragoman.workflows.reforce.briefing import Briefing, may_show_cells
from dragoman.workflows.reforce.by_chat import ByChat
from dragoman.workflows.reforce.by_form import ByForm
from dragoman.workflows.reforce.consensus import Consensus, consensus
from dragoman.workflows.reforce.parameters import Parameters
from dragoman.workflows.reforce.reveal import Revealed, reveal
from dragoman.workflows.reforce.sight import Sight
from dragoman.workflows.reforce.staged import staged
from dragoman.workflows.reforce.way import Way
from dragoman.workflows.zero_shot import Asking

GoldSql = Callable[[Question], str]
"""The gold query of a question, for analysis alone."""
MOST_AT_ONCE = 8
"""Requests that one question sends to a server at the same time."""


def reforce(
    how: Parameters = Parameters(), gold: GoldSql | None = None
) -> Callable[[Database, ModelsByRole, Asking], Solver]:
    """The method. `gold` is needed where `how.reveal` gives something of the gold query away, and read nowhere else.

    With `asking.consent`, one candidate is refined and nothing is explored, so that the user sees few queries; without
    the leave to show values to the models, nothing is explored either. The draw's temperature is not used: `how` has
    its own. Raises `SetupError` for `how.reveal` without `gold`.
    """
    if how.reveal and gold is None:
        raise SetupError("The arms with gold tables and gold schema run in bench alone, which knows the gold queries.")

    def method(database: Database, models: ModelsByRole, asking: Asking) -> Solver:
        chosen = replace(how, votes=1) if asking.consent else how
        explores = chosen.explore if asking.consent is None and may_show_cells(models, asking) else "never"
        chosen = replace(chosen, explore=explores)

        model = models.for_role("generator")
        sight = Sight(database, models.for_role("linker"), chosen, may_show_cells(models, asking))
        workers = 1 if model.local else min(chosen.votes, MOST_AT_ONCE)

        def solve(question: Question, draw: Draw) -> Answer:
            started = time.monotonic()
            seen: Database = database
            if gold is not None and chosen.reveal:
                shown = reveal(database.schema(), gold(question), chosen.reveal == "schema")
                seen = Revealed(database, shown)
            way: Way
            if model.sql_form is not None:
                way = ByForm(seen, models, asking, chosen)
            else:
                way = ByChat(database, models, asking, chosen, seen.schema(), sight)
            answer = _Asked(database, way, chosen, question, workers).answer(draw)
            return replace(answer, seconds=time.monotonic() - started)

        return solve

    return method


class _Asked:
    """One question under way: its steps so far, and the rounds of candidates that were drawn for it."""

    def __init__(self, database: Database, way: Way, how: Parameters, question: Question, workers: int) -> None:
        self._database = database
        self._way = way
        self._how = how
        self._question = question
        self._workers = workers
        self._steps: list[Step] = []
        self._rounds: list[Consensus] = []

    def answer(self, draw: Draw) -> Answer:
        """The four steps of the paper: brief and draw, vote, explore and draw again what is unsure, pick."""
        how = self._how
        first = replace(draw, sample=draw.sample * 2 * how.votes)
        briefing, steps = self._way.brief(self._question, first)
        self._steps += steps
        if how.explore != "always":
            self._draw(briefing, first, explored=False)
        if how.explore == "always" or (how.explore == "unsure" and not self._is_sure):
            self._draw(briefing, replace(first, sample=first.sample + how.votes), explored=True)
        return self._pick()

    @property
    def _is_sure(self) -> bool:
        return self._rounds[-1].standing == "agreed"

    def _draw(self, briefing: Briefing, first: Draw, explored: bool) -> None:
        """One round: all candidates, each with its own exploration or all with one, and how they stand.

        There is none where one exploration was to serve all, and found nothing.
        """
        number = len(self._rounds) + 1
        solver = self._way.candidates(briefing)
        if explored and self._way.alike:
            noted, steps = self._noted(briefing, self._question, first)
            self._steps += staged(steps, round=number)
            if noted is None:
                return
            solver = self._way.candidates(noted)
        elif explored:
            solver = partial(self._explored, briefing)
        drawn = candidates(solver, self._question, self._way.draws(first), self._workers)
        for place, answer in enumerate(drawn, 1):
            self._steps += staged(answer.steps, round=number, candidate=place)
        found = consensus(drawn, self._database)
        self._steps += staged([found.step], round=number)
        self._rounds.append(found)

    def _explored(self, briefing: Briefing, question: Question, draw: Draw) -> Answer:
        """A candidate with an exploration of its own."""
        noted, steps = self._noted(briefing, question, draw)
        answer = _unexplored(question, draw) if noted is None else self._way.candidates(noted)(question, draw)
        return replace(answer, steps=(*steps, *answer.steps))

    def _noted(self, briefing: Briefing, question: Question, draw: Draw) -> tuple[Briefing | None, Sequence[Step]]:
        """The briefing with notes. Where none were found, earlier candidates stand; without any, it goes on bare."""
        earlier = self._rounds[-1].answers if self._rounds else ()
        noted, steps = self._way.explore(briefing, question, draw, earlier)
        return (briefing if noted is None and not self._rounds else noted), steps

    def _pick(self) -> Answer:
        """The answer of the last round that has one; what is not agreed only with `final_pick`."""
        found, chosen = _last_with_rows(self._rounds) or _leftover(self._rounds)
        if not self._how.final_pick and found.standing != "agreed":
            chosen = Answer(error=Failure("undecided", f"The candidates do not agree ({found.standing})."))
        data = {"stage": "vote", "standing": found.standing, "round": self._rounds.index(found) + 1}
        return replace(
            chosen,
            candidates=tuple(
                Candidate(answer.sql, answer.rows, answer.error, group)
                for answer, group in zip(found.answers, found.groups, strict=True)
            ),
            steps=(*self._steps, Step("pick", data=data)),
            share=found.share if chosen.sql else None,
        )


def _unexplored(question: Question, draw: Draw) -> Answer:
    """A candidate that is dropped because its exploration found nothing."""
    return Answer(error=Failure("unexplored", "The exploration of this candidate found nothing."))


def _last_with_rows(rounds: Sequence[Consensus]) -> tuple[Consensus, Answer] | None:
    """The first candidate of the best class of the last round that has one."""
    for found in reversed(rounds):
        if found.first is not None:
            return found, found.answers[found.first]
    return None


def _leftover(rounds: Sequence[Consensus]) -> tuple[Consensus, Answer]:
    """The best of what was dropped, later rounds first.

    In this order: a query without consent, an empty result, an error of the engine, unknown names, words.
    """

    def rank(place: tuple[Consensus, Answer]) -> int:
        answer = place[1]
        if answer.sql and answer.error is None:
            return 0 if answer.rows is None else 1
        if answer.sql:
            return 3 if _failed_by(answer, "unresolved") else 2
        return 4 if answer.text else 6 if _failed_by(answer, "unexplored") else 5

    found, best = min(((found, answer) for found in reversed(rounds) for answer in found.answers), key=rank)
    return found, replace(best, error=None) if best.text and not best.sql else best


def _failed_by(answer: Answer, code: str) -> bool:
    return answer.error is not None and answer.error.code == code
