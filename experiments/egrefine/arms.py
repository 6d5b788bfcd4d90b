"""What each arm calls the columns of a degraded database, and how that was found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from experiments.egrefine.grounds import Ground

from dragoman.databases.guarded_database import GuardedDatabase
from dragoman.models import Model
from dragoman.questions import Example
from dragoman.refine.arms import all_pass, first_choices
from dragoman.refine.bundles import When
from dragoman.refine.describe_by_model import describe_by_model
from dragoman.refine.domain import domain_from_schema
from dragoman.refine.name_problem import Names
from dragoman.refine.propose_offline import propose_offline
from dragoman.refine.refine import RefinementRun, RefineSettings, Ways, refine
from dragoman.refine.refinement import Refinement
from dragoman.refine.resolve_conflicts import Choice, resolve_conflicts
from dragoman.refine.screen import Judge, open_places, screen
from dragoman.refine.screen_by_rule import screen_by_rule
from dragoman.refine.subject import Subject, subjects
from dragoman.refine.threshold import Threshold
from dragoman.refine.trials import Verifier
from dragoman.refine.verdict_store import VerdictStore
from dragoman.refine.verify_descriptions import verify_descriptions

OURS = Threshold()
PAPER = Threshold(0.05, least_flips=0, least_questions=1)
NO_RULE = Threshold(0.0, least_flips=0, least_questions=1)
"""A name wins that is no worse (EGRefine without the conservative rule)."""


@dataclass(frozen=True, slots=True)
class Arm:
    """The names under which the questions of each half are asked, and the runs that found them, if any did."""

    names: tuple[Refinement, Refinement]
    runs: tuple[RefinementRun, ...] = ()

    def described(self, other: Arm) -> Arm:
        """These names, with the descriptions of another arm."""
        one, two = self.names
        told, of_two = (names.descriptions for names in other.names)
        return Arm((replace(one, descriptions=told), replace(two, descriptions=of_two)), self.runs)


@dataclass(frozen=True, slots=True)
class Court:
    """By whom and by what names are judged.

    `together` is what the paper lacks: cryptic tables are tried as a whole too, and in the end names that hurt together
    are dropped.
    """

    verifiers: Sequence[Verifier]
    threshold: Threshold = OURS
    screened: bool = True
    together: bool = True


def same(names: Refinement) -> Arm:
    """One set of names for all questions."""
    return Arm((names, names))


def unverified(ground: Ground) -> Arm:
    """The proposer's first choice for every column that is screened in (EGRefine: LLM-Direct)."""
    proposals = _ways(ground.degraded, ()).propose(_screened_in(ground))
    return same(first_choices(ground.degraded.schema(), proposals).refinement)


def original_names(ground: Ground) -> Arm:
    """The names before abbreviation wherever structure lets a name be changed: what refining could reach at best."""
    schema = ground.degraded.schema()
    old = {(table, new): name for (table, name), new in ground.renamed.items()}
    places = [place for place in open_places(schema, tables=False) if place in old]
    return same(resolve_conflicts(schema, [Choice(place, ((old[place], 1.0),)) for place in places]).refinement)


def described(ground: Ground, writer: Model) -> Arm:
    """A description for every column that is screened in, and no new name."""
    return same(describe_by_model(_screened_in(ground), writer)[0])


def described_where_it_helps(ground: Ground, offered: Arm, court: Court, store: VerdictStore) -> Arm:
    """Each half reads the descriptions that help the other half, by the threshold that names have."""
    ways, settings = _ways(ground.degraded, court.verifiers), RefineSettings(court.threshold, held_out=0.0)
    found = [
        verify_descriptions(ground.degraded, ground.half(which), offered.names[0], ways, settings, store).refinement
        for which in (1, 0)
    ]
    return Arm((found[0], found[1]))


def cross_fitted(ground: Ground, court: Court, store: VerdictStore) -> Arm:
    """Each half is asked under the names that the other half chose."""
    runs = [refined(ground, ground.half(which), court, store) for which in (1, 0)]
    return Arm((_names(runs[0], court), _names(runs[1], court)), tuple(runs))


def in_loop(ground: Ground, court: Court, store: VerdictStore) -> Arm:
    """All questions are asked under the names that all questions chose."""
    run = refined(ground, ground.examples, court, store)
    return Arm((_names(run, court), _names(run, court)), (run,))


def refined(ground: Ground, examples: Sequence[Example], court: Court, store: VerdictStore) -> RefinementRun:
    """Refine the degraded database by these questions. All of them choose, and all check the names together."""
    ways = _ways(ground.degraded, court.verifiers, court.screened)
    bundles: When = "auto" if court.together else "never"
    settings = RefineSettings(court.threshold, held_out=0.0, tables=False, bundles=bundles)
    return refine(ground.degraded, examples, ways, settings, store)


def arm_record(arm: Arm) -> dict[str, Any]:
    """The names of each half, and what its runs saw."""
    return {
        "names": [[[*place, new] for place, new in sorted(names.columns.items())] for names in arm.names],
        "described": [len(names.descriptions) for names in arm.names],
        "runs": [run_record(run) for run in arm.runs],
    }


def run_record(run: RefinementRun) -> dict[str, Any]:
    """The funnel of one run, and every decision with the gain that it rests on."""
    proposed = {proposal.place: [item.name for item in proposal.names] for proposal in run.proposals}
    chosen = [v for v in run.verifications if v.chosen]
    return {
        "declined": run.declined,
        "columns": run.screened.columns if run.screened else 0,
        "screened": len(run.screened.kept) if run.screened else 0,
        "read": len(run.proposals),
        "tried": sum(bool(v.answers) for v in run.verifications),
        "chosen": len(chosen),
        "together": sum(len(bundle.names) for bundle in run.bundles),
        "dropped": len(run.joint.dropped) if run.joint else 0,
        "refined": len(run.refinement.columns),
        "first": sum(proposed[v.place][0] == v.chosen for v in chosen),
        "decisions": [
            [".".join(v.place), v.chosen, round(v.gain * v.answers), v.answers, v.need] for v in run.verifications
        ],
        "flips": [[len(s.repaired), len(s.broken)] for v in chosen for s in v.names if s.name == v.chosen],
        "raced": run.raced,
        "exhaustive": run.exhaustive,
        "gold": [run.gold.same, len(run.gold.different)] if run.gold else None,
    }


def _screened_in(ground: Ground) -> list[Subject]:
    database, schema = ground.degraded, ground.degraded.schema()
    ways = _ways(database, ())
    about = subjects(open_places(schema, tables=False), database, schema, ways.domain)
    kept = set(screen(schema, about, ways.screen).kept)
    return [subject for subject in about if subject.place in kept]


def _names(run: RefinementRun, court: Court) -> Refinement:
    found = run.refinement if court.together or run.resolved is None else run.resolved.refinement
    return Refinement(found.columns)


def _ways(database: GuardedDatabase, verifiers: Sequence[Verifier], screened: bool = True) -> Ways:
    schema = database.schema()
    judge: Judge = screen_by_rule(schema) if screened else all_pass
    domain = domain_from_schema(schema).sentence
    return Ways(judge, propose_offline(Names(schema)), verifiers, domain=domain)
