"""Screening by a model: one call a name, a yes or a no (EGRefine, section III-B)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context

from dragoman.errors import BudgetSpent, ModelError
from dragoman.models import Message, Model, Settings
from dragoman.refine.read_prompt import read_prompt
from dragoman.refine.screen import Judge, Judgement
from dragoman.refine.subject import Subject
from dragoman.solver import Step

SHOWN = 5
"""Sample values in a prompt."""
MOST_TOKENS = 1024
"""Enough for models that think before they answer; the reference code allows 8."""
_ANSWER = re.compile(r"\b(YES|NO)\b", re.IGNORECASE)


def screen_by_model(model: Model, workers: int = 1, seed: int | None = None) -> Judge:
    """A judge that shows a model the name and type, its table, its neighbours, sample values and the domain.

    Recall first: a reply without a yes or a no, and a call that fails, keep the name in. Judgements come in the order
    of the subjects whatever the number of workers. Raises `BudgetSpent`.
    """

    def judge(subject: Subject) -> Judgement:
        try:
            reply = model.complete(
                [Message("user", screening_prompt(subject))], settings=Settings(seed=seed, max_tokens=MOST_TOKENS)
            )
        except BudgetSpent:
            raise
        except ModelError as error:
            return Judgement(True, ("the model gave no answer",), Step("screen", str(error), "screener"))
        found = read_answer(reply.text)
        signals = ("the model finds it unclear",) if found else ("the model's answer is neither yes nor no",)
        step = Step("screen", reply.text, "screener", {"place": subject.place}, reply.usage, reply.cost, reply.seconds)
        return Judgement(found is not False, signals if found is not False else (), step)

    def judge_all(subjects: Sequence[Subject]) -> Sequence[Judgement]:
        if workers <= 1:
            return [judge(subject) for subject in subjects]
        with ThreadPoolExecutor(workers, thread_name_prefix="dragoman-screen") as pool:
            running = [pool.submit(copy_context().run, judge, subject) for subject in subjects]
            return [future.result() for future in running]

    return judge_all


def read_answer(text: str) -> bool | None:
    """The last yes or no after the model's thoughts; None where there is neither."""
    found = _ANSWER.findall(text.rpartition("</think>")[2])
    return found[-1].upper() == "YES" if found else None


def screening_prompt(subject: Subject) -> str:
    """What the model reads."""
    if subject.column is None:
        columns = "\n".join(
            f"- {column.name}: {values_text(subject, column.name, 3)}" for column in subject.table.columns
        )
        return read_prompt(
            "screen_table",
            domain=subject.domain,
            table=subject.name,
            comment=subject.table.comment or "none",
            columns=columns,
            tables=", ".join(name for name in subject.tables if name != subject.name) or "none",
        )
    return read_prompt(
        "screen_column",
        domain=subject.domain,
        table=subject.table.name,
        column=subject.name,
        type=subject.column.type or "no type",
        neighbours=", ".join(column.name for column in subject.neighbours) or "none",
        values=values_text(subject, subject.name, SHOWN),
    )


def values_text(subject: Subject, column: str, count: int) -> str:
    """The first sample values of a column, quoted and apart by commas."""
    return ", ".join(repr(value) for value in subject.values.get(column, ())[:count]) or "none"
