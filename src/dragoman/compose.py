"""From settings to databases, models and solvers: the only file that knows all names."""

from __future__ import annotations

import datetime
import hashlib
import sqlite3
import tomllib
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from dragoman.agent import Template, make_templates, read_documents
from dragoman.agent.skills import DEFAULT, Skill, find_skill, read_skills, seed_skills
from dragoman.databases import Database, Limits, connect
from dragoman.databases.query_log import QueryLog
from dragoman.demo import locate
from dragoman.ensemble import Voting, ensemble, samples
from dragoman.ensemble.abstain import Doubt, confident
from dragoman.ensemble.confidence import read_calibration
from dragoman.ensemble.selector import read_selector
from dragoman.errors import SetupError
from dragoman.linking.value_index import ValueHint, ValueIndex, open_value_index
from dragoman.models import Budget, Model, ModelsByRole, ReplyCache, open_model
from dragoman.models.embedded.cache_folder import cache_folder
from dragoman.models.model import OnText
from dragoman.questions import read_workload
from dragoman.refine.refined_database import RefinedDatabase, refined_database
from dragoman.refine.refinement_file import read_refinement
from dragoman.solver import Solver, SolverFor
from dragoman.sql.access import AccessPolicy
from dragoman.workflows import AGENT_METHODS, CHOOSING, METHODS, SAMPLED_METHODS, WAYS, Method, Team, choosing
from dragoman.workflows.agentic import Equipment, Watch, agentic
from dragoman.workflows.reforce import GoldSql, Parameters, reforce, with_options
from dragoman.workflows.several_agents import Selecting
from dragoman.workflows.zero_shot import Asking, Consent, Match

__all__ = [
    "SETTINGS_FILE",
    "SolverSettings",
    "cache_folder",
    "given_to_agents",
    "limits",
    "open_database",
    "open_models",
    "read_settings",
    "skills_of",
    "solver_for",
    "today",
    "uses_embedded",
]

SETTINGS_FILE = "dragoman.toml"
RANGES: dict[str, tuple[float, float]] = {
    "limit": (1, 10**9),
    "timeout": (0.001, 10**6),
    "max_cost": (0, 10**18),
    "max_calls": (0, 10**9),
    "max_tokens": (0, 10**12),
    "max_dollars": (0, 10**9),
    "temperature": (0, 5),
    "candidates": (1, 100),
    "min_confidence": (0, 1),
    "at_once": (0, 100),
}
"""Least and greatest value of a setting."""
IN_PROCESS = ("embedded", "scripted:")
"""How names of models begin that answer one request at a time."""
OWN_SKILLS = Path("skills")
"""Where the user's own skills are."""
MOST_AT_ONCE = 8
"""Requests that one question sends to a server at the same time."""


