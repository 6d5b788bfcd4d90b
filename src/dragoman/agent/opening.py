"""The first two messages: what the agent is to do and how, and the question."""

from __future__ import annotations

from dragoman.agent.desk import Desk
from dragoman.agent.sentences import prompt
from dragoman.agent.tools import described
from dragoman.agent.words import best_passages
from dragoman.linking.group_tables import group_tables
from dragoman.linking.ranking import Ranking
from dragoman.linking.schema_text import schema_text
from dragoman.models import Message
from dragoman.schema import Schema


def opening(desk: Desk, skill: str) -> list[Message]:
    """System text (preamble, tools, the skill verbatim, the schema) and the question.

    The system text is the same for all questions of a seed on a schema that fits; of one that does not, the columns
    that the question speaks of are shown and the other tables are named.
    """
    toolbox, limits = desk.toolbox, desk.limits
    system = prompt(
        "system",
        dialect=desk.schema.dialect,
        turns=limits.turns,
        executions=limits.executions,
        today=toolbox.today,
        marker=desk.fence.marker,
        tools="\n".join(f"- {tool.name}({tool.argument}): {tool.description}" for tool in described().values()),
        protocol=prompt("text_protocol") if toolbox.text_protocol else "",
        skill=skill.strip(),
        schema=desk.fence(_schema(desk), "schema"),
    )
    question = desk.question
    evidence = desk.fence(question.evidence, "evidence") if question.evidence else ""
    user = prompt(
        "user",
        question=question.text,
        evidence=f"\nWhat is known beside it:\n{evidence}\n" if evidence else "",
        values=_values(desk),
    )
    return [Message("system", system), Message("user", user.strip())]


def _schema(desk: Desk) -> str:
    grouped, budget = group_tables(desk.schema), desk.limits.schema
    whole = schema_text(grouped)
    if whole.tokens <= budget:
        return whole.text
    return schema_text(grouped, budget, _ranking(desk, grouped.schema)).text


def _ranking(desk: Desk, schema: Schema) -> Ranking:
    """Tables and columns by the words that they share with the question."""
    asked = f"{desk.question.text} {desk.question.evidence} {' '.join(' '.join(hint) for hint in _hints(desk))}"
    paths = [(t.full_name, c.name, f"{c.name} {c.comment}") for t in schema for c in t.columns]
    texts = [f"{t.name} {t.name} {t.comment} {' '.join(c.name for c in t.columns)}" for t in schema]
    tables = best_passages(asked, texts, len(texts))
    columns = best_passages(asked, [text for _, _, text in paths], len(paths))
    return Ranking(
        {schema.tables[at].full_name: 1 - place / len(tables) for place, at in enumerate(tables)},
        {(paths[at][0], paths[at][1]): 1 - place / len(columns) for place, at in enumerate(columns)},
    )


def _hints(desk: Desk) -> tuple[tuple[str, str, str], ...]:
    match = desk.toolbox.match if desk.toolbox.values else None
    return tuple((table, column, value) for table, column, value in match(desk.question.text)) if match else ()


def _values(desk: Desk) -> str:
    lines = "\n".join(f"{table}.{column} = {value!r}" for table, column, value in _hints(desk))
    return f"\nValues in the database that it may mean:\n{desk.fence(lines, 'values')}\n" if lines else ""
