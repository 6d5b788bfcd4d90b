"""Cryptic tables with all their columns as one set of names, where a single name is too small a step to help."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from dragoman.refine.contest import Contest, Court, contest
from dragoman.refine.flips import flips, own_net
from dragoman.refine.propose import Proposal
from dragoman.refine.refinement import Place, tables_by_key
from dragoman.refine.resolve_conflicts import Choice, Resolved, resolve_conflicts
from dragoman.refine.screen import Screened
from dragoman.refine.trials import Cell
from dragoman.refine.vocabulary import name_words
from dragoman.schema import Schema

When = Literal["auto", "always", "never"]
"""Which tables are tried as a whole: the cryptic ones, all, or none."""

CRYPTIC = 0.5
"""A table is cryptic where this share of its columns, and two at least, were screened in."""


MOST_TRIES = 4
"""Sets that are tried of the same tables: the whole, and without up to three names that lose."""


@dataclass(frozen=True, slots=True)
class Bundle:
    """What became of tables tried as a whole: `places` are those that had names.

    `contest` is that of the best set. `names` are given to their places, none where the old names stayed. `dropped`
    are not in the best set, for their own questions lost. `taken` answers under new names were asked for. `gain` is
    the share of answers that the best set gained over the old names.
    """

    tables: tuple[str, ...]
    places: tuple[Place, ...]
    contest: Contest
    names: Mapping[Place, str] = field(default_factory=dict)
    dropped: tuple[Place, ...] = ()
    taken: int = 0
    gain: float = 0.0

    @property
    def settled(self) -> frozenset[Place]:
        """The places that it has decided on."""
        return frozenset({*self.names, *self.dropped})


def whole_tables(schema: Schema, screened: Screened, when: When) -> tuple[str, ...]:
    """The tables to try as a whole, if questions enough read them, in the schema's order."""
    tables = dict.fromkeys(table for table, _ in screened.kept)
    return tuple(t for t in tables if when == "always" or (when == "auto" and is_cryptic(schema, screened, t)))


def bundles(
    court: Court, schema: Schema, screened: Screened, proposals: Sequence[Proposal], when: When = "auto"
) -> tuple[Bundle, ...]:
    """Try tables as a whole, before any of their names is tried alone.

    A set has the first name of every place that had any proposed, also of those that no question reads; the next one
    where that is taken. A name that only adds words to the old one (`employee_age`) makes nothing readable and is left
    to be tried alone. The set is asked all questions that read any of its places, under the threshold of single names:
    first the set of all such tables, and where that does not win, each table's. One bad name can spoil a set: while a
    name's own questions lose by it, the set is tried once more without the one that loses most, `MOST_TRIES` in all,
    and the best set is taken, of equals the smaller one. What was tried is what is kept. A table with fewer than two
    places is none to try as a whole, nor one that fewer questions read than the threshold asks for.
    """
    by_table: dict[str, list[Proposal]] = {table: [] for table in whole_tables(schema, screened, when)}
    for proposal in proposals:
        if proposal.place[0] in by_table and _spells_out(schema, proposal):
            by_table[proposal.place[0]].append(proposal)
    several = [own for own in by_table.values() if len(own) > 1 and _questions(court, own)]
    found: list[Bundle] = []
    if len(several) > 1:
        found.append(_tried(court, schema, [proposal for own in several for proposal in own]))
    if not any(bundle.names for bundle in found):
        found += [_tried(court, schema, own) for own in several]
    return tuple(found)


def is_cryptic(schema: Schema, screened: Screened, table: str) -> bool:
    """Whether so many columns of a table were screened in that none stands in readable company."""
    kept = sum(1 for key, column in screened.kept if key == table and column)
    return kept > 1 and kept >= CRYPTIC * len(tables_by_key(schema)[table].columns)


def _spells_out(schema: Schema, proposal: Proposal) -> bool:
    """Whether the first name has another word in place of one of the old name's."""
    table, column = proposal.place
    old = column or tables_by_key(schema)[table].name
    return bool(proposal.names) and not {*name_words(old)} <= {*name_words(proposal.names[0].name)}


def _questions(court: Court, proposals: Sequence[Proposal]) -> list[int]:
    """The questions that decide on a set, none where they are too few."""
    numbers = court.questions(*(proposal.place for proposal in proposals))
    return numbers if len(numbers) >= court.threshold.least_questions else []


def _tried(court: Court, schema: Schema, proposals: Sequence[Proposal]) -> Bundle:
    places = tuple(proposal.place for proposal in proposals)
    tables = tuple(dict.fromkeys(table for table, _ in places))
    numbers = _questions(court, proposals)
    names = _own(_first_names(schema, proposals), places)
    outcome = _contest(court, schema, numbers, names)
    if not outcome.names:  # the old names' own answers forbid it
        return Bundle(tables, places, outcome)
    sets = _lighter(court, schema, names, court.cells(numbers))
    net, best = max(((net, left) for net, left in sets), key=lambda found: (found[0], -len(found[1])))
    outcome = _contest(court, schema, numbers, best)
    taken = len(sets) * outcome.answers
    if not outcome.winner:
        return Bundle(tables, places, outcome, taken=taken)
    dropped = tuple(place for place in names if place not in best)
    return Bundle(tables, places, outcome, best, dropped, taken, net / outcome.answers)


def _contest(court: Court, schema: Schema, numbers: Sequence[int], names: Mapping[Place, str]) -> Contest:
    return contest(court, numbers, [(", ".join(names.values()), _resolved(schema, names).refinement)])


def _lighter(
    court: Court, schema: Schema, names: Mapping[Place, str], cells: Sequence[Cell]
) -> list[tuple[int, dict[Place, str]]]:
    """(net answers gained, names) of the whole set and of those without the names that lose, one after another."""
    left = dict(names)
    found: list[tuple[int, dict[Place, str]]] = []
    while left and len(found) < MOST_TRIES:
        resolved = _resolved(schema, left)
        changed = flips(court, cells, resolved.refinement)
        found.append((changed.net, dict(left)))
        own = {place: own_net(court, cells, changed, place, resolved.inherited) for place in left}
        worst = min(own, key=lambda place: own[place])
        if own[worst] >= 0:
            break
        del left[worst]
    return found


def _first_names(schema: Schema, proposals: Sequence[Proposal]) -> Resolved:
    """The first name of each place, or the next one where that is taken, and what follows from them along keys."""
    return resolve_conflicts(
        schema,
        [Choice(p.place, tuple((item.name, -float(n)) for n, item in enumerate(p.names))) for p in proposals],
    )


def _resolved(schema: Schema, names: Mapping[Place, str]) -> Resolved:
    return resolve_conflicts(schema, [Choice(place, ((name, 0.0),)) for place, name in names.items()])


def _own(resolved: Resolved, places: Sequence[Place]) -> dict[Place, str]:
    """The names of places that have not got theirs from a key."""
    given = resolved.refinement.names
    return {place: given[place] for place in places if place in given and place not in resolved.inherited}