@dataclass(frozen=True, slots=True)
class SolverSettings:
    """Everything that decides what is asked of whom. Field names are the keys of the settings file.

    `limit` in rows, `timeout` in seconds of a query, `max_calls`, `max_tokens` and `max_dollars` bound what the
    models of one process may spend, None is no bound. `model_for` maps a role to a model's name. With `candidates`
    above 1 that many answers are drawn, all but the first at temperature 0.7, and a vote by result keeps one.
    The methods divskill and chase_agentic have that many agents instead (1: as many as there are skills, or eight), of
    which `at_once` work at the same time, 0 for eight on a server and one on the embedded model.
    `skill` names what agents are led by, "" for balanced, or for all that divskill has; it is looked for in the folder
    `skills` ("" for `skills/` here) first. divskill takes all skills of that folder where one is named, else the eight
    that come along. `documents` is a folder of your own notes and `templates` a workload whose questions agents may
    look at, masked; `text_protocol` is for models without tool calls.
    `arm` is an ablation of the method reforce, and `reforce` holds its parameters by name; `candidates` above 1 is the
    number of its votes.
    `refinement` is a file that `dragoman refine run` wrote: the database is then seen under its names alone.
    `select` chooses among candidates: vote (the default), tournament, hybrid or learned, "" for the method's own way;
    `selector` is the file of a learned one, "" for that which comes along. `calibration` is a file made by `dragoman
    bench calibrate`, with which answers have a confidence; below `min_confidence` (0 to 1) they are held back.
    `today` is the date as prompts show it, "" for the day of the question. `max_cost` is what a query may cost in the
    engine's own estimate, where it has one. `access` holds the lists of `AccessPolicy`, applied alike to what is shown
    and to what may run. `log` is a file that gets one line a query, with the rows too if `log_values` is true.
    """

    db: str = "demo"
    refinement: str = ""
    model: str = "embedded"
    base_url: str = ""
    method: str = "zero_shot"
    skill: str = ""
    skills: str = ""
    documents: str = ""
    templates: str = ""
    text_protocol: bool = False
    model_for: Mapping[str, str] = field(default_factory=dict)
    arm: str = ""
    reforce: Mapping[str, Any] = field(default_factory=dict)
    values: bool = True
    limit: int = 1000
    timeout: float = 30.0
    max_cost: float | None = None
    access: Mapping[str, list[str]] = field(default_factory=dict)
    log: str = ""
    log_values: bool = False
    max_calls: int | None = None
    max_tokens: int | None = None
    max_dollars: float | None = None
    cache: bool = True
    temperature: float = 0.0
    seed: int = 0
    candidates: int = 1
    at_once: int = 0
    select: str = ""
    selector: str = ""
    calibration: str = ""
    min_confidence: float = 0.0
    today: str = ""


def read_settings(path: Path | None, given: Mapping[str, Any]) -> SolverSettings:
    """Settings from a TOML file (`dragoman.toml` of this folder if `path` is None), then what was `given` on top.

    Values of None in `given` were not given. Raises `SetupError` for a file, key or type that is wrong.
    """
    settings = replace(SolverSettings(), **_read_file(path))
    settings = replace(settings, **{key: value for key, value in given.items() if value is not None})
    if settings.method not in METHODS:
        raise SetupError(f"No method is called {settings.method}. Choose one of {', '.join(METHODS)}.")
    if (settings.skill or settings.skills) and settings.method not in AGENT_METHODS:
        raise SetupError(
            f"Only the methods {', '.join(AGENT_METHODS)} follow skills. Add --method agent, or leave skills out."
        )
    if settings.method == "reforce":
        _reforce(settings)
    elif settings.arm or settings.reforce:
        raise SetupError("Only the method reforce has arms and parameters. Add --method reforce, or leave them out.")
    for name, (least, most) in RANGES.items():
        value = getattr(settings, name)
        if value is not None and not least <= value <= most:
            raise SetupError(f"{name} is {value:g}, and must be between {least:g} and {most:g}. Change the setting.")
    _check_choice(settings)
    if settings.base_url and uses_embedded(settings) and not settings.model_for:
        raise SetupError("--base-url is for a model on a server. Name the model with --model as well.")
    return settings


def open_database(settings: SolverSettings) -> Database:
    """The database of `settings.db` (one made by code, a path, or a URL), within `settings.access` and logged.

    With `settings.refinement` it is seen under the names of that file; one made for another schema is refused.
    """
    access = _access(settings.access)
    log = QueryLog(Path(settings.log).expanduser(), settings.log_values) if settings.log else None
    database = connect(locate(settings.db, cache_folder()), access, log)
    return seen_by_solvers(settings, database) if settings.refinement else database


def seen_by_solvers(settings: SolverSettings, database: Database) -> Database:
    """The database under the names of `settings.refinement`, or as it is."""
    if not settings.refinement:
        return database
    return refined_database(database, read_refinement(Path(settings.refinement).expanduser()).refinement)


def limits(settings: SolverSettings) -> Limits:
    """What one query may cost."""
    return Limits(settings.limit, settings.timeout, cost=settings.max_cost)


