"""Replies for scripted models, and a solver that runs them."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace

from dragoman.agent import AgentLimits, Toolbox, agent
from dragoman.databases import Database
from dragoman.models import Choice, Reply, Request, ScriptedModel, ToolCall, Usage
from dragoman.models.scripted import Scripted
from dragoman.questions import Question
from dragoman.solver import Answer, Draw, Step

TODAY = "Wednesday, 2025-12-31 (UTC)"
ASKED = Question("How many customers are there?")


def call(name: str, argument: str, text: str = "") -> Reply:
    """A reply with one native call."""
    return calls((name, argument), text=text)


def calls(*named: tuple[str, str], text: str = "") -> Reply:
    """A reply with several native calls, their arguments under the right name."""
    keys = {"lookup_docs": "query", "get_sql_pattern": "kind", "get_sql_templates": "query"}
    made = tuple(
        ToolCall(f"c{i}", name, json.dumps({keys.get(name, "sql"): argument}))
        for i, (name, argument) in enumerate(named)
    )
    return Reply((Choice(text, made, finish="tool_calls"),), Usage(1, 10, 5))


def block(name: str, argument: str) -> str:
    """A reply in the text protocol."""
    return f"I want to see.\n\n```tool {name}\n{argument}\n```"


def run(
    database: Database,
    replies: Sequence[Scripted] | Callable[[Request], Scripted],
    limits: AgentLimits = AgentLimits(),
    toolbox: Toolbox = Toolbox(TODAY),
    question: Question = ASKED,
    text: bool = False,
) -> tuple[Answer, ScriptedModel]:
    """The answer of an agent whose model is scripted, and that model."""
    model = ScriptedModel(replies)
    solve = agent(database, model, "Look, then answer.", replace(toolbox, text_protocol=text), limits)
    return solve(question, Draw()), model


def tools(answer: Answer) -> list[Step]:
    """The steps in which tools were used."""
    return [step for step in answer.steps if step.kind == "tool"]


def stop(answer: Answer) -> str:
    """Why the run ended."""
    return str(answer.steps[-1].data["reason"])
