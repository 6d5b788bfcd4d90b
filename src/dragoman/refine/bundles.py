"""Cryptic tables with all their columns as one set of names, where a single name is too small a step to help."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from dragoman.refine.contest import Contest, Court, Scored, contest
from dragoman.refine.expand_word import is_readable
from dragoman.refine.flips import Flips, flips, net_among, own_net, own_score
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


NOT_WITH_OTHERS = "together with the other tables that won, fewer answers are right"
MOST_TRIES = 4
"""Sets that are tried of the same tables: the whole, and without up to three names that lose."""


@dataclass(frozen=True, slots=True)
class Bundle:
    """What became of tables tried as a whole: `places` are those that had names.

    `contest` is that of the best set, which gained `net` answers over the old names. `names` are given to their places,
    none where the old names stayed, for the `reason`; `inherited` places follow them along keys. `dropped` names are
    not in the best set, for their own questions lost. `own` has of each name what became of the questions that read
    it, under all names of the set (see `own_score`). `taken` answers under new names were asked for.
    """

    tables: tuple[str, ...]
    places: tuple[Place, ...]
    contest: Contest
    names: Mapping[Place, str] = field(default_factory=dict)
    inherited: tuple[Place, ...] = ()
    dropped: Mapping[Place, str] = field(default_factory=dict)
    own: Mapping[Place, tuple[float | None, Scored]] = field(default_factory=dict)
    net: int = 0
    taken: int = 0
    reason: str = ""

    @property
    def settled(self) -> frozenset[Place]:
        """The places that it has decided on, for new names or for the old ones."""
        return frozenset({*self.names, *self.inherited, *self.dropped})

    @property
    def gain(self) -> float:
        """The share of answers that the best set gained."""
        return self.net / self.contest.answers if self.contest.answers else 0.0


def whole_tables(schema: Schema, screened: Screened, when: When) -> tuple[str, ...]:
    """The tables to try as a whole, if questions enough read them, in the schema's order."""
    tables = dict.fromkeys(table for table, _ in screened.kept)
    return tuple(t for t in tables if when == "always" or (when == "auto" and is_cryptic(schema, screened, t)))


def bundles(
    court: Court, schema: Schema, screened: Screened, proposals: Sequence[Proposal], when: When = "auto"
) -> tuple[Bundle, ...]:
    """Try tables as a whole, before any of their names is tried alone.

    A set has the first name of every place that had any proposed, also of those that no question reads if their old
    name is no word; the next one where that is taken. A name that only adds words to the old one (`employee_age`)
    makes nothing readable and is left to be tried alone. The set is asked all questions that read any of its places,
    under the threshold of single names: first the set of all such tables, and where that does not win, each table's;
    of tables that win so, the least are given up until all together gain no less than the best of them. One bad name
    can spoil a set: while a name's own questions lose by it, the set is tried once more without the one that loses
    most, `MOST_TRIES` in all, and the best set is taken, of equals the smaller one. What was tried is what is kept. A
    table with fewer than two such names is none to try as a whole, nor one that fewer questions read than the
    threshold asks for.
    """
    by_table: dict[str, list[Proposal]] = {table: [] for table in whole_tables(schema, screened, when)}
    for proposal in proposals:
        if proposal.place[0] in by_table and _spells_out(court, schema, proposal):
            by_table[proposal.place[0]].append(proposal)
    sets = [names for own in by_table.values() if len(names := _first_names(schema, own)) > 1]
    sets = [names for names in sets if len(court.questions(*names)) >= court.threshold.least_questions]
    if len(sets) > 1:
        chosen = {place for names in sets for place in names}
        every = _first_names(schema, [p for own in by_table.values() for p in own if p.place in chosen])
        together = _tried(court, schema, every)
        if together.names:
            return (together,)
        return (together, *_agreeing(court, schema, [_tried(court, schema, names) for names in sets]))
    return tuple(_tried(court, schema, names) for names in sets)


def is_cryptic(schema: Schema, screened: Screened, table: str) -> bool:
    """Whether so many columns of a table were screened in that none stands in readable company."""
    kept = sum(1 for key, column in screened.kept if key == table and column)
    return kept > 1 and kept >= CRYPTIC * len(tables_by_key(schema)[table].columns)


def _spells_out(court: Court, schema: Schema, proposal: Proposal) -> bool:
    """Whether the first name does without one of the old name's words, most often with another in its place.

    Where no question can tell whether that is better, the old name must not be one that reads as words.
    """
    table, column = proposal.place
    old = column or tables_by_key(schema)[table].name
    if not proposal.names or {*name_words(old)} <= {*name_words(proposal.names[0].name)}:
        return False
    return bool(court.questions(proposal.place)) or not is_readable(old)


