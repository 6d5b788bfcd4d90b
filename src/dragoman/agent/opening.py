"""The first two messages: what the agent is to do and how, and the question."""

from __future__ import annotations

from dragoman.agent.desk import Desk
from dragoman.agent.sentences import prompt
from dragoman.agent.tools import described
from dragoman.linking.lexical import link
from dragoman.models import Message
from dragoman.schema import Schema, ddl
from dragoman.schema.render import full_name

LONGEST_LIST = 4000
"""Characters of the list of tables that are not shown in full."""


def opening(desk: Desk, skill: str) -> list[Message]:
    """System text (preamble, tools, the skill verbatim, the schema) and the question.

    The system text is the same for all questions of a seed on a schema that fits; of one that does not, the part
    that the question names is shown and the other tables are listed.
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
    whole, budget = desk.schema, desk.limits.schema
    if len(ddl(whole)) <= budget:
        return ddl(whole)
    asked = f"{desk.question.text} {desk.question.evidence}"
    part = link(whole, asked, _hints(desk), budget, lambda schema: len(ddl(schema)))
    shown = {table.full_name for table in part}
    return "\n".join([ddl(part), "", *_others(whole, shown)])


def _others(schema: Schema, shown: set[tuple[str, ...]]) -> list[str]:
    names = [full_name(t, schema.dialect, schema.default_schema) for t in schema if t.full_name not in shown]
    if not names:
        return ["-- Some columns are left out; lookup_docs shows a table in full."]
    listed = ", ".join(names)
    cut = f" ... ({len(names):,} in all)" if len(listed) > LONGEST_LIST else ""
    return [f"-- Further tables, which lookup_docs shows in full: {listed[:LONGEST_LIST]}{cut}"]


def _hints(desk: Desk) -> tuple[tuple[str, str, str], ...]:
    match = desk.toolbox.match if desk.toolbox.values else None
    return tuple((table, column, value) for table, column, value in match(desk.question.text)) if match else ()


def _values(desk: Desk) -> str:
    lines = "\n".join(f"{table}.{column} = {value!r}" for table, column, value in _hints(desk))
    return f"\nValues in the database that it may mean:\n{desk.fence(lines, 'values')}\n" if lines else ""
