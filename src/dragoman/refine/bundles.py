"""A table together with its columns as one set of names, where a single name is too small a step to help."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from dragoman.refine.contest import Contest, Court, contest
from dragoman.refine.propose import Proposal
from dragoman.refine.refinement import Place, Refinement, tables_by_key
from dragoman.refine.resolve_conflicts import Choice, resolve_conflicts
from dragoman.refine.screen import Screened
from dragoman.refine.trials import Cell
from dragoman.schema import Schema

When = Literal["auto", "always", "never"]
"""Which tables are tried as a whole: the cryptic ones, all, or none."""

CRYPTIC = 0.5
"""A table is cryptic where this share of its columns, and two at least, were screened in."""


@dataclass(frozen=True, slots=True)
class Bundle:
    """What became of one table tried as a whole: `places` are those that had names.

    `tried` sets of names raced. `names` are given to their places, none where all bundles lost. `pruned` were in it and
    could go without loss, which took `pruning` answers to know. `gain` is the share of answers that the whole bundle
    gained over the old names.
    """

    table: str
    places: tuple[Place, ...]
    contest: Contest
    tried: int
    names: Mapping[Place, str] = field(default_factory=dict)
    pruned: tuple[Place, ...] = ()
    pruning: int = 0
    gain: float = 0.0

    @property
    def prunable(self) -> int:
        """How many names the winner had before any went."""
        return len(self.names) + len(self.pruned)


def bundles(
    court: Court, schema: Schema, screened: Screened, proposals: Sequence[Proposal], when: When = "auto"
) -> tuple[Bundle, ...]:
    """Try tables as a whole, before any of their names is tried alone.

    A bundle is admissible and has a name for every place of a table that had any proposed; the first bundle takes the
    first name of each, the second the second, and so on. The bundles of a table race on all questions that read any of
    its places, under the same threshold as single names. Of the winner's names then go, those read least first, all
    without which no fewer of these answers are right than under the whole bundle. A table with fewer than two places is
    none to try as a whole, nor one that fewer questions read than the threshold asks for.
    """
    by_table: dict[str, list[Proposal]] = {}
    for proposal in proposals:
        if proposal.names:
            by_table.setdefault(proposal.place[0], []).append(proposal)
    found = []
    for table, own in by_table.items():
        numbers = court.questions(*(proposal.place for proposal in own))
        wanted = when == "always" or (when == "auto" and is_cryptic(schema, screened, table))
        if wanted and len(own) > 1 and len(numbers) >= court.threshold.least_questions:
            found.append(_tried(court, schema, table, own, numbers))
    return tuple(found)


def is_cryptic(schema: Schema, screened: Screened, table: str) -> bool:
    """Whether so many columns of a table were screened in that none stands in readable company."""
    kept = sum(1 for key, column in screened.kept if key == table and column)
    return kept > 1 and kept >= CRYPTIC * len(tables_by_key(schema)[table].columns)


def _tried(court: Court, schema: Schema, table: str, proposals: Sequence[Proposal], numbers: Sequence[int]) -> Bundle:
    places = tuple(proposal.place for proposal in proposals)
    ranked = [_bundle(schema, proposals, rank) for rank in range(max(len(p.names) for p in proposals))]
    several = [names for n, names in enumerate(ranked) if names not in ranked[:n]]
    named = [(", ".join(names.values()), _refinement(schema, names)) for names in several]
    outcome = contest(court, numbers, named)
    if not outcome.winner:
        return Bundle(table, places, outcome, len(named))
    names = several[outcome.winner - 1]
    scored = next(s for s in outcome.names if s.name == named[outcome.winner - 1][0])
    left, pruned, taken = _pruned(court, schema, names, court.cells(numbers))
    return Bundle(table, places, outcome, len(named), left, pruned, taken, scored.flips / outcome.answers)


def _bundle(schema: Schema, proposals: Sequence[Proposal], rank: int) -> dict[Place, str]:
    """The name of each place: its name of this rank, or the next one where that is taken."""
    choices = []
    for proposal in proposals:
        names = [item.name for item in proposal.names]
        at = min(rank, len(names) - 1)
        order = [*names[at:], *names[:at]]
        choices.append(Choice(proposal.place, tuple((name, -float(n)) for n, name in enumerate(order))))
    resolved = resolve_conflicts(schema, choices)
    given = resolved.refinement.names
    return {p.place: given[p.place] for p in proposals if p.place in given and p.place not in resolved.inherited}


def _pruned(
    court: Court, schema: Schema, names: Mapping[Place, str], cells: Sequence[Cell]
) -> tuple[dict[Place, str], tuple[Place, ...], int]:
    """(the names without which fewer answers would be right, the places of the others, answers asked for)."""
    whole = court.right(_refinement(schema, names), cells)
    left, gone, taken = dict(names), [], 0
    for place in sorted(names, key=lambda place: len(court.questions(place))):
        without = {other: name for other, name in left.items() if other != place}
        hurts, asked = _hurts(court, _refinement(schema, without), cells, whole)
        taken += asked
        if not hurts:
            left = without
            gone.append(place)
    return left, tuple(gone), taken


def _hurts(
    court: Court, refinement: Refinement, cells: Sequence[Cell], whole: Sequence[bool | None]
) -> tuple[bool, int]:
    """(whether fewer answers are right than in `whole`, how many were asked for): no more than it takes to know.

    First come the cells that are right in `whole`, for they alone can be lost. An answer that cannot be scored counts
    as lost.
    """
    right = [n for n, answer in enumerate(whole) if answer]
    wrong = [n for n, answer in enumerate(whole) if not answer]
    lost = asked = 0
    for part in _batches(right, court.at_once):
        lost += sum(not answer for answer in court.right(refinement, [cells[n] for n in part]))
        asked += len(part)
        if lost > len(wrong):
            return True, asked
    open_ = len(wrong)
    for part in _batches(wrong, court.at_once):
        if lost <= 0 or lost > open_:
            break
        lost -= sum(bool(answer) for answer in court.right(refinement, [cells[n] for n in part]))
        asked += len(part)
        open_ -= len(part)
    return lost > 0, asked


def _batches(numbers: Sequence[int], size: int) -> Iterable[Sequence[int]]:
    return (numbers[start : start + size] for start in range(0, len(numbers), size))


def _refinement(schema: Schema, names: Mapping[Place, str]) -> Refinement:
    """The names with what follows from them along keys."""
    return resolve_conflicts(schema, [Choice(place, ((name, 0.0),)) for place, name in names.items()]).refinement
