"""Do candidates agree? A vote by whole results that tells how it stands, not only who won."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from dragoman.databases import Database
from dragoman.ensemble.group_answers import cut_for_display, group_answers
from dragoman.ensemble.row_orders import first_ordered
from dragoman.solver import Answer, Step

Standing = Literal["agreed", "tie", "scattered", "lone", "none"]
FEWEST = 2
"""Candidates that must agree, where more than one was drawn."""


@dataclass(frozen=True, slots=True)
class Consensus:
    """How a round of candidates stands (ReFoRCE, section 3.2.2).

    agreed     one class is the largest and has at least two candidates (or the only one that was drawn)
    tie        several classes of at least two are the largest
    scattered  several candidates, no two of which agree
    lone       one candidate has rows, the others have not
    none       no candidate has rows

    `groups` numbers the classes of equal results, None for what was dropped. `first` is the first candidate with an
    ORDER BY, or else the first, of the first of the largest classes, None without any; `share` is the part of all
    candidates that agree with it.
    """

    answers: tuple[Answer, ...]
    groups: tuple[int | None, ...]
    standing: Standing
    first: int | None
    share: float
    step: Step


def consensus(answers: Sequence[Answer], database: Database) -> Consensus:
    """Class the candidates that have rows by their whole results, and count.

    Rows are compared as rows, results that were cut for display by the digest of the whole; a result of zeros or of
    one column is as good as any other.
    """
    started = time.monotonic()
    kept = [place for place, answer in enumerate(answers) if has_rows(answer)]
    with_rows = [answers[place] for place in kept]
    found = dict(zip(kept, group_answers(with_rows, database), strict=True))
    groups = tuple(found.get(place) for place in range(len(answers)))
    votes = Counter(group for group in groups if group is not None)
    most = max(votes.values(), default=0)
    largest = [group for group, size in votes.items() if size == most]
    standing = _standing(len(answers), len(kept), most, len(largest))
    data = {
        "stage": "vote",
        "candidates": len(answers),
        "with_rows": len(with_rows),
        "classes": len(votes),
        "votes": most,
        "standing": standing,
        "read_again": len(cut_for_display(with_rows)),
    }
    members = [place for place, group in enumerate(groups) if largest and group == largest[0]]
    first = first_ordered(members, [answer.sql for answer in answers], database.dialect) if members else None
    step = Step("vote", data=data, seconds=time.monotonic() - started)
    return Consensus(tuple(answers), groups, standing, first, most / len(answers), step)


def has_rows(answer: Answer) -> bool:
    """Whether a candidate came to its end with rows; only such candidates vote."""
    return answer.error is None and bool(answer.rows)


def _standing(drawn: int, kept: int, most: int, largest: int) -> Standing:
    if not kept:
        return "none"
    if drawn == 1:
        return "agreed"
    if kept == 1:
        return "lone"
    if most < FEWEST:
        return "scattered"
    return "tie" if largest > 1 else "agreed"
