"""What CHASE-SQL's generators show: worked examples taken apart or with their plan, and examples made up at once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from string import Template

from dragoman.errors import Refused
from dragoman.schema import Schema, ddl
from dragoman.sql.extract import without_thoughts
from dragoman.sql.parse import parse
from dragoman.sql.references import unresolved
from dragoman.workflows.c3_linking import link_once
from dragoman.workflows.sample_values import with_values
from dragoman.workflows.stages import Stages, template
from dragoman.workflows.worked_examples import WorkedExample, example_schema, worked_examples

VALUES = 3
"""Values of each column that are shown where examples are made up."""

_PAIR = re.compile(r"Question:\s*(?P<question>[^\n]+)\s*\n\s*```\w*\n(?P<sql>.*?)```", re.DOTALL | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Synthetic:
    """`features` examples of what SQL can do, over the whole schema, and `filtered` over the columns linked to the
    question."""

    features: int = 8
    filtered: int = 8


def synthetic_examples(stages: Stages, how: Synthetic) -> str:
    """Examples that the generator makes up over the database itself, as data; one call for columns, two for examples.

    Those whose query cannot be read, or names what is not there, are left out.
    """
    whole = stages.schema
    features = _made_up(stages, "chase/examples_features", whole, how.features)
    linked = link_once(stages, "c3/link")
    filtered = _made_up(stages, "chase/examples_filtered", linked, how.filtered)
    shown = "\n\n".join(f"Question: {question}\n```sql\n{sql}\n```" for question, sql in (*features, *filtered))
    return stages.fence(shown, "examples") if shown else ""


def read_examples(text: str, schema: Schema) -> Iterator[tuple[str, str]]:
    """(question, query) pairs of a reply whose query names nothing but what is in the schema."""
    for found in _PAIR.finditer(without_thoughts(text)):
        sql = found["sql"].strip().rstrip(";")
        try:
            if not unresolved(parse(sql, schema.dialect), schema):
                yield found["question"].strip(), sql
        except Refused:
            continue


@cache
def split_examples(dialect: str) -> str:
    """Worked examples that are divided, conquered and assembled."""
    return _worked("divide", [example for example in worked_examples(dialect) if example.sub], dialect)


@cache
def plan_examples(dialect: str) -> str:
    """Worked examples with the steps in which an engine carries them out."""
    found = worked_examples(dialect)
    return _worked("plan", [example for example in found if example.difficulty != "EASY"], dialect)


def _made_up(stages: Stages, prompt: str, schema: Schema, number: int) -> tuple[tuple[str, str], ...]:
    if not number:
        return ()
    shown = stages.fence(ddl(with_values(schema, stages.values, VALUES)), "schema")
    (reply,) = stages.ask("generator", prompt, {"schema": shown, "number": str(number)})
    found = tuple(read_examples(reply.text, stages.schema))[:number]
    stages.note("examples", asked=number, kept=len(found))
    return found


def _worked(stage: str, examples: list[WorkedExample], dialect: str) -> str:
    form = Template(template(f"chase/examples/{stage}"))
    head = Template(template("din_sql/examples/head")).substitute(schema=ddl(example_schema(dialect)))
    return "\n\n".join([head.strip(), *(form.substitute(_words(example)).strip() for example in examples)])


def _words(example: WorkedExample) -> dict[str, str]:
    parts = [f"Sub-question {i}: {question}\n{sql}" for i, (question, sql) in enumerate(example.sub, 1)]
    return {
        "question": example.question,
        "why": example.why,
        "parts": "\n".join(parts),
        "steps": "\n".join(f"{i}. {step}" for i, step in enumerate(example.steps, 1)),
        "sql": example.sql,
    }
