"""The self-refinement loop of one candidate: write a query, run it, mend it by what the engine says."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from dragoman.agent.sentences import counted
from dragoman.databases import Database
from dragoman.ensemble.group_answers import group_answers
from dragoman.errors import BudgetSpent, ModelError
from dragoman.linking.chat import Chat
from dragoman.models import Model, Settings
from dragoman.questions import Question
from dragoman.solver import Answer, Draw, Failure
from dragoman.sql.extract import extract
from dragoman.workflows.reforce.briefing import Briefing, opening, prompt, request
from dragoman.workflows.reforce.parameters import Parameters
from dragoman.workflows.zero_shot import Asking, run_candidate


def self_refine(
    database: Database, model: Model, briefing: Briefing, asking: Asking, how: Parameters
) -> Callable[[Question, Draw], Answer]:
    """One candidate of ReFoRCE (section 3.2.2), a solver.

    The answer has rows where a query was accepted. A candidate that was dropped has an error, or a result without
    rows: the reply held no query after `how.asks` more, `how.empties` results in a row were empty, or
    `how.iterations` queries did not get there. Without consent to a query, that query is the answer.
    """

    def solve(question: Question, draw: Draw) -> Answer:
        started = time.monotonic()
        settings = Settings(draw.temperature, draw.seed, draw.sample, max_tokens=how.tokens)
        chat = Chat(model, "generator", settings, [opening(briefing)])
        refining = _Refining(database, chat, briefing, asking, how)
        try:
            answer = refining.run(request(briefing, question))
        except BudgetSpent:
            raise
        except ModelError as error:
            answer = Answer(error=Failure(error.code, str(error)))
        return replace(answer, steps=tuple(chat.steps), seconds=time.monotonic() - started)

    return solve


class _Refining:
    """One candidate under way."""

    def __init__(self, database: Database, chat: Chat, briefing: Briefing, asking: Asking, how: Parameters) -> None:
        self._database = database
        self._chat = chat
        self._briefing = briefing
        self._asking = asking
        self._how = how
        self._earlier: list[Answer] = []

    def run(self, message: str) -> Answer:
        empties = 0
        answer = Answer()
        for iteration in range(1, self._how.iterations + 1):
            sql, said = self._query(message)
            if not sql:
                return Answer(text=said, error=Failure("no_sql", "No query could be found in the replies."))
            answer = self._execute(sql, {"iteration": iteration})
            if answer.error is None and answer.rows is None:
                return answer
            empties = empties + 1 if answer.error is None and not answer.rows else 0
            if self._accepted(answer) or empties == self._how.empties:
                return answer
            message = self._feedback(answer)
        if answer.rows:  # it ran, but never gave the same result twice
            unchecked = Failure("undecided", f"{counted(self._how.iterations, 'query')} gave no result twice.")
            return Answer(answer.sql, error=unchecked)
        return answer

    def _query(self, message: str) -> tuple[str, str]:
        """(SQL or "", the prose of the last reply)."""
        said = ""
        for _ in range(1 + self._how.asks):
            found = extract(self._chat.ask(message).text, self._database.dialect)
            if found.sql:
                return found.sql, found.text
            said, message = found.text or said, prompt("no_query")
        return "", said

    def _execute(self, sql: str, data: Mapping[str, Any]) -> Answer:
        candidate, step = run_candidate(self._database, self._briefing.schema, sql, self._asking)
        failed = {"failed": candidate.error.code} if candidate.error else {}
        self._chat.steps.append(replace(step, data={**step.data, **data, **failed}))
        return Answer(sql, candidate.rows, error=candidate.error)

    def _accepted(self, answer: Answer) -> bool:
        """Whether the rows stand: at once, or with `self_check` when an earlier query gave the same."""
        if answer.error is not None or not answer.rows:
            return False
        if not self._how.self_check:
            return True
        self._earlier.append(answer)
        *earlier, this = group_answers(self._earlier, self._database)
        return this in earlier

    def _feedback(self, answer: Answer) -> str:
        if answer.error is not None:
            return prompt("failed", error=self._briefing.show_failure(answer.error, self._how))
        if not answer.rows:
            return prompt("empty")
        rows = answer.rows
        number = f"{'at least ' if rows.truncated else ''}{counted(len(rows), 'row')}"
        return prompt("check", rows=number, result=self._briefing.show(rows, self._how))
