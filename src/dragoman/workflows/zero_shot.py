"""The zero-shot baseline: the schema and the question in, one query out."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from importlib import resources
from string import Template

from dragoman.databases import Database, Limits
from dragoman.errors import BudgetSpent, ModelError, QueryError, Refused
from dragoman.linking.lexical import link, values_seen
from dragoman.linking.value_index import ValueHint
from dragoman.models.fence import Fence, fence_for
from dragoman.models.model import Choice, Message, Model, OnText, Reply, Settings
from dragoman.questions import Question
from dragoman.schema import Schema, ddl
from dragoman.solver import Answer, Candidate, Draw, Failure, Step
from dragoman.sql.extract import extract
from dragoman.sql.parse import parse
from dragoman.sql.references import unresolved

Match = Callable[[str], Sequence[ValueHint]]
Consent = Callable[[str], bool]
Read = Callable[[str], tuple[str, str]]
"""From the text of a choice to (SQL or "", prose or "")."""

LOAD_WORTH_TELLING = 0.001
"""Seconds; a model that was there already takes less."""
MOST_TOKENS = 2000
"""Completion tokens for chat models; some think aloud before they answer."""
TIMES_TOGETHER = 2.0
"""The candidates of one question together may run so many times as long as one query."""
MOST_FORM_TOKENS = 220
"""Completion tokens in the tuned form, which holds nothing but the query."""


@dataclass(frozen=True, slots=True)
class Asking:
    """What a zero-shot solver needs beside database and model.

    `today` is the date with its time zone, as prompts show it. `match` finds values that the question names.
    `values` is the leave to show cells to models that are not on this machine.
    `consent` is asked before a query runs; where it says no, the answer holds the SQL alone.
    """

    today: str
    limits: Limits = Limits()
    match: Match | None = None
    consent: Consent | None = None
    on_text: OnText | None = None
    values: bool = True


def zero_shot(database: Database, model: Model, asking: Asking) -> ZeroShot:
    """A solver that makes one model call a question, for chat models and for models tuned on a form of their own."""
    return ZeroShot(database, model, asking)


@dataclass(frozen=True, slots=True)
class ZeroShot:
    """The zero-shot solver. A model with a form of its own is asked once for all draws that are samples in a row."""

    database: Database
    model: Model
    asking: Asking

    def __call__(self, question: Question, draw: Draw) -> Answer:
        return self.together(question, (draw,))[0]

    def together(self, question: Question, drawn: Sequence[Draw]) -> tuple[Answer, ...]:
        """One answer a draw, as each alone would give. Equal queries run once; all share the seconds of `Tried`."""
        hints = tuple(self.asking.match(question.text)) if self.asking.match else ()
        tried = Tried(self.database, self.asking)
        runs = _in_a_row(drawn) if self.model.sql_form else [[draw] for draw in drawn]
        return tuple(answer for run in runs for answer in self._answers(question, hints, run, tried))

    def _answers(
        self, question: Question, hints: Sequence[ValueHint], drawn: Sequence[Draw], tried: Tried
    ) -> Iterator[Answer]:
        """The answers to draws of one request; the first one's steps tell what the request took."""
        started = time.monotonic()
        schema = self.database.schema()
        steps = [Step("link", data={"tables": len(schema.tables), "values": [list(hint) for hint in hints]})]
        try:
            reply, read = self._generate(schema, question, hints, drawn)
        except BudgetSpent:
            raise
        except ModelError as error:
            for _ in drawn:
                yield Answer(error=Failure(error.code, str(error)), steps=tuple(steps), seconds=_since(started))
                steps = []
            return
        if reply.load_seconds > LOAD_WORTH_TELLING:
            steps.append(Step("load", self.model.name, seconds=reply.load_seconds))
        data = {"choices": len(reply.choices)} if len(drawn) > 1 else {}
        steps.append(Step("model", reply.text, "generator", data, reply.usage, reply.cost, reply.seconds))
        for choice in reply.choices:
            answer, more = self._answer(choice, *read(choice.text), tried)
            yield replace(answer, steps=(*steps, *more), seconds=_since(started))
            started, steps = time.monotonic(), []

    def _generate(
        self, schema: Schema, question: Question, hints: Sequence[ValueHint], drawn: Sequence[Draw]
    ) -> tuple[Reply, Read]:
        """The reply to one request for draws that are samples in a row, and how its choices are read."""
        form, on_text = self.model.sql_form, self.asking.on_text
        if form is not None:
            seen = link(schema, _asked(question), hints, form.budget, form.size)
            settings = replace(
                _settings(drawn, MOST_FORM_TOKENS),
                grammar=form.grammar(seen),
                stop=form.stop,
                adapter=True,
                logprobs=True,
            )
            prompt = form.prompt(seen, _asked(question), values_seen(schema, seen, hints))
            reply = self.model.complete([Message("raw", prompt)], settings=settings, on_text=on_text)
            return reply, lambda text: (form.sql(text, schema), "")

        def read(text: str) -> tuple[str, str]:
            found = extract(text, schema.dialect)
            return found.sql, found.text

        fence = fence_for(drawn[0].seed, self.database.name)
        messages = _messages(schema, question, hints, self.asking.today, fence)
        return self.model.complete(messages, settings=_settings(drawn, MOST_TOKENS), on_text=on_text), read

    def _answer(self, choice: Choice, sql: str, text: str, tried: Tried) -> tuple[Answer, Sequence[Step]]:
        """What became of one choice, and the steps that took."""
        if choice.finish == "length":
            name = self.model.name
            return Answer(
                sql, error=Failure("cut_off", f"The model {name} did not end within its limit of tokens.")
            ), ()
        if not sql:
            failure = None if text else Failure("no_sql", f"The model {self.model.name} replied with nothing.")
            return Answer(text=text, error=failure), ()
        found, steps = tried.run(sql)
        candidate = replace(found, logprob=_mean_logprob(choice), tokens=len(choice.logprobs) or None)
        return Answer(sql, candidate.rows, "", candidate.error, (candidate,)), steps


