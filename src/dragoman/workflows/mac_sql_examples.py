"""The worked examples as MAC-SQL's decomposer shows them: sub-questions, a query for each, then the whole."""

from __future__ import annotations

from functools import cache
from string import Template

from dragoman.workflows.mac_sql_schema import described
from dragoman.workflows.stages import template
from dragoman.workflows.worked_examples import WorkedExample, example_schema, worked_examples

SHOWN = 2
"""Examples that are taken apart, and as many that are not."""


@cache
def mac_examples(dialect: str) -> str:
    """The first examples that need sub-questions and the first joins that need none, below their schema."""
    found = worked_examples(dialect)
    shown = [e for e in found if e.sub][:SHOWN] + [e for e in found if e.difficulty == "NON-NESTED"][:SHOWN]
    head = Template(template("din_sql/examples/head")).substitute(schema=described(example_schema(dialect), None, 0))
    form = Template(template("mac_sql/examples/decompose"))
    return "\n\n".join([head.strip(), *(form.substitute(_words(example)).strip() for example in shown)])


def _words(example: WorkedExample) -> dict[str, str]:
    """A query that is not taken apart has the question itself as its only sub-question."""
    if not example.sub:
        parts = [f"Sub-question 1: {example.question}\n```sql\n{example.sql}\n```"]
    else:
        whole = (example.question, example.sql)
        parts = [
            f"Sub-question {i}: {question}\n```sql\n{sql}\n```"
            for i, (question, sql) in enumerate((*example.sub, whole), 1)
        ]
    return {"question": example.question, "parts": "\n".join(parts)}
