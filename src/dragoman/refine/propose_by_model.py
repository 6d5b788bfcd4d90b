"""Names proposed by a model from four contexts: values, neighbours, keys and domain (EGRefine, section III-C)."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass
from typing import Any

from dragoman.errors import BudgetSpent, ModelError
from dragoman.models import Message, Model, Settings
from dragoman.refine.name_problem import Names
from dragoman.refine.propose import COUNT, Proposal, Proposed, Proposer, sift
from dragoman.refine.read_prompt import read_prompt
from dragoman.refine.screen_by_model import values_text
from dragoman.refine.subject import Subject
from dragoman.solver import Step

_FIELD = re.compile(r"[\"']name[\"']\s*:\s*[\"']([^\"']+)[\"']", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Asking:
    """How names are asked for. Values are the paper's, but for `max_tokens`, which leaves room to think (its: 512).

    `attempts` counts replies that cannot be read and calls that fail; a reply of which too few names will do is
    followed by one more call that says which.
    """

    count: int = COUNT
    temperature: float = 0.7
    attempts: int = 3
    neighbours: int = 10
    values: int = 20
    neighbour_values: int = 5
    max_tokens: int = 2048


def propose_by_model(
    model: Model, names: Names, asking: Asking = Asking(), workers: int = 1, seed: int | None = None
) -> Proposer:
    """A proposer that asks a model about each subject. Raises `BudgetSpent`."""

    def propose_all(subjects: Sequence[Subject]) -> Sequence[Proposal]:
        def propose(subject: Subject) -> Proposal:
            return _Conversation(model, names, asking, subject, seed).proposal()

        if workers <= 1:
            return [propose(subject) for subject in subjects]
        with ThreadPoolExecutor(workers, thread_name_prefix="dragoman-propose") as pool:
            running = [pool.submit(copy_context().run, propose, subject) for subject in subjects]
            return [future.result() for future in running]

    return propose_all


class _Conversation:
    """The calls about one subject."""

    def __init__(self, model: Model, names: Names, asking: Asking, subject: Subject, seed: int | None) -> None:
        self.model, self.names, self.asking, self.subject, self.seed = model, names, asking, subject, seed
        self.messages = [Message("user", proposing_prompt(subject, asking))]
        self.steps: list[Step] = []

    def proposal(self) -> Proposal:
        """Ask until enough names will do: again after a reply nobody can read, once more where names were rejected."""
        place, count = self.subject.place, self.asking.count
        proposed: list[Proposed] = []
        refilled, failure = False, ""
        for sample in range(self.asking.attempts):
            text, failure = self._ask(sample)
            found = read_names(text) if not failure else None
            if found is None:
                failure = failure or "the reply holds no list of names"
                self._again("That is no JSON list of names.")
                continue
            proposed += found
            kept, rejects = sift(proposed, place, self.names, count)
            if len(kept) >= count or refilled:
                break
            refilled = True
            self._again(_problem(rejects, count - len(kept)))
        kept, rejects = sift(proposed, place, self.names, count)
        if kept and len(kept) < count:
            failure = f"only {len(kept)} of {count} names will do"
        elif kept:
            failure = ""
        elif not failure:
            failure = "no name will do"
        return Proposal(place, kept, rejects, failure, tuple(self.steps))

    def _ask(self, sample: int) -> tuple[str, str]:
        """(the reply, "") or ("", why there is none)."""
        asking = self.asking
        settings = Settings(asking.temperature, self.seed, sample, max_tokens=asking.max_tokens)
        data = {"place": self.subject.place}
        try:
            reply = self.model.complete(self.messages, settings=settings)
        except BudgetSpent:
            raise
        except ModelError as error:
            self.steps.append(Step("propose", str(error), "proposer", {**data, "failed": error.code}))
            return "", str(error)
        self.steps.append(Step("propose", reply.text, "proposer", data, reply.usage, reply.cost, reply.seconds))
        return reply.text, ""

    def _again(self, problem: str) -> None:
        said = self.steps[-1]
        if "failed" not in said.data:
            again = read_prompt("propose_again", problem=problem, count=self.asking.count)
            self.messages += [Message("assistant", said.text), Message("user", again)]


def read_names(text: str) -> list[Proposed] | None:
    """The names in a reply, whatever stands around the list: thoughts, prose, a fence; None if there is no list.

    An item may be an object with a name, under `name` or another key that speaks of one, or a bare string. Of a list
    that is cut off or written with faults the names still count.
    """
    spoken = text.rpartition("</think>")[2]
    for start, end in (("[", "]"), ("{", "}")):
        piece = spoken[spoken.find(start) : spoken.rfind(end) + 1] if start in spoken else ""
        try:
            found: Any = json.loads(piece, strict=False)
        except (ValueError, RecursionError):
            continue
        if isinstance(found, dict):
            found = next((value for value in found.values() if isinstance(value, list)), [found])
        names = [item for item in map(_item, found) if item]
        if names:
            return names
    return [Proposed(match[1], "") for match in _FIELD.finditer(spoken)] or None


def _item(item: Any) -> Proposed | None:
    if isinstance(item, str):
        return Proposed(item.strip(), "")
    if not isinstance(item, dict):
        return None
    keys = [key for key in item if "name" in str(key).lower()]
    name = item[keys[0]] if keys else None
    reason = next((item[key] for key in item if "reason" in str(key).lower()), "")
    return Proposed(name.strip(), " ".join(str(reason).split())) if isinstance(name, str) else None


def _problem(rejects: Sequence[Proposed], missing: int) -> str:
    told = " ".join(f"{item.name} will not do: {item.reason}." for item in rejects)
    return f"{told} Give {missing} more that will do.".strip()


def proposing_prompt(subject: Subject, asking: Asking = Asking()) -> str:
    """What the model reads."""
    links = ", ".join(".".join(place) for place in subject.links) or "none"
    comment = subject.column.comment if subject.column else subject.table.comment
    shared = {
        "domain": subject.domain or "not described",
        "table": subject.table.name,
        "comment": f"Comment: {comment}" if comment else "There is no comment.",
        "links": links,
        "count": asking.count,
    }
    shown = subject.neighbours[: asking.neighbours if subject.column else None]
    neighbours = "\n".join(
        f"- {column.name} ({column.type or 'no type'})"
        + (f", {column.comment[:80]}" if column.comment else "")
        + f": {values_text(subject, column.name, asking.neighbour_values)}"
        for column in shown
    )
    if subject.column is None:
        others = ", ".join(name for name in subject.tables if name != subject.name) or "none"
        return read_prompt("propose_table", neighbours=neighbours, tables=others, **shared)
    return read_prompt(
        "propose_column",
        column=subject.name,
        table_comment=f"The table: {subject.table.comment}" if subject.table.comment else "The table has no comment.",
        type=subject.column.type or "not declared",
        keys=", part of the primary key" if subject.column.primary_key else "",
        values=values_text(subject, subject.name, asking.values),
        neighbours=neighbours or "none",
        **shared,
    )