@dataclass(slots=True)
class Tried:
    """The queries of one question that ran, by their text.

    Together they have `TIMES_TOGETHER` as many seconds as one query; those for which none are left are not run and
    have the error "too_slow".
    """

    database: Database
    asking: Asking
    seconds: float = 0.0
    candidates: dict[str, Candidate] = field(default_factory=dict)

    def run(self, sql: str) -> tuple[Candidate, tuple[Step, ...]]:
        """What becomes of a query, and the step that takes where it is a new one."""
        if sql in self.candidates:
            return self.candidates[sql], ()
        self.candidates[sql], step = self._run(sql)
        if step.kind == "execute":
            self.seconds += step.seconds
        return self.candidates[sql], (step,)

    def _run(self, sql: str) -> tuple[Candidate, Step]:
        limits = self.asking.limits
        asking = self.asking
        if limits.seconds is not None:
            left = TIMES_TOGETHER * limits.seconds - self.seconds
            if left <= 0:
                message = f"The other candidates ran for {self.seconds:.0f} s, and this one was not run any more."
                return Candidate(sql, error=Failure("too_slow", message)), Step("too_slow", message)
            asking = replace(asking, limits=replace(limits, seconds=min(left, limits.seconds)))
        return run_candidate(self.database, self.database.schema(), sql, asking)


def run_candidate(database: Database, schema: Schema, sql: str, asking: Asking) -> tuple[Candidate, Step]:
    """Check the names of a proposed query, then run it if there is consent. What fails is a value."""
    started = time.monotonic()
    failure = _check(sql, schema)
    if failure:
        return Candidate(sql, error=failure), Step("check", failure.message)
    if asking.consent and not asking.consent(sql):
        return Candidate(sql), Step("held")
    try:
        rows = database.execute(sql, asking.limits)
    except (QueryError, Refused) as error:
        failure = Failure(error.code, str(error))
        return Candidate(sql, error=failure), Step("execute", failure.message, seconds=_since(started))
    data = {"rows": len(rows), "truncated": rows.truncated, "enforced": list(rows.enforced)}
    return Candidate(sql, rows), Step("execute", sql, data=data, seconds=_since(started))


def _check(sql: str, schema: Schema) -> Failure | None:
    """What is wrong with the names of a query, before it runs."""
    try:
        unknown = unresolved(parse(sql, schema.dialect), schema)
    except Refused as error:
        return Failure(error.code, str(error))
    return Failure("unresolved", str(unknown[0])) if unknown else None


def _in_a_row(drawn: Sequence[Draw]) -> list[list[Draw]]:
    """The draws in order, those together that differ only in a sample number that counts up."""
    runs: list[list[Draw]] = []
    for draw in drawn:
        if runs and draw == replace(runs[-1][-1], sample=runs[-1][-1].sample + 1):
            runs[-1].append(draw)
        else:
            runs.append([draw])
    return runs


def _settings(drawn: Sequence[Draw], most: int) -> Settings:
    first = drawn[0]
    return Settings(first.temperature, first.seed, first.sample, len(drawn), most)


def _mean_logprob(choice: Choice) -> float | None:
    """Per token, None where the model does not tell."""
    values = [value for _, value in choice.logprobs]
    return sum(values) / len(values) if values else None


def _asked(question: Question) -> str:
    return f"{question.text} ({question.evidence})" if question.evidence else question.text


def _messages(
    schema: Schema, question: Question, hints: Sequence[ValueHint], today: str, fence: Fence
) -> list[Message]:
    values = "\n".join(f"{hint.table}.{hint.column} = {hint.value!r}" for hint in hints)
    system = _template("zero_shot_system").substitute(
        dialect=schema.dialect, today=today, marker=fence.marker, schema=fence(ddl(schema), "schema")
    )
    user = _template("zero_shot_user").substitute(
        question=question.text,
        evidence=f"\nWhat is known:\n{fence(question.evidence, 'evidence')}\n" if question.evidence else "",
        values=f"\nValues in the database that the question may mean:\n{fence(values, 'values')}\n" if values else "",
    )
    return [Message("system", system), Message("user", user)]


def _template(name: str) -> Template:
    return Template(resources.files("dragoman.workflows").joinpath(f"prompts/{name}.md").read_text("utf-8"))


def _since(started: float) -> float:
    return time.monotonic() - started
