"""What the candidates of a question are told, and how it is put into messages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from string import Template

from dragoman.agent.result_text import result_text
from dragoman.databases import Rows
from dragoman.linking.explore import Note
from dragoman.linking.recipes import recipes
from dragoman.linking.value_index import ValueHint
from dragoman.models import Message, ModelsByRole
from dragoman.models.fence import Fence
from dragoman.questions import Question
from dragoman.schema import Schema
from dragoman.solver import Failure
from dragoman.workflows.reforce.parameters import Parameters
from dragoman.workflows.zero_shot import Asking

TIPS = ("contains", "nulls_last")
"""Recipes that every prompt shows; those for shards, nested columns and JSON stand with schemas that have them."""


@dataclass(frozen=True, slots=True)
class Briefing:
    """`text` is what is seen of `schema`; `hints` are values that the question names; `header` the columns asked for.

    `cells` tells whether values may be shown to this model. `notes` come from column exploration.
    """

    schema: Schema
    text: str
    today: str
    fence: Fence
    cells: bool
    hints: Sequence[ValueHint] = ()
    header: str = ""
    notes: Sequence[Note] = ()

    def show_failure(self, failure: Failure, how: Parameters) -> str:
        """Why a query failed, as data; "" for what an engine says, which may quote values, where none may be shown."""
        if failure.code == "query" and not self.cells:
            return ""
        return self.fence(failure.message[: how.characters], "error")

    def show(self, found: Rows | str, how: Parameters) -> str:
        """A result, or what an engine says, as data for the model: no value of it where values may not be shown."""
        if isinstance(found, str):
            return self.show_failure(Failure("query", found), how)
        if not self.cells:
            return self.fence(", ".join(found.columns)[: how.characters], "columns")
        text, shown = result_text(found, how.rows, how.cell, how.characters)
        more = "" if shown == len(found) and not found.truncated else "\n..."
        return self.fence(text + more, "result")


def may_show_cells(models: ModelsByRole, asking: Asking) -> bool:
    """Whether values may reach the models that explore and generate: with leave, or where all are on this machine."""
    return asking.values or all(models.for_role(role).local for role in ("explorer", "generator"))


def opening(briefing: Briefing) -> Message:
    """The system message, which all candidates and all questions on a schema that fits have in common."""
    dialect = briefing.schema.dialect
    tips = "\n".join(f"- `{way}`" for key in TIPS if (way := recipes(dialect).get(key)))
    return Message(
        "system",
        prompt(
            "system",
            dialect=dialect,
            today=briefing.today,
            marker=briefing.fence.marker,
            tips=tips,
            schema=briefing.fence(briefing.text, "schema"),
        ),
    )


def request(briefing: Briefing, question: Question) -> str:
    """The question with all that was found out for it."""
    hints = "\n".join(f"{hint.table}.{hint.column} = {hint.value!r}" for hint in briefing.hints)
    notes = "\n\n".join(f"-- {note.about}\n{note.sql}\n{note.shown}" for note in briefing.notes)
    parts = (
        prompt("notes", notes=notes) if notes else "",
        prompt("question", question=question.text),
        prompt("evidence", evidence=briefing.fence(question.evidence, "evidence")) if question.evidence else "",
        prompt("values", values=briefing.fence(hints, "values")) if hints else "",
        prompt("header", header=briefing.header) if briefing.header else "",
    )
    return "\n\n".join(filter(None, parts))


def prompt(name: str, **words: object) -> str:
    """The prompt of that name, filled in."""
    file = resources.files("dragoman.workflows.reforce").joinpath(f"prompts/{name}.md")
    return Template(file.read_text("utf-8").strip()).substitute(words)
