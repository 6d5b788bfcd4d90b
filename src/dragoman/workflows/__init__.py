"""Published methods as solvers."""

from dragoman.workflows.agent_methods import AGENT_METHODS, CHOOSING, Method, Team
from dragoman.workflows.agentic import agentic
from dragoman.workflows.chase_agentic import chase_agentic
from dragoman.workflows.divskill import divskill
from dragoman.workflows.reforce import reforce
from dragoman.workflows.zero_shot import Asking, Consent, zero_shot

METHODS: dict[str, Method] = {
    "agent": lambda database, models, asking: AGENT_METHODS["agent"](Team())(database, models, asking),
    "chase_agentic": lambda database, models, asking: AGENT_METHODS["chase_agentic"](Team())(database, models, asking),
    "divskill": lambda database, models, asking: AGENT_METHODS["divskill"](Team())(database, models, asking),
    "reforce": reforce(),
    "zero_shot": lambda database, models, asking: zero_shot(database, models.for_role("generator"), asking),
}
"""Name on the command line -> the method. Any function of this shape works too."""

__all__ = [
    "AGENT_METHODS",
    "CHOOSING",
    "METHODS",
    "Asking",
    "Consent",
    "Method",
    "Team",
    "agentic",
    "chase_agentic",
    "divskill",
    "reforce",
    "zero_shot",
]
