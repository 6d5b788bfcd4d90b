"""From settings to who screens, proposes and verifies a refinement."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from dragoman import compose
from dragoman.databases.guarded_database import GuardedDatabase
from dragoman.errors import SetupError
from dragoman.models import ModelsByRole
from dragoman.models.traits import parameters_of
from dragoman.refine.domain import Domain, domain_by_model, domain_from_schema, given_domain
from dragoman.refine.kept_proposals import kept_proposals
from dragoman.refine.name_problem import Names
from dragoman.refine.propose_by_model import Asking, propose_by_model
from dragoman.refine.propose_offline import propose_offline
from dragoman.refine.refine import Ways
from dragoman.refine.screen_by_model import screen_by_model
from dragoman.refine.screen_by_rule import rule_notes, screen_by_rule
from dragoman.refine.trials import Verifier
from dragoman.workflows import METHODS

EMBEDDED_VERIFIERS = ("zero_shot", "zero_shot:3")
"""One answer under the grammar, and a vote over three drawn ones."""
CAPABLE_VERIFIERS, CAPABLE_HELD_OUT = ("c3", "din_sql"), ("mac_sql",)
"""EGRefine's own, for models that follow long prompts."""
MOST_DRAWN = 99

Screening = Literal["", "rule", "model"]


@dataclass(frozen=True, slots=True)
class Chosen:
    """What the user chose; "" and () leave it to what the model can do."""

    screen: str = ""
    propose: str = ""
    names: int = 3
    domain: str = ""
    verifiers: tuple[str, ...] = ()
    held_out: tuple[str, ...] = ()
    workers: int = 1


@dataclass(frozen=True, slots=True)
class Equipped:
    """The ways, the sentence on the domain, and what the refinement file says of them."""

    ways: Ways
    domain: Domain
    models: dict[str, str]


def equip(
    settings: compose.SolverSettings, models: ModelsByRole, database: GuardedDatabase, chosen: Chosen, folder: Path
) -> Equipped:
    """Screener, proposer and verifiers for one database; proposals are kept in `folder`. Raises `SetupError`.

    A model on this machine is not asked to screen and propose, for the rules and the list of short forms do better.
    """
    local = models.for_role("generator").local
    screen, propose = (given or ("rule" if local else "model") for given in (chosen.screen, _offline(chosen.propose)))
    schema = database.schema()
    named = chosen.verifiers or (EMBEDDED_VERIFIERS if local else CAPABLE_VERIFIERS)
    held = chosen.held_out or (() if local or chosen.verifiers else CAPABLE_HELD_OUT)
    domain = _domain(database, models, chosen.domain, "model" in (screen, propose))
    proposer = (
        propose_offline(Names(schema), chosen.names)
        if propose == "rule"
        else propose_by_model(
            models.for_role("proposer"), Names(schema), Asking(chosen.names), chosen.workers, settings.seed
        )
    )
    by = "offline" if propose == "rule" else models.for_role("proposer").name
    judge = (
        screen_by_rule(schema)
        if screen == "rule"
        else screen_by_model(models.for_role("screener"), chosen.workers, settings.seed)
    )
    ways = Ways(
        judge,
        kept_proposals(proposer, folder / "proposals.jsonl", f"{by} {chosen.names} {settings.seed}"),
        verifiers(settings, models, named),
        verifiers(settings, models, held),
        domain.sentence,
        rule_notes() if screen == "rule" else (),
    )
    used = {"screener": "rules" if screen == "rule" else models.for_role("screener").name, "proposer": by}
    return Equipped(ways, domain, {**used, "generator": models.for_role("generator").name})


def verifiers(settings: compose.SolverSettings, models: ModelsByRole, names: Sequence[str]) -> list[Verifier]:
    """Solvers by name: a method, or METHOD:K for a vote over K answers of it. Raises `SetupError`."""
    found = []
    for name in names:
        method, _, drawn = name.partition(":")
        if method not in METHODS:
            raise SetupError(f"No method is called {method}. Choose verifiers among {', '.join(METHODS)}.")
        if drawn and not (drawn.isdecimal() and 1 < int(drawn) <= MOST_DRAWN):
            raise SetupError(f"{name} is no verifier. Write METHOD, or METHOD:K for a vote over K answers.")
        own = replace(settings, refinement="", method=method, candidates=int(drawn or 1))
        generator = models.for_role("generator")
        told = " ".join(f"{key}={value}" for key, value in sorted(parameters_of(generator).items()))
        about = f"{name} {generator.name} {told} values={settings.values} seed={settings.seed}"
        roles = " ".join(f"{role}={model}" for role, model in sorted(settings.model_for.items()))
        found.append(Verifier(name, compose.solver_for(own, models), f"{about} {roles}".strip()))
    return found


def _offline(given: str) -> str:
    return "rule" if given == "offline" else given


def _domain(database: GuardedDatabase, models: ModelsByRole, given: str, by_model: bool) -> Domain:
    if given:
        return given_domain(given)
    if by_model:
        return domain_by_model(database.schema(), models.for_role("screener"), compose.cache_folder() / "domains.json")
    return domain_from_schema(database.schema())
