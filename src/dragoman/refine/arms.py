"""What a refinement is compared with: the same names without verification, and screening that lets all through."""

from __future__ import annotations

from collections.abc import Sequence

from dragoman.refine.propose import Proposal
from dragoman.refine.resolve_conflicts import Choice, Resolved, resolve_conflicts
from dragoman.refine.screen import Judgement
from dragoman.refine.subject import Subject
from dragoman.schema import Schema


def first_choices(schema: Schema, proposals: Sequence[Proposal]) -> Resolved:
    """The proposer's first name for every place, unverified; the next one where it is taken (EGRefine: LLM-Direct).

    Unlike there, conflicts are resolved, so that the arm can run at all. Names are given out in the schema's order.
    """
    choices = [
        Choice(p.place, tuple((item.name, -float(rank)) for rank, item in enumerate(p.names))) for p in proposals
    ]
    return resolve_conflicts(schema, choices)


def all_pass(subjects: Sequence[Subject]) -> list[Judgement]:
    """A judge that keeps every name that structure does not exclude (EGRefine: without screening)."""
    return [Judgement(True) for _ in subjects]
