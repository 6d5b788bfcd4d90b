"""Drafts of new skills, written by a model that reads what the failures of a run have in common."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib import resources
from string import Template

from dragoman.agent.fence import fence_for
from dragoman.agent.skills import Skill
from dragoman.bench.line import Line
from dragoman.errors import Unreadable
from dragoman.learn.failure_clusters import Cluster
from dragoman.learn.reflect import MOST_TOKENS, read_text
from dragoman.models.model import Message, Model, Settings
from dragoman.schema import Column, Schema, Table
from dragoman.solver import Draw, Step
from dragoman.sql.masked import masked

SHOWN = 6
"""Failures of a cluster that the model reads."""
TRIES = 2
"""Texts that are asked for where the first cannot be used."""

Lint = Callable[[Skill], Sequence[str]]
"""What is wrong with a skill, a sentence each; nothing for one that may be used."""

_HEAD = re.compile(r"\A\s*Name:[ \t]*`?([a-z][a-z0-9_]*)`?[ \t]*\nWhen:[ \t]*(\S.*)\n", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Draft:
    """A proposed skill for a cluster, None if no reply could be read as one. `findings` say why it cannot be used."""

    cluster: Cluster
    skill: Skill | None
    findings: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()

    @property
    def usable(self) -> bool:
        """Whether there is a skill that the lint finds no fault with."""
        return self.skill is not None and not self.findings


def propose_skills(
    clusters: Iterable[Cluster], known: Sequence[Skill], model: Model, lint: Lint, draw: Draw = Draw(temperature=1.0)
) -> tuple[Draft, ...]:
    """One draft a cluster, in their order; each is told of the skills there are and of the drafts before it.

    A draft that the lint finds fault with is sent back once. Nothing is written anywhere. Raises `ModelError`.
    """
    drafts: list[Draft] = []
    for cluster in clusters:
        found = [draft.skill for draft in drafts if draft.skill and draft.usable]
        drafts.append(_propose(cluster, (*known, *found), model, lint, draw))
    return tuple(drafts)


def names_in(lines: Iterable[Line]) -> Schema:
    """The tables and columns that the queries of a run name, as a schema that the lint can hold a draft against."""
    names: dict[str, None] = {}
    for line in lines:
        for sql in {line.gold, line.sql}:
            try:
                names |= dict.fromkeys(masked(sql, line.dialect).names) if sql else {}
            except Unreadable:
                continue
    return Schema((Table("", tuple(map(Column, names))),))


def _propose(cluster: Cluster, known: Sequence[Skill], model: Model, lint: Lint, draw: Draw) -> Draft:
    messages = [Message("user", prompt(cluster, known))]
    steps: list[Step] = []
    taken = {skill.name for skill in known}
    for attempt in range(TRIES):
        settings = Settings(draw.temperature, draw.seed, TRIES * draw.sample + attempt, max_tokens=MOST_TOKENS)
        reply = model.complete(messages, settings=settings)
        steps.append(Step("model", reply.text, "reflector", {}, reply.usage, reply.cost, reply.seconds))
        skill = read_draft(reply.text)
        if skill is None:
            findings: tuple[str, ...] = (_text("unreadable"),)
        else:
            findings = (*lint(skill), *([_text("taken")] if skill.name in taken else []))
        if not findings:
            break
        again = Template(_text("again")).substitute(faults="\n".join(f"- {finding}" for finding in findings))
        messages = [*messages, Message("assistant", reply.text or "(nothing)"), Message("user", again)]
    return Draft(cluster, skill, findings, tuple(steps))


def prompt(cluster: Cluster, known: Sequence[Skill]) -> str:
    """What the model is asked. No gold SQL is in it."""
    lines = cluster.lines[:: 1 + (len(cluster.lines) - 1) // SHOWN]
    return Template(_text("propose")).substitute(
        skills="\n".join(f"- {skill.name}: {skill.when} {_idea(skill)}" for skill in known),
        number=len(cluster.lines),
        shared="; ".join(cluster.shared),
        failures="\n\n".join(_failure(number, line) for number, line in enumerate(lines, 1)),
    )


def read_draft(reply: str) -> Skill | None:
    """The skill in a reply, None where it has no name, no use or no strategy."""
    text = read_text(reply)
    head = _HEAD.match(text)
    body = text[head.end() :].strip() if head else ""
    return Skill(head[1].lower(), body, head[2].strip()) if head and body else None


def _idea(skill: Skill) -> str:
    """The first sentence of a strategy, which says what it is built on."""
    return re.split(r"(?<=[.:!?])\s", skill.body, maxsplit=1)[0]


def _failure(number: int, line: Line) -> str:
    fence = fence_for(0, line.database)
    return Template(_text("failure")).substitute(
        number=number,
        question=fence(line.question, "question"),
        sql=fence(line.sql or line.text or _text("no_sql"), "sql"),
        verdict=line.verdict.replace("_", " "),
    )


def _text(name: str) -> str:
    return resources.files("dragoman.learn").joinpath(f"prompts/{name}.md").read_text("utf-8").strip()
