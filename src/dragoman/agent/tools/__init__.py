"""The six tools of the agent, fixed for all skills: one file each, with its description beside it."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import resources

from dragoman.agent.desk import Desk, Observation
from dragoman.agent.tools.execute_sql import execute_sql
from dragoman.agent.tools.get_sql_pattern import get_sql_pattern
from dragoman.agent.tools.get_sql_templates import get_sql_templates
from dragoman.agent.tools.lookup_docs import lookup_docs
from dragoman.agent.tools.review_sql import review_sql
from dragoman.agent.tools.submit_final_sql import submit_final_sql
from dragoman.models import Tool

Use = Callable[[Desk, str], Observation]

TOOLS: dict[str, Use] = {
    "execute_sql": execute_sql,
    "lookup_docs": lookup_docs,
    "review_sql": review_sql,
    "get_sql_pattern": get_sql_pattern,
    "get_sql_templates": get_sql_templates,
    "submit_final_sql": submit_final_sql,
}
"""Name -> what it does with its one argument."""


@dataclass(frozen=True, slots=True)
class Described:
    """A tool as the model is told of it; every tool has one argument, a text."""

    name: str
    description: str
    argument: str
    about: str

    @property
    def offer(self) -> Tool:
        """The tool as models with tool calls take it."""
        properties = {self.argument: {"type": "string", "description": self.about}}
        parameters = {"type": "object", "properties": properties, "required": [self.argument]}
        return Tool(self.name, self.description, {**parameters, "additionalProperties": False})


@cache
def described() -> dict[str, Described]:
    """The descriptions of all tools by name, in order."""
    text = resources.files(__package__).joinpath("tools.toml").read_text("utf-8")
    return {name: Described(name, **entry) for name, entry in tomllib.loads(text).items()}


__all__ = ["TOOLS", "Described", "Use", "described"]
