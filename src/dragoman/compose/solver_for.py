"""From settings and models to a solver."""

from __future__ import annotations

import datetime
import sqlite3
from collections.abc import Callable, Collection

from dragoman.agent.skills import Skill
from dragoman.compose.agents import equipment_for, skills_of
from dragoman.compose.open_database import limits
from dragoman.compose.solver_settings import SolverSettings, path_of, reforce_parameters, way_to_choose
from dragoman.databases import Database
from dragoman.ensemble import Voting, ensemble, samples
from dragoman.ensemble.abstain import Doubt, confident
from dragoman.ensemble.confidence import read_calibration
from dragoman.ensemble.selector import read_selector
from dragoman.errors import SetupError
from dragoman.linking.build_value_index import open_value_index
from dragoman.linking.lexical import relevance
from dragoman.linking.value_index import ValueHint, ValueIndex
from dragoman.models import ModelsByRole
from dragoman.models.embedded.cache_folder import cache_folder
from dragoman.models.model import OnText
from dragoman.refine.refined_database import RefinedDatabase
from dragoman.solver import Solver, SolverFor
from dragoman.workflows import AGENT_METHODS, CHOOSING, METHODS, SAMPLED_METHODS, Method, Team, choosing
from dragoman.workflows.agentic import Watch, agentic
from dragoman.workflows.reforce import GoldSql, reforce
from dragoman.workflows.several_agents import Selecting
from dragoman.workflows.zero_shot import Asking, Consent, Match

IN_PROCESS = ("embedded", "scripted:")
"""How names of models begin that answer one request at a time."""
MOST_AT_ONCE = 8
"""Requests that one question sends to a server at the same time."""


def solver_for(
    settings: SolverSettings,
    models: ModelsByRole,
    consent: Consent | None = None,
    on_text: OnText | None = None,
    watch: Watch | None = None,
    leave_out: Collection[str] = frozenset(),
) -> SolverFor:
    """The solver of a method, ready to be bound to a database.

    `watch` is told of what agents do. Examples of the databases `leave_out`, those that are being measured, are shown
    to no agent.
    """

    return _to_be_bound(
        settings, models, lambda database: _method(settings, database, watch, leave_out), consent, on_text
    )


def solver_with_gold(settings: SolverSettings, models: ModelsByRole, gold: GoldSql) -> SolverFor:
    """The solver of an arm that `needs_gold`: for measuring what linking could gain, never for answering."""
    method = reforce(reforce_parameters(settings), gold)
    return _to_be_bound(settings, models, lambda database: method)


def solver_for_skill(
    settings: SolverSettings, models: ModelsByRole, leave_out: Collection[str] = frozenset()
) -> Callable[[Skill], SolverFor]:
    """A skill -> one agent that follows it, under these settings."""

    def of(skill: Skill) -> SolverFor:
        return _to_be_bound(
            settings,
            models,
            lambda database: agentic(skill, equipment_for(settings, database, None, leave_out)),
        )

    return of


def needs_gold(settings: SolverSettings) -> bool:
    """Whether the arm gives the model something of the gold query."""
    return settings.method == "reforce" and bool(reforce_parameters(settings).reveal)


def today() -> str:
    """The date as prompts show it, with weekday and time zone."""
    now = datetime.datetime.now().astimezone()
    return f"{now:%A, %Y-%m-%d} ({now.tzname()}, UTC{now:%z})"


def _to_be_bound(
    settings: SolverSettings,
    models: ModelsByRole,
    method_for: Callable[[Database], Method],
    consent: Consent | None = None,
    on_text: OnText | None = None,
) -> SolverFor:
    def bind(database: Database) -> Solver:
        if not database.schema().tables:
            raise SetupError(f"The database {database.name} has no tables that this account can read. Check --db.")
        match = _match(database) if settings.values or models.for_role("generator").local else None
        asking = Asking(settings.today or today(), limits(settings), match, consent, on_text, settings.values)
        solver = method_for(database)(database, models, asking)
        if settings.candidates > 1 and settings.method not in {*CHOOSING, "reforce"}:
            select = _choosing(settings)(database, models, asking)
            solver = ensemble(samples(solver, _voting(settings, models)), database, select)
        doubt = _doubt(settings)
        return confident(solver, database, doubt) if doubt else solver

    return bind


def _method(settings: SolverSettings, database: Database, watch: Watch | None, leave_out: Collection[str]) -> Method:
    if settings.method == "reforce":
        return reforce(reforce_parameters(settings))
    if settings.method in SAMPLED_METHODS:
        return SAMPLED_METHODS[settings.method](settings.candidates if settings.candidates > 1 else 0)
    if settings.method not in AGENT_METHODS:
        return METHODS[settings.method]
    alone = settings.model.startswith(IN_PROCESS) and not settings.base_url
    agents = settings.candidates if settings.candidates > 1 else 0
    workers = settings.at_once or (1 if alone else MOST_AT_ONCE)
    equipment = equipment_for(settings, database, watch, leave_out)
    select = _choosing(settings) if settings.select else None
    return AGENT_METHODS[settings.method](Team(skills_of(settings), agents, workers, equipment, select))


def _choosing(settings: SolverSettings) -> Selecting:
    """The way to choose that the settings name. A judge on this machine compares one pair at a time."""
    alone = settings.model_for.get("judge", settings.model).startswith(IN_PROCESS) and not settings.base_url
    selector = path_of(settings.selector) if settings.selector else None
    return choosing(way_to_choose(settings), selector, 1 if alone else settings.at_once or MOST_AT_ONCE)


def _doubt(settings: SolverSettings) -> Doubt | None:
    """What confidence is made with; None without a calibration."""
    if not settings.calibration:
        return None
    selector = read_selector(path_of(settings.selector) if settings.selector else None)
    return Doubt(read_calibration(path_of(settings.calibration), selector), selector, settings.min_confidence)


def _match(database: Database) -> Match:
    """Values that a question names; of a refined database those of its base, under the new names."""
    base = database.base if isinstance(database, RefinedDatabase) else database
    index = _value_index(base)

    def match(question: str) -> tuple[ValueHint, ...]:
        hints = index.match(question, relevance=relevance(base.schema(), question))
        if isinstance(database, RefinedDatabase):
            return tuple(ValueHint(*database.new_name(hint.table, hint.column), hint.value) for hint in hints)
        return hints

    return match


def _value_index(database: Database) -> ValueIndex:
    folder = cache_folder() / "values"
    try:
        return open_value_index(database, folder)
    except (OSError, sqlite3.Error) as error:
        raise SetupError(f"Cannot write to {folder} ({error}). Set DRAGOMAN_CACHE to a folder of yours.") from None


def _voting(settings: SolverSettings, models: ModelsByRole) -> Voting:
    """A model on this machine answers one at a time; a server is asked for several answers at once."""
    workers = 1 if models.for_role("generator").local else min(settings.candidates, MOST_AT_ONCE)
    return Voting(settings.candidates, workers=workers)
