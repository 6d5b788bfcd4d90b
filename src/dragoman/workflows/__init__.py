"""Published methods as solvers."""

from collections.abc import Callable

from dragoman.databases import Database
from dragoman.models import ModelsByRole
from dragoman.solver import Solver
from dragoman.workflows.zero_shot import Asking, Consent, zero_shot

Method = Callable[[Database, ModelsByRole, Asking], Solver]

METHODS: dict[str, Method] = {
    "zero_shot": lambda database, models, asking: zero_shot(database, models.for_role("generator"), asking),
}
"""Name on the command line -> the method. Any function of this shape works too."""

__all__ = ["METHODS", "Asking", "Consent", "Method", "zero_shot"]
