"""Published methods as solvers."""

from dragoman.workflows.agent_methods import AGENT_METHODS, Method, Team
from dragoman.workflows.agent_methods import CHOOSING as CHOOSING_AGENTS
from dragoman.workflows.agentic import agentic
from dragoman.workflows.c3 import UNIFIED_C3, c3
from dragoman.workflows.chase import chase
from dragoman.workflows.chase_agentic import chase_agentic
from dragoman.workflows.choosing import WAYS, choosing
from dragoman.workflows.din_sql import UNIFIED_DIN_SQL, din_sql
from dragoman.workflows.divskill import divskill
from dragoman.workflows.mac_sql import UNIFIED_MAC_SQL, mac_sql
from dragoman.workflows.reforce import reforce
from dragoman.workflows.sampled_methods import SAMPLED_METHODS
from dragoman.workflows.zero_shot import Asking, Consent, zero_shot

METHODS: dict[str, Method] = {
    "agent": lambda database, models, asking: AGENT_METHODS["agent"](Team())(database, models, asking),
    "c3": c3,
    "c3_unified": lambda database, models, asking: c3(database, models, asking, UNIFIED_C3),
    "chase": chase,
    "chase_agentic": lambda database, models, asking: AGENT_METHODS["chase_agentic"](Team())(database, models, asking),
    "din_sql": din_sql,
    "din_sql_unified": lambda database, models, asking: din_sql(database, models, asking, UNIFIED_DIN_SQL),
    "divskill": lambda database, models, asking: AGENT_METHODS["divskill"](Team())(database, models, asking),
    "mac_sql": mac_sql,
    "mac_sql_unified": lambda database, models, asking: mac_sql(database, models, asking, UNIFIED_MAC_SQL),
    "reforce": reforce(),
    "zero_shot": lambda database, models, asking: zero_shot(database, models.for_role("generator"), asking),
}
"""Name on the command line -> the method. Any function of this shape works too."""

CHOOSING = CHOOSING_AGENTS | SAMPLED_METHODS.keys()
"""Those that make several candidates, and choose."""

__all__ = [
    "AGENT_METHODS",
    "CHOOSING",
    "METHODS",
    "SAMPLED_METHODS",
    "WAYS",
    "Asking",
    "Consent",
    "Method",
    "Team",
    "agentic",
    "c3",
    "chase",
    "chase_agentic",
    "choosing",
    "din_sql",
    "divskill",
    "mac_sql",
    "reforce",
    "zero_shot",
]
