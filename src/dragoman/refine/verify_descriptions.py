"""Descriptions in place of names, verified as names are: an arm that renames nothing (EGRefine, section VI-D)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from dragoman.databases.guarded_database import GuardedDatabase
from dragoman.questions import Example
from dragoman.refine.flips import Flips, flips
from dragoman.refine.refine import RefineSettings, Ways, checking, convene
from dragoman.refine.refinement import Refinement
from dragoman.refine.trials import Spent, Trials
from dragoman.refine.verdict_store import VerdictStore
from dragoman.refine.verify import Verification, verify


@dataclass(frozen=True, slots=True)
class VerifiedDescriptions:
    """`refinement` holds the descriptions that are kept, and no name. `verifications` tell of each that was offered;
    `chosen` there is the text. `together` are the flips of those kept, on the questions of the joint check.
    """

    refinement: Refinement
    verifications: tuple[Verification, ...]
    together: Flips
    spent: Spent


def verify_descriptions(
    base: GuardedDatabase,
    examples: Iterable[Example],
    offered: Refinement,
    ways: Ways,
    settings: RefineSettings = RefineSettings(),
    store: VerdictStore | None = None,
) -> VerifiedDescriptions:
    """Keep those descriptions of `offered` (`describe_by_model`) under which more questions are answered right.

    A description is shown as the comment of its column, alone, and judged by the threshold on the questions that read
    the column. In the end all kept ones are shown together to the questions held out; while that is worse than none,
    the one goes that gained least. Only solvers that show comments can tell a difference. Raises `SetupError` and
    `BudgetSpent`.
    """
    trials = Trials(base, ways.verifiers, VerdictStore() if store is None else store, settings.trial)
    try:
        whole = convene(base, tuple(example for example in examples if example.sql), trials, settings)
        held, own = checking(whole, settings)
        court = replace(
            whole,
            names=lambda place, text: Refinement(descriptions={place: text}),
            held_out=frozenset(() if own else held),
        )
        found = tuple(verify(court, place, [text]) for place, text in offered.descriptions.items())
        kept = sorted((verified for verified in found if verified.chosen), key=lambda verified: -verified.gain)
        cells = whole.cells(held)
        while True:
            refinement = Refinement(descriptions={verified.place: verified.chosen for verified in kept})
            together = flips(whole, cells, refinement)
            if together.net >= 0 or not kept:
                return VerifiedDescriptions(refinement, found, together, trials.spent)
            kept.pop()
    finally:
        trials.close()
