"""One question on its way through a published method: whom it asks, what it runs, and the steps made so far."""

from __future__ import annotations

import re
import time
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import resources
from string import Template
from typing import Any

from dragoman.databases import Database
from dragoman.errors import BudgetSpent, ModelError, SetupError
from dragoman.linking.lexical import link
from dragoman.linking.recipes import recipes
from dragoman.linking.value_index import ValueHint
from dragoman.models import Choice, Message, ModelsByRole, Settings
from dragoman.models.fence import Fence, fence_for
from dragoman.models.model import Role
from dragoman.questions import Question
from dragoman.schema import Schema
from dragoman.solver import Answer, Candidate, Draw, Failure, Solver, Step
from dragoman.sql.extract import Extracted, extract
from dragoman.workflows.sample_values import SampleValues
from dragoman.workflows.zero_shot import Asking, run_candidate

MOST_TOKENS = 4000
"""Completion tokens of one reply; some models think aloud before they answer."""
MOST_SCHEMA = 60_000
"""Characters of a schema in compact form, about 15,000 tokens; of larger ones the tables that words speak for stay."""
SAMPLES_OF_A_DRAW = 1000
"""Numbers of samples that a draw has for itself."""

_PART = re.compile(r"^--- (user|assistant)\n", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Sampling:
    """How many replies at which temperature. `first` is the index of the first sample."""

    replies: int = 1
    temperature: float = 0.0
    first: int = 0


@dataclass(slots=True)
class Stages:
    """The state of one question. `schema` is what the method sees of the database.

    `hints` are values that the question names and `values` gives samples of columns; there are none where cells must
    not reach a model. `candidate` numbers the candidate at work from 1, 0 where all share the work; `stage` is the
    prompt that was asked last. `ran` remembers what became of each query.
    """

    database: Database
    models: ModelsByRole
    asking: Asking
    question: Question
    draw: Draw
    schema: Schema
    hints: tuple[ValueHint, ...]
    values: SampleValues | None
    fence: Fence
    candidate: int = 0
    stage: str = ""
    steps: list[Step] = field(default_factory=list)
    ran: dict[str, Candidate] = field(default_factory=dict)

    def ask(
        self, role: str, prompt: str, words: Mapping[str, str], sampling: Sampling = Sampling()
    ) -> tuple[Choice, ...]:
        """Replies to the prompt of that name, filled with `words` and with what every prompt may use.

        A draw at a higher temperature raises that of every stage, and each draw has samples of its own.
        """
        settings = Settings(
            max(sampling.temperature, self.draw.temperature),
            self.draw.seed,
            self.draw.sample * SAMPLES_OF_A_DRAW + sampling.first,
            sampling.replies,
            MOST_TOKENS,
        )
        reply = self.models.for_role(role).complete(self._messages(prompt, words), settings=settings)
        texts = [choice.text for choice in reply.choices]
        text = texts[0] if len(texts) == 1 else "\n\n".join(f"[{i}] {text}" for i, text in enumerate(texts, 1))
        self.stage = prompt
        data = {**self._where(), "replies": len(texts)}
        self.steps.append(Step("model", text, role, data, reply.usage, reply.cost, reply.seconds))
        return reply.choices

    def note(self, kind: str, text: str = "", **data: Any) -> None:
        """Keep a step that called no model."""
        self.steps.append(Step(kind, text, data=data))

    def run(self, sql: str) -> Candidate:
        """Check the names of a query and run it on the database that the method was given, once for each question.

        What fails is a value.
        """
        if sql not in self.ran:
            self.ran[sql], step = run_candidate(self.database, self.database.schema(), sql, self.asking)
            self.steps.append(replace(step, data={**step.data, **self._where()}))
        return self.ran[sql]

    def read(self, choice: Choice) -> Extracted:
        """The SQL and the prose of a reply."""
        return extract(choice.text, self.schema.dialect)

    def answer(self, candidate: Candidate | None, text: str = "") -> Answer:
        """The answer with one query, or with a text, or with nothing at all."""
        steps = tuple(self.steps)
        if candidate is None:
            failure = None if text else Failure("no_sql", "The model replied with nothing.")
            return Answer(text=text, error=failure, steps=steps)
        return Answer(candidate.sql, candidate.rows, "", candidate.error, (candidate,), steps)

    def _where(self) -> dict[str, Any]:
        """What a step says of its place in the method."""
        return {"stage": self.stage, **({"candidate": self.candidate} if self.candidate else {})}

    def _messages(self, prompt: str, words: Mapping[str, str]) -> list[Message]:
        given = {
            "dialect": self.schema.dialect,
            "today": self.asking.today,
            "marker": self.fence.marker,
            "question": self._question(),
            "ways": ways(self.schema),
            **words,
        }
        first, *rest = _PART.split(template(prompt))
        system = f"{_filled(first, given)}\n\n{_filled(template('house'), given)}"
        parts: list[tuple[Role, str]] = [
            ("user" if role == "user" else "assistant", text) for role, text in zip(rest[::2], rest[1::2], strict=True)
        ]
        return [
            Message("system", system),
            *(Message(role, _filled(text, given)) for role, text in parts),
        ]

    def _question(self) -> str:
        evidence = self.question.evidence
        known = f"\nWhat is known:\n{self.fence(evidence, 'evidence')}" if evidence else ""
        lines = "\n".join(f"{hint.table}.{hint.column} = {hint.value!r}" for hint in self.hints)
        named = f"\nValues in the database that it may mean:\n{self.fence(lines, 'values')}" if lines else ""
        return f"Question: {self.question.text}{known}{named}"


def staged(
    method: str,
    roles: Sequence[str],
    bound: tuple[Database, ModelsByRole, Asking],
    solve: Callable[[Stages], Answer],
) -> Solver:
    """The solver of a method that follows prompts, for the models of these roles.

    A model's failure ends the question with an error and the steps so far; `BudgetSpent` is passed on. Raises
    `SetupError`, when bound, for a model that writes SQL only, since it cannot follow the method's prompts.
    """
    database, models, asking = bound
    for role in roles:
        model = models.for_role(role)
        if model.sql_form is not None:
            raise SetupError(
                f"The model {model.name} writes SQL only and cannot follow the prompts of {method} as {role}. "
                f"Name a chat model with --model or --model-for {role}=NAME, or use --method zero_shot, with "
                "--candidates 7 for a vote."
            )
    cells = asking.values or all(models.for_role(role).local for role in roles)
    values = SampleValues(database) if cells else None

    def solver(question: Question, draw: Draw) -> Answer:
        started = time.monotonic()
        hints = tuple(asking.match(question.text)) if asking.match and cells else ()
        whole = database.schema()
        seen = link(whole, f"{question.text} {question.evidence}", hints, MOST_SCHEMA)
        stages = Stages(
            database, models, asking, question, draw, seen, hints, values, fence_for(draw.seed, database.name)
        )
        stages.note("link", tables=len(seen.tables), of=len(whole.tables), values=[list(hint) for hint in hints])
        try:
            found = solve(stages)
        except BudgetSpent:
            raise
        except ModelError as error:
            found = Answer(error=Failure(error.code, str(error)), steps=tuple(stages.steps))
        return replace(found, seconds=time.monotonic() - started)

    return solver


def say(key: str) -> str:
    """The sentence of that key in prompts/faults.toml."""
    return str(_faults()[key])


def ways(schema: Schema) -> str:
    """How the dialect writes what models get wrong, as far as `schema` can need it; t stands for a table."""
    known = recipes(schema.dialect)
    types = {column.type.upper() for table in schema for column in table.columns}
    paths = [path for table in schema for column in table.columns for path, _ in column.nested]
    in_structs = any(c.nested and c.type.upper() not in ("JSON", "JSONB", "VARIANT") for t in schema for c in t.columns)
    wanted = {
        "text that holds a word, in any case": known.get("contains"),
        "NULL at the end of an order": known.get("nulls_last"),
        "elements of an array": known.get("array") if any("[]" in path for path in paths) else None,
        "a field of a struct": known.get("struct") if in_structs else None,
        "a path in JSON": known.get("json") if types & {"JSON", "JSONB", "VARIANT", "OBJECT"} else None,
    }
    return "\n".join(f"- {kind}: {sql}" for kind, sql in wanted.items() if sql)


@cache
def template(name: str) -> str:
    """The text of a prompt: what the system says, then parts that a line `--- user` or `--- assistant` begins."""
    return resources.files("dragoman.workflows").joinpath(f"prompts/{name}.md").read_text("utf-8")


@cache
def _faults() -> Mapping[str, str]:
    return tomllib.loads(resources.files("dragoman.workflows").joinpath("prompts/faults.toml").read_text("utf-8"))


def _filled(text: str, words: Mapping[str, str]) -> str:
    """The part of a prompt with its words; what an empty word leaves are no more than blank lines."""
    return re.sub(r"\n{3,}", "\n\n", Template(text).substitute(words)).strip()
