"""What agents are led by and given under some settings."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from pathlib import Path
from typing import Any

from dragoman.agent import Template, make_templates, read_documents
from dragoman.agent.skills import DEFAULT, Skill, find_skill, read_skills, seed_skills
from dragoman.compose.solver_settings import SolverSettings, path_of
from dragoman.databases import Database
from dragoman.errors import SetupError
from dragoman.questions import read_workload
from dragoman.workflows import AGENT_METHODS
from dragoman.workflows.agentic import Equipment, Watch

OWN_SKILLS = Path("skills")
"""Where the user's own skills are."""


def skills_of(settings: SolverSettings) -> tuple[Skill, ...]:
    """The skills that agents are led by under these settings; none where the method has no agents."""
    folder = path_of(settings.skills) if settings.skills else OWN_SKILLS
    if settings.method not in AGENT_METHODS:
        return ()
    if settings.skill or settings.method != "divskill":
        return (find_skill(settings.skill or DEFAULT, folder),)
    if not settings.skills:
        return seed_skills()
    found = read_skills(folder)
    if not found:
        raise SetupError(f"There are no skills in {folder}. Put .md files there, or leave --skills out.")
    return found


def given_to_agents(settings: SolverSettings) -> dict[str, Any]:
    """What decides the answers of agents beside the names in the settings: ids of skills, digests of files."""
    if settings.method not in AGENT_METHODS:
        return {}
    documents = read_documents(path_of(settings.documents)) if settings.documents else ()
    examples = read_workload(path_of(settings.templates)) if settings.templates else ()
    texts = {"documents": [document.text for document in documents], "templates": list(map(repr, examples))}
    return {
        "skills": {skill.label: skill.id for skill in skills_of(settings)},
        **{name: hashlib.sha256("\0".join(found).encode()).hexdigest()[:12] for name, found in texts.items() if found},
        "text_protocol": settings.text_protocol,
    }


def equipment_for(
    settings: SolverSettings, database: Database, watch: Watch | None, leave_out: Collection[str]
) -> Equipment:
    """What every agent is given beside its skill."""
    documents = read_documents(path_of(settings.documents)) if settings.documents else ()
    templates = _templates(settings, database.dialect, leave_out)
    return Equipment(documents, templates, settings.text_protocol, watch=watch)


def _templates(settings: SolverSettings, dialect: str, leave_out: Collection[str]) -> tuple[Template, ...]:
    """The user's examples, masked. An example that names no database may be of any that is left out."""
    if not settings.templates:
        return ()
    nameless = {""} if leave_out else set()
    return make_templates(read_workload(path_of(settings.templates)), dialect, {*leave_out, *nameless})
