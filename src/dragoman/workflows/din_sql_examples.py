"""The worked examples as DIN-SQL's stages show them."""

from __future__ import annotations

import json
from functools import cache
from string import Template
from typing import Literal

from dragoman.workflows.schema_forms import listing
from dragoman.workflows.stages import template
from dragoman.workflows.worked_examples import WorkedExample, example_schema, worked_examples

DinStage = Literal["linking", "classification", "easy", "non_nested", "nested"]
_DIFFICULTIES = {"easy": ("EASY",), "non_nested": ("NON-NESTED",), "nested": ("NESTED",)}


@cache
def din_examples(stage: DinStage, dialect: str) -> str:
    """All examples for linking and classification, those of the difficulty for generation, below their schema."""
    wanted = _DIFFICULTIES.get(stage, ("EASY", "NON-NESTED", "NESTED"))
    form = Template(template(f"din_sql/examples/{stage}"))
    shown = [
        form.substitute(_words(example)).strip() for example in worked_examples(dialect) if example.difficulty in wanted
    ]
    head = Template(template("din_sql/examples/head")).substitute(schema=listing(example_schema(dialect)))
    return "\n\n".join([head.strip(), *shown])


def _words(example: WorkedExample) -> dict[str, str]:
    questions = json.dumps([question for question, _ in example.sub], ensure_ascii=False)
    parts = [f"{question}\n```sql\n{sql}\n```" for question, sql in example.sub]
    return {
        "question": example.question,
        "links": f"[{', '.join(example.links)}]",
        "thought": example.thought,
        "why": example.why,
        "label": example.difficulty + (f"\nQuestions: {questions}" if example.sub else ""),
        "parts": "\n".join(parts),
        "intermediate": example.intermediate,
        "sql": example.sql,
    }
