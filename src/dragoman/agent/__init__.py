"""An agent that answers a question with six tools, after a strategy called a skill."""

from dragoman.agent.desk import AgentLimits, Toolbox
from dragoman.agent.documents import Document, read_documents
from dragoman.agent.run import OnStep, agent
from dragoman.agent.templates import Template, make_templates

__all__ = [
    "AgentLimits",
    "Document",
    "OnStep",
    "Template",
    "Toolbox",
    "agent",
    "make_templates",
    "read_documents",
]