def open_models(settings: SolverSettings) -> ModelsByRole:
    """A model for every role; hosted ones share a cache of replies, all share a budget."""
    budget = Budget(settings.max_calls, settings.max_tokens, settings.max_dollars)
    cache = ReplyCache(cache_folder() / "replies.sqlite") if settings.cache else None

    def opened(spec: str) -> Model:
        return open_model(spec, base_url=settings.base_url or None, cache=cache, budget=budget)

    return ModelsByRole(opened(settings.model), {role: opened(name) for role, name in settings.model_for.items()})


def uses_embedded(settings: SolverSettings) -> bool:
    """Whether any role runs on the embedded model, whose weights must then be installed."""
    return "embedded" in {settings.model, *settings.model_for.values()}


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
    method = reforce(_reforce(settings), gold)
    return _to_be_bound(settings, models, lambda database: method)


def solver_for_skill(
    settings: SolverSettings, models: ModelsByRole, leave_out: Collection[str] = frozenset()
) -> Callable[[Skill], SolverFor]:
    """A skill -> one agent that follows it, under these settings."""

    def of(skill: Skill) -> SolverFor:
        return _to_be_bound(
            settings,
            models,
            lambda database: agentic(skill, _equipment(settings, database, None, leave_out)),
        )

    return of


def needs_gold(settings: SolverSettings) -> bool:
    """Whether the arm gives the model something of the gold query."""
    return settings.method == "reforce" and bool(_reforce(settings).reveal)


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


def skills_of(settings: SolverSettings) -> tuple[Skill, ...]:
    """The skills that agents are led by under these settings; none where the method has no agents."""
    folder = _path(settings.skills) if settings.skills else OWN_SKILLS
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
    documents = read_documents(_path(settings.documents)) if settings.documents else ()
    examples = read_workload(_path(settings.templates)) if settings.templates else ()
    texts = {"documents": [document.text for document in documents], "templates": list(map(repr, examples))}
    return {
        "skills": {skill.label: skill.id for skill in skills_of(settings)},
        **{name: hashlib.sha256("\0".join(found).encode()).hexdigest()[:12] for name, found in texts.items() if found},
        "text_protocol": settings.text_protocol,
    }


def _method(settings: SolverSettings, database: Database, watch: Watch | None, leave_out: Collection[str]) -> Method:
    if settings.method == "reforce":
        return reforce(_reforce(settings))
    if settings.method in SAMPLED_METHODS:
        return SAMPLED_METHODS[settings.method](settings.candidates if settings.candidates > 1 else 0)
    if settings.method not in AGENT_METHODS:
        return METHODS[settings.method]
    alone = settings.model.startswith(IN_PROCESS) and not settings.base_url
    agents = settings.candidates if settings.candidates > 1 else 0
    workers = settings.at_once or (1 if alone else MOST_AT_ONCE)
    equipment = _equipment(settings, database, watch, leave_out)
    select = _choosing(settings) if settings.select else None
    return AGENT_METHODS[settings.method](Team(skills_of(settings), agents, workers, equipment, select))


def _check_choice(settings: SolverSettings) -> None:
    """Raises `SetupError` where there is nothing to choose from, or nothing that confidence could be made with."""
    if settings.select and settings.select not in WAYS:
        raise SetupError(f"No way to choose is called {settings.select}. Give one of {', '.join(WAYS)} to --select.")
    if settings.select and settings.method in {*SAMPLED_METHODS, "reforce"}:
        raise SetupError(f"The method {settings.method} chooses in its own way. Leave --select out.")
    if settings.select and settings.candidates == 1 and settings.method not in CHOOSING:
        raise SetupError("--select chooses among several candidates. Add --candidates 5, for example.")
    if settings.min_confidence and not settings.calibration:
        raise SetupError(
            "--min-confidence needs a calibration on your questions. Make one with dragoman bench run --workload FILE "
            "--out RUN and dragoman bench calibrate RUN --out calibration.json, and name it with --calibration."
        )


