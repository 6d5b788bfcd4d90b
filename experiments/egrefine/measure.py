"""Asks every question under the names of every arm, stage by stage; what was answered is kept and not asked again."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from experiments.egrefine.arms import (
    NO_RULE,
    PAPER,
    Arm,
    Court,
    arm_record,
    cross_fitted,
    described,
    described_where_it_helps,
    in_loop,
    original_names,
    same,
    unverified,
)
from experiments.egrefine.grounds import Ground

from dragoman.databases.guarded_database import GuardedDatabase
from dragoman.errors import SetupError
from dragoman.models import Model
from dragoman.questions import Example
from dragoman.refine.query_index import query_index
from dragoman.refine.refinement import Refinement
from dragoman.refine.trials import Cell, Trials, Verifier
from dragoman.refine.verdict_store import VerdictStore

Solvers = Mapping[str, Verifier]
Record = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Models:
    """The solvers of the shipped adapter and of another one, {} where only one is measured.

    `writer` writes descriptions; None where the model writes SQL only.
    """

    own: Solvers
    other: Solvers = field(default_factory=dict)
    writer: Model | None = None


def main_arms(ground: Ground, models: Models, store: VerdictStore) -> Record:
    """Clean, degraded, unverified, refined as in the paper and as here, and the best that names could do."""
    both = tuple(models.own.values())
    court, paper = Court(both), Court(both, PAPER, together=False)
    arms: dict[str, Callable[[], Arm]] = {
        "degraded": lambda: same(Refinement()),
        "unverified": lambda: unverified(ground),
        "the paper's way": lambda: cross_fitted(ground, paper, store),
        "refined": lambda: cross_fitted(ground, court, store),
        "refined, in loop": lambda: in_loop(ground, court, store),
        "original names": lambda: original_names(ground),
    }
    return {**_clean(ground, models.own, store), **_measured(ground, arms, models.own, store)}


def loss(ground: Ground, models: Models, store: VerdictStore) -> Record:
    """What abbreviation costs and what names could give back at most; nothing is refined, so that many can be asked."""
    arms: dict[str, Callable[[], Arm]] = {
        "degraded": lambda: same(Refinement()),
        "original names": lambda: original_names(ground),
        "unverified": lambda: unverified(ground),
    }
    return {**_clean(ground, models.own, store), **_measured(ground, arms, models.own, store)}


def ablations(ground: Ground, models: Models, store: VerdictStore) -> Record:
    """One part of refining less in each arm; all cross-fitted."""
    both = tuple(models.own.values())
    courts = {
        "column by column": Court(both, together=False),
        "without the conservative rule": Court(both, NO_RULE, together=False),
        "without screening": Court(both, screened=False),
        **{f"verified by {name} alone": Court((verifier,)) for name, verifier in models.own.items()},
    }
    arms = {name: lambda court=court: cross_fitted(ground, court, store) for name, court in courts.items()}
    return _measured(ground, arms, models.own, store)


def across_models(ground: Ground, models: Models, store: VerdictStore) -> Record:
    """Names that one adapter's answers chose, used by both, in both directions, by the first solver; cross-fitted."""
    served = {"own": next(iter(models.own.values())), "other": next(iter(models.other.values()))}
    arms: dict[str, Callable[[], Arm]] = {
        "degraded": lambda: same(Refinement()),
        "unverified": lambda: unverified(ground),
        "refined by own": lambda: cross_fitted(ground, Court((served["own"],)), store),
        "refined by other": lambda: cross_fitted(ground, Court((served["other"],)), store),
    }
    return {**_clean(ground, served, store), **_measured(ground, arms, served, store)}


def descriptions(ground: Ground, models: Models, store: VerdictStore) -> Record:
    """Descriptions in place of names and beside them, all and those that help; needs a model that reads comments."""
    if models.writer is None:
        raise SetupError("The embedded model reads no descriptions. Give a chat model with --model for this stage.")
    court = Court(tuple(models.own.values()))
    offered = described(ground, models.writer)
    helping = described_where_it_helps(ground, offered, court, store)
    refined = cross_fitted(ground, court, store)
    arms: dict[str, Callable[[], Arm]] = {
        "degraded": lambda: same(Refinement()),
        "described": lambda: offered,
        "described where it helps": lambda: helping,
        "refined": lambda: refined,
        "refined and described where it helps": lambda: refined.described(helping),
    }
    return {**_clean(ground, models.own, store), **_measured(ground, arms, models.own, store)}


STAGES: dict[str, Callable[[Ground, Models, VerdictStore], Record]] = {
    "loss": loss,
    "main": main_arms,
    "ablations": ablations,
    "across": across_models,
    "descriptions": descriptions,
}


def measure(ground: Ground, stage: str, models: Models, store: VerdictStore, folder: Path) -> None:
    """Measure one stage on one database and write `folder/<stage>/<database>.json`."""
    arms = STAGES[stage](ground, models, store)
    record = {
        "database": ground.name,
        "columns": sum(len(table.columns) for table in ground.clean.schema()),
        "renamed": [[*place, new] for place, new in sorted(ground.renamed.items())],
        "halves": [[example.question.id for example in ground.half(which)] for which in (0, 1)],
        "solvers": [verifier.identity for verifier in (*models.own.values(), *models.other.values())],
        "arms": arms,
    }
    path = folder / stage / f"{ground.name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(record, indent=None, separators=(",", ":")) + "\n", encoding="utf-8")


def _clean(ground: Ground, solvers: Solvers, store: VerdictStore) -> Record:
    names = (Refinement(), Refinement())
    verdicts = _asked(ground.clean, ground.clean_examples, names, solvers, store)
    return {"clean": {"names": [], "runs": [], "verdicts": verdicts}}


def _measured(ground: Ground, arms: Mapping[str, Callable[[], Arm]], solvers: Solvers, store: VerdictStore) -> Record:
    index = query_index(ground.examples, ground.degraded.schema())
    found = {}
    for name, make in arms.items():
        arm = make()
        verdicts = _asked(ground.degraded, ground.examples, arm.names, solvers, store)
        touching = [set(index.of_all(names.columns)) for names in arm.names]
        ids = [e.question.id for n, e in enumerate(ground.examples) if n in touching[n % 2]]
        found[name] = {**arm_record(arm), "verdicts": verdicts, "touching": ids}
        right = {solver: sum(answers.values()) for solver, answers in verdicts.items()}
        print(f"{ground.name}: {name}: {right} of {len(ground.examples)}", file=sys.stderr, flush=True)
    return found


def _asked(
    database: GuardedDatabase,
    examples: Sequence[Example],
    names: tuple[Refinement, Refinement],
    solvers: Solvers,
    store: VerdictStore,
) -> dict[str, dict[str, bool]]:
    """Solver -> question -> whether it was answered right; questions of the halves under the names of theirs."""
    trials = Trials(database, tuple(solvers.values()), store)
    found: dict[str, dict[str, bool]] = {solver: {} for solver in solvers}
    try:
        for which in (0, 1):
            half = examples[which::2]
            cells = [Cell(example, number) for number in range(len(solvers)) for example in half]
            verdicts = trials.ask(names[which], cells)
            for cell, verdict in zip(cells, verdicts, strict=True):
                if verdict is None:
                    raise RuntimeError(f"{cell.example.question.id} was not answered: {trials.spent.unscored[-1]}")
                found[list(solvers)[cell.verifier]][cell.example.question.id] = verdict.correct
    finally:
        trials.close()
    return found
