"""The first two messages: what the agent is to do and how, and the question."""

from __future__ import annotations

from dragoman.agent.desk import Desk
from dragoman.agent.sentences import prompt, say
from dragoman.agent.tools import described
from dragoman.linking.linker import Linker
from dragoman.models import Message

Hints = tuple[tuple[str, str, str], ...]
"""(table, column, value) that the question names."""


def opening(desk: Desk, skill: str, linker: Linker) -> list[Message]:
    """System text (preamble, tools, the skill verbatim, the schema) and the question.

    The system text is the same for all questions of a seed on a schema that fits; of one that does not, the columns
    that the question speaks of are shown and the other tables are named.
    """
    toolbox, limits = desk.toolbox, desk.limits
    hints = _hints(desk)
    system = prompt(
        "system",
        dialect=desk.schema.dialect,
        turns=limits.turns,
        executions=limits.executions,
        today=toolbox.today,
        marker=desk.fence.marker,
        tools=_tools(toolbox.text_protocol),
        skill=skill.strip(),
        schema=desk.fence(_schema(desk, linker, hints), "schema"),
    )
    question = desk.question
    evidence = desk.fence(question.evidence, "evidence") if question.evidence else ""
    user = prompt(
        "user",
        question=question.text,
        evidence=f"\n{say('evidence')}\n{evidence}\n" if evidence else "",
        values=_values(desk, hints),
    )
    return [Message("system", system), Message("user", user.strip())]


def _tools(text_protocol: bool) -> str:
    """Names alone where the descriptions come with the request."""
    if not text_protocol:
        return say("tools", tools=", ".join(described()))
    listed = "\n".join(f"- {tool.name}({tool.argument}): {tool.description}" for tool in described().values())
    return f"{listed}\n{prompt('text_protocol').rstrip()}"


def _schema(desk: Desk, linker: Linker, hints: Hints) -> str:
    asked = f"{desk.question.text} {desk.question.evidence}"
    return linker.link(asked, desk.limits.schema, hints).text.text


def _hints(desk: Desk) -> Hints:
    match = desk.toolbox.match if desk.toolbox.values else None
    return tuple((table, column, value) for table, column, value in match(desk.question.text)) if match else ()


def _values(desk: Desk, hints: Hints) -> str:
    lines = "\n".join(f"{table}.{column} = {value!r}" for table, column, value in hints)
    return f"\n{say('values')}\n{desk.fence(lines, 'values')}\n" if lines else ""