def _choosing(settings: SolverSettings) -> Selecting:
    """The way to choose that the settings name. A judge on this machine compares one pair at a time."""
    alone = settings.model_for.get("judge", settings.model).startswith(IN_PROCESS) and not settings.base_url
    selector = _path(settings.selector) if settings.selector else None
    return choosing(settings.select or "vote", selector, 1 if alone else settings.at_once or MOST_AT_ONCE)


def _doubt(settings: SolverSettings) -> Doubt | None:
    """What confidence is made with; None without a calibration."""
    if not settings.calibration:
        return None
    selector = read_selector(_path(settings.selector) if settings.selector else None)
    return Doubt(read_calibration(_path(settings.calibration), selector), selector, settings.min_confidence)


def _equipment(
    settings: SolverSettings, database: Database, watch: Watch | None, leave_out: Collection[str]
) -> Equipment:
    documents = read_documents(_path(settings.documents)) if settings.documents else ()
    templates = _templates(settings, database.dialect, leave_out)
    return Equipment(documents, templates, settings.text_protocol, watch=watch)


def _reforce(settings: SolverSettings) -> Parameters:
    """Raises `SetupError` for an arm or a parameter that does not exist."""
    votes = {"votes": settings.candidates} if settings.candidates > 1 else {}
    return with_options(Parameters(), {**votes, **settings.reforce}, settings.arm)


def _templates(settings: SolverSettings, dialect: str, leave_out: Collection[str]) -> tuple[Template, ...]:
    """The user's examples, masked. An example that names no database may be of any that is left out."""
    if not settings.templates:
        return ()
    nameless = {""} if leave_out else set()
    return make_templates(read_workload(_path(settings.templates)), dialect, {*leave_out, *nameless})


def _path(text: str) -> Path:
    return Path(text).expanduser()


def _match(database: Database) -> Match:
    """Values that a question names; of a refined database those of its base, under the new names."""
    if not isinstance(database, RefinedDatabase):
        return _value_index(database).match
    refined, match = database, _value_index(database.base).match
    return lambda question: tuple(
        ValueHint(*refined.new_name(hint.table, hint.column), hint.value) for hint in match(question)
    )


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


def today() -> str:
    """The date as prompts show it, with weekday and time zone."""
    now = datetime.datetime.now().astimezone()
    return f"{now:%A, %Y-%m-%d} ({now.tzname()}, UTC{now:%z})"


def _access(lists: Mapping[str, list[str]]) -> AccessPolicy | None:
    known = {f.name for f in fields(AccessPolicy)}
    for name, entries in lists.items():
        if name not in known or not isinstance(entries, list) or not all(isinstance(entry, str) for entry in entries):
            raise SetupError(f"[access] takes lists of names under {', '.join(sorted(known))}; mend {name}.")
    return AccessPolicy(**{name: tuple(entries) for name, entries in lists.items()}) if lists else None


def _read_file(path: Path | None) -> dict[str, Any]:
    if path is None:
        path = Path(SETTINGS_FILE)
        if not path.exists():
            return {}
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SetupError(f"Cannot read the settings file {path}: {error.strerror}. Check --settings.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SetupError(f"The settings file {path} is not TOML ({error}). Mend it.") from None
    known = {f.name: type(getattr(SolverSettings(), f.name)) for f in fields(SolverSettings)}
    for key, value in found.items():
        if key not in known:
            raise SetupError(f"{path} has an unknown setting {key}. Known are {', '.join(known)}.")
        if not _fits(value, known[key]):
            raise SetupError(f"{path}: the setting {key} cannot be {value!r}. Give a {known[key].__name__}.")
    return found


def _fits(value: Any, kind: type) -> bool:
    if kind is type(None):
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    if kind is float:
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    return isinstance(value, kind) and (kind is bool or not isinstance(value, bool))
