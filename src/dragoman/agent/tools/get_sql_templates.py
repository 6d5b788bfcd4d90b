"""get_sql_templates: the user's own examples, masked."""

from __future__ import annotations

from dragoman.agent.desk import Desk, Observation
from dragoman.agent.sentences import say
from dragoman.agent.templates import find_templates

MOST = 3


def get_sql_templates(desk: Desk, query: str) -> Observation:
    """The templates whose form fits the words best, as data."""
    templates = desk.toolbox.templates
    if not templates:
        return Observation(say("no_templates"), "empty")
    found = find_templates(query, templates, MOST)
    if not found:
        return Observation(say("no_template", number=len(templates)), "empty")
    text = "\n\n".join(f"-- {template.question}\n{template.sql}" for template in found)
    return Observation(desk.fence(text[: desk.limits.observation], "templates"))
