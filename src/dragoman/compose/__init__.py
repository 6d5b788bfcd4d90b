"""From settings to databases, models and solvers: the only room that knows all names."""

from dragoman.compose.agents import given_to_agents, skills_of
from dragoman.compose.open_database import limits, open_database, seen_by_solvers
from dragoman.compose.open_models import open_models
from dragoman.compose.solver_for import needs_gold, solver_for, solver_for_skill, solver_with_gold, today
from dragoman.compose.solver_settings import SETTINGS_FILE, SolverSettings, read_settings, uses_embedded, way_to_choose
from dragoman.models.embedded.cache_folder import cache_folder

__all__ = [
    "SETTINGS_FILE",
    "SolverSettings",
    "cache_folder",
    "given_to_agents",
    "limits",
    "needs_gold",
    "open_database",
    "open_models",
    "read_settings",
    "seen_by_solvers",
    "skills_of",
    "solver_for",
    "solver_for_skill",
    "solver_with_gold",
    "today",
    "uses_embedded",
    "way_to_choose",
]
