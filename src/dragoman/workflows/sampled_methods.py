"""The methods that draw several candidates of their own and keep one, by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from dragoman.databases import Database
from dragoman.models import ModelsByRole
from dragoman.solver import Solver
from dragoman.workflows.agent_methods import Method
from dragoman.workflows.c3 import C3, UNIFIED_C3, c3
from dragoman.workflows.chase import Chase, chase
from dragoman.workflows.zero_shot import Asking


def _c3(how: C3) -> Method:
    def method(database: Database, models: ModelsByRole, asking: Asking) -> Solver:
        return c3(database, models, asking, how)

    return method


def _chase(how: Chase) -> Method:
    def method(database: Database, models: ModelsByRole, asking: Asking) -> Solver:
        return chase(database, models, asking, how)

    return method


SAMPLED_METHODS: dict[str, Callable[[int], Method]] = {
    "c3": lambda number: _c3(replace(C3(), samples=number or C3().samples)),
    "c3_unified": lambda number: _c3(replace(UNIFIED_C3, samples=number or UNIFIED_C3.samples)),
    "chase": lambda number: _chase(replace(Chase(), candidates=-(-number // 3) or Chase().candidates)),
}
"""Name on the command line -> the method of so many candidates, 0 for its own number.

CHASE draws as many of each of its three generators as make up the number."""