def _tried(court: Court, schema: Schema, names: Mapping[Place, str]) -> Bundle:
    places, tables = tuple(names), tuple(dict.fromkeys(table for table, _ in names))
    outcome = _contest(court, schema, names, names)
    if not outcome.names:  # the old names' own answers forbid it
        return Bundle(tables, places, outcome, reason=outcome.reason)
    tries = _lighter(court, schema, names)
    taken = len(tries) * outcome.answers
    scored = [(net, -len(left), left) for net, left in tries if net is not None]
    net, _, best = max(scored, key=lambda found: found[:2]) if scored else (0, 0, dict(names))
    outcome = _contest(court, schema, names, best)
    if not outcome.winner:
        return Bundle(tables, places, outcome, net=net, taken=taken, reason=outcome.reason)
    resolved = _resolved(schema, best)
    inherited = tuple(resolved.inherited)
    dropped = {place: name for place, name in names.items() if place not in best and place not in inherited}
    read = {place: name for place, name in best.items() if court.questions(place)}
    own = {place: own_score(court, place, name, resolved.refinement) for place, name in read.items()}
    return Bundle(tables, places, outcome, best, inherited, dropped, own, net, taken)


def _contest(court: Court, schema: Schema, whole: Mapping[Place, str], names: Mapping[Place, str]) -> Contest:
    """Names against the old ones, on the questions of the whole set."""
    named = [(", ".join(names.values()), _resolved(schema, names).refinement)]
    return contest(court, court.questions(*whole), named)


def _lighter(court: Court, schema: Schema, names: Mapping[Place, str]) -> list[tuple[int | None, dict[Place, str]]]:
    """(net answers gained, names) of the whole set and of those without the names that lose, one after another.

    A table's questions are those of its columns, too: columns go before it, unless all of them lose and the questions
    that read none of them gain nothing. None where not every answer could be scored.
    """
    cells = court.cells(court.questions(*names))
    left = dict(names)
    found: list[tuple[int | None, dict[Place, str]]] = []
    while left and len(found) < MOST_TRIES:
        resolved = _resolved(schema, left)
        changed = flips(court, cells, resolved.refinement)
        left = {place: name for place, name in left.items() if resolved.refinement.names.get(place) == name}
        found.append((changed.net if changed.answers == len(cells) else None, dict(left)))
        own = {place: own_net(court, cells, changed, place, resolved.inherited) for place in left}
        losing = [place for place in left if own[place] < 0]
        if not losing:
            break
        tables = [place for place in losing if not place[1] and _is_to_blame(court, cells, changed, place, own)]
        del left[min(tables or losing, key=lambda place: (not place[1], own[place]))]
    return found


def _is_to_blame(court: Court, cells: Sequence[Cell], changed: Flips, table: Place, own: Mapping[Place, int]) -> bool:
    """Whether all columns of a table that are read lose, and the questions that read none of them gain nothing."""
    columns = [place for place in own if place[0] == table[0] and place[1] and court.questions(place)]
    others = set(court.index.of(table)) - set(court.index.of_all(columns))
    return all(own[column] < 0 for column in columns) and net_among(court, cells, changed, others) <= 0


def _agreeing(court: Court, schema: Schema, found: Sequence[Bundle]) -> list[Bundle]:
    """The tables, those given up that won alone and make all together worse than the best of them.

    What is given up keeps its old names, for names alone would be tried without the other tables again. Each table's
    gain is that of its own questions, and that of all together those of all.
    """
    kept = list(found)
    while len(won := [bundle for bundle in kept if bundle.names]) > 1:
        wishes = [Choice(place, ((name, b.gain),)) for b in won for place, name in b.names.items()]
        cells = court.cells(court.questions(*(place for bundle in won for place in bundle.places)))
        changed = flips(court, cells, resolve_conflicts(schema, wishes).refinement)
        least = min(won, key=lambda bundle: bundle.net)
        at = kept.index(least)
        kept[at] = replace(least, taken=least.taken + len(cells))
        if changed.answers == len(cells) and changed.net >= max(bundle.net for bundle in won):
            break
        kept[at] = replace(
            kept[at], names={}, inherited=(), own={}, dropped={**least.names, **least.dropped}, reason=NOT_WITH_OTHERS
        )
    return kept


def _first_names(schema: Schema, proposals: Sequence[Proposal]) -> dict[Place, str]:
    """The first name of each place, or the next one where that is taken; none for places that follow a key."""
    choices = [Choice(p.place, tuple((item.name, -float(n)) for n, item in enumerate(p.names))) for p in proposals]
    resolved = resolve_conflicts(schema, choices)
    given = resolved.refinement.names
    return {p.place: given[p.place] for p in proposals if p.place in given and p.place not in resolved.inherited}


def _resolved(schema: Schema, names: Mapping[Place, str]) -> Resolved:
    """The names with what follows from them along keys."""
    return resolve_conflicts(schema, [Choice(place, ((name, 0.0),)) for place, name in names.items()])
