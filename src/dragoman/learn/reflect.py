"""A better text for a skill, by a model that reads how the present one failed."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from importlib import resources
from pathlib import Path
from string import Template

from dragoman.agent.fence import fence_for
from dragoman.agent.skills import Skill
from dragoman.bench.ledger import Ledger, read_ledger
from dragoman.learn.rollout import Rollout
from dragoman.models.model import Message, Model, Settings, Usage
from dragoman.questions import Question
from dragoman.solver import Draw

REFLECTIONS = "reflections.jsonl"
MOST_TOKENS = 64_000
"""Completion tokens of a reflection (DivSkill-SQL, appendix B)."""
TRIES = 2
"""Texts that are asked for where the lint finds fault with the first."""

Lint = Callable[[Skill], Sequence[str]]
"""What is wrong with a skill, a sentence each; nothing for one that may be used."""

_FENCED = re.compile(r"```(?:markdown|md|text)?\n(.*)\n```", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Failure:
    """A question that a skill was run on, with what came of it."""

    question: Question
    rollout: Rollout


@dataclass(frozen=True, slots=True)
class Reflection:
    """One call: the proposed text, and the lint's findings, none if it may be used."""

    key: str
    text: str
    findings: tuple[str, ...] = ()
    usage: Usage = Usage()
    cost: float | None = 0.0


class Reflector:
    """Proposes texts, each call once: replies are kept in the folder by what was asked. `made` counts new calls.

    `temperature` is that of the paper. `close` closes the file.
    """

    def __init__(self, model: Model, lint: Lint, folder: Path, temperature: float = 1.0, seed: int = 0) -> None:
        self._model = model
        self._lint = lint
        self._draw = Draw(seed, temperature)
        self._ledger = Ledger(folder / REFLECTIONS)
        self._kept = {r["key"]: r for r in read_ledger(folder / REFLECTIONS)}
        self.made = 0

    def __call__(self, skill: Skill, seen: Sequence[Failure], sample: int) -> Skill | None:
        """The skill with a new text, None where no usable text came. `sample` tells repeated calls apart."""
        messages = [Message("user", prompt(skill, seen))]
        for attempt in range(TRIES):
            reflection = self._reflect(messages, skill, 2 * sample + attempt)
            if not reflection.findings and reflection.text != skill.body:
                return replace(skill, body=reflection.text, version=skill.version + 1, parent=skill.id, scores={})
            faults = "\n".join(f"- {finding}" for finding in reflection.findings) or _text("same")
            again = Template(_text("again")).substitute(faults=faults)
            messages = [*messages, Message("assistant", _fenced(reflection.text)), Message("user", again)]
        return None

    def close(self) -> None:
        self._ledger.close()

    def _reflect(self, messages: Sequence[Message], skill: Skill, sample: int) -> Reflection:
        key = hashlib.sha256(
            repr([[(m.role, m.text) for m in messages], self._model.name, sample]).encode()
        ).hexdigest()
        if key in self._kept:
            record = self._kept[key]
            text, usage, cost = str(record["text"]), Usage(**record["usage"]), record["cost"]
        else:
            settings = Settings(self._draw.temperature, seed=self._draw.seed, sample=sample, max_tokens=MOST_TOKENS)
            reply = self._model.complete(messages, settings=settings)
            text, usage, cost = read_text(reply.text), reply.usage, reply.cost
            record = {"key": key, "skill": skill.label, "parent": skill.id, "text": text}
            record |= {"findings": self._findings(skill, text), "usage": asdict(usage), "cost": cost}
            self._ledger.append(record)
            self._kept[key] = record
            self.made += 1
        findings = tuple(self._findings(skill, text))
        return Reflection(key, text, findings, usage, cost)

    def _findings(self, skill: Skill, text: str) -> list[str]:
        return list(self._lint(replace(skill, body=text))) if text else [_text("empty")]


def prompt(skill: Skill, seen: Sequence[Failure]) -> str:
    """What the model is asked: the strategy as it is, and the runs, without any gold SQL."""
    runs = "\n\n".join(_record(number, failure) for number, failure in enumerate(seen, 1))
    return Template(_text("reflect")).substitute(skill=_fenced(skill.body), runs=runs)


def read_text(reply: str) -> str:
    """The strategy in a reply: what stands in its outermost code fence, else all of it."""
    after = reply.rsplit("</think>", 1)[-1].strip()
    match = _FENCED.search(after)
    return (match[1] if match else after).strip()


def _record(number: int, failure: Failure) -> str:
    rollout = failure.rollout
    fence = fence_for(0, rollout.example)
    fields: Mapping[str, str] = {
        "number": str(number),
        "question": fence(failure.question.text, "question"),
        "evidence": failure.question.evidence and "\n" + fence(failure.question.evidence, "evidence"),
        "trace": fence(rollout.trace or _text("no_trace"), "run"),
        "sql": fence(rollout.sql or _text("no_sql"), "sql"),
        "verdict": rollout.verdict,
        "reason": rollout.reason or _text("no_reason"),
    }
    return Template(_text("run")).substitute(fields)


def _fenced(text: str) -> str:
    return f"```markdown\n{text}\n```"


def _text(name: str) -> str:
    return resources.files("dragoman.learn").joinpath(f"prompts/{name}.md").read_text("utf-8").strip()
