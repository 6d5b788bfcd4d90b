"""Published methods as solvers."""

from collections.abc import Callable

from dragoman.agent.skills import find_skill
from dragoman.databases import Database
from dragoman.models import ModelsByRole
from dragoman.solver import Solver
from dragoman.workflows.agentic import agentic
from dragoman.workflows.chase_agentic import chase_agentic
from dragoman.workflows.divskill import divskill
from dragoman.workflows.zero_shot import Asking, Consent, zero_shot

Method = Callable[[Database, ModelsByRole, Asking], Solver]

METHODS: dict[str, Method] = {
    "agent": lambda database, models, asking: agentic(find_skill("balanced"))(database, models, asking),
    "chase_agentic": lambda database, models, asking: chase_agentic()(database, models, asking),
    "divskill": lambda database, models, asking: divskill()(database, models, asking),
    "zero_shot": lambda database, models, asking: zero_shot(database, models.for_role("generator"), asking),
}
"""Name on the command line -> the method. Any function of this shape works too."""

__all__ = ["METHODS", "Asking", "Consent", "Method", "agentic", "zero_shot"]
