"""Descriptions in place of names: the arm that annotates columns and renames none (EGRefine, section VI-D)."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context

from dragoman.errors import BudgetSpent, ModelError
from dragoman.models import Message, Model, Settings
from dragoman.refine.domain import read_sentence
from dragoman.refine.read_prompt import read_prompt
from dragoman.refine.refinement import Place, Refinement
from dragoman.refine.screen_by_model import values_text
from dragoman.refine.subject import Subject
from dragoman.solver import Step

TEMPERATURE = 0.3
MOST_TOKENS = 1024
MOST_LETTERS = 300
"""A longer reply is no description and is left out."""
SHOWN = 20


def describe_by_model(
    subjects: Sequence[Subject], model: Model, workers: int = 1, seed: int | None = None
) -> tuple[Refinement, tuple[Step, ...]]:
    """Descriptions for the columns among the subjects, as a refinement that changes comments alone, and the calls made.

    A call that fails and a reply that is empty or too long leave the column as it is. Descriptions are verified as
    names are: by the refinement. Raises `BudgetSpent`.
    """
    columns = [subject for subject in subjects if subject.column]

    def describe(subject: Subject) -> tuple[str, Step]:
        settings = Settings(TEMPERATURE, seed, max_tokens=MOST_TOKENS)
        data = {"place": subject.place}
        try:
            reply = model.complete([Message("user", describing_prompt(subject))], settings=settings)
        except BudgetSpent:
            raise
        except ModelError as error:
            return "", Step("describe", str(error), "proposer", {**data, "failed": error.code})
        step = Step("describe", reply.text, "proposer", data, reply.usage, reply.cost, reply.seconds)
        sentence = read_sentence(reply.text)
        return (sentence if len(sentence) <= MOST_LETTERS else ""), step

    if workers <= 1:
        found = [describe(subject) for subject in columns]
    else:
        with ThreadPoolExecutor(workers, thread_name_prefix="dragoman-describe") as pool:
            running = [pool.submit(copy_context().run, describe, subject) for subject in columns]
            found = [future.result() for future in running]
    told: dict[Place, str] = {s.place: text for s, (text, _) in zip(columns, found, strict=True) if text}
    return Refinement(descriptions=told), tuple(step for _, step in found)


def describing_prompt(subject: Subject) -> str:
    """What the model reads about a column."""
    column, table = subject.column, subject.table
    return read_prompt(
        "describe_column",
        domain=subject.domain or "not described",
        table=table.name,
        column=subject.name,
        type=(column.type if column else "") or "not declared",
        comment=f"Comment: {column.comment}" if column and column.comment else "There is no comment.",
        table_comment=f"The table: {table.comment}" if table.comment else "The table has no comment.",
        values=values_text(subject, subject.name, SHOWN),
        neighbours=", ".join(other.name for other in subject.neighbours) or "none",
    )
