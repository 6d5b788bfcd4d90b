"""Phase 2: names that a column or table could bear (EGRefine, section III-C)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from dragoman.refine.name_problem import Names
from dragoman.refine.refinement import Place
from dragoman.refine.subject import Subject
from dragoman.solver import Step

COUNT = 3
"""Names a proposal has (EGRefine: k = 3)."""


@dataclass(frozen=True, slots=True)
class Proposed:
    """A name and why it is proposed, or why it was rejected."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class Proposal:
    """The names for one place, the best first, and those that were rejected with the reason.

    `failure` says why there are fewer names than asked for, "" if there are not. `steps` are the calls made for it.
    """

    place: Place
    names: tuple[Proposed, ...] = ()
    rejects: tuple[Proposed, ...] = ()
    failure: str = ""
    steps: tuple[Step, ...] = ()


Proposer = Callable[[Sequence[Subject]], Sequence[Proposal]]
"""One proposal for each subject, in order. See `propose_by_model` and `propose_offline`."""


def sift(
    proposed: Iterable[Proposed], place: Place, names: Names, count: int = COUNT
) -> tuple[tuple[Proposed, ...], tuple[Proposed, ...]]:
    """(the first `count` names that will do, those rejected), each name once whatever its case."""
    kept: list[Proposed] = []
    rejects: list[Proposed] = []
    for item in proposed:
        spelled = names.spelled(item.name)
        if spelled.lower() in {other.name.lower() for other in (*kept, *rejects)}:
            continue
        if problem := names.problem(spelled, place):
            rejects.append(Proposed(spelled, problem))
        elif len(kept) < count:
            kept.append(Proposed(spelled, item.reason))
    return tuple(kept), tuple(rejects)
