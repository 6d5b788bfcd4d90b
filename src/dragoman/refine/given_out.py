"""The name that each place ends up with, of those that it won alone or with its table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dragoman.refine.bundles import Bundle
from dragoman.refine.contest import Court
from dragoman.refine.propose import Proposal
from dragoman.refine.refinement import Place
from dragoman.refine.resolve_conflicts import Choice, Resolved, resolve_conflicts
from dragoman.refine.verify import Verification, verify
from dragoman.schema import Schema

WITH_SET = 1.0
"""Added to the gain of names that won as a set: the set was tried as it is, so no name found alone takes any."""


def given_out(
    court: Court,
    schema: Schema,
    proposals: Sequence[Proposal],
    found: Mapping[Place, Verification],
    together: Sequence[Bundle],
) -> tuple[list[Choice], Resolved]:
    """The name that each place ends up with, its own or its table's, and the refinement of them all.

    A place whose name another took is verified once more without it, until it finds a free one or none is left: the
    outcome is that of ranking all names at the start.
    """
    names = {proposal.place: [item.name for item in proposal.names] for proposal in proposals}
    wishes: dict[Place, list[tuple[str, float]]] = {
        place: [(decision.chosen, decision.gain)] for place, decision in found.items() if decision.chosen
    }
    for bundle in together:
        wishes |= {place: [(name, WITH_SET + bundle.gain)] for place, name in bundle.names.items()}
    spent: set[Place] = set()
    while True:
        choices = [Choice(place, tuple(wished)) for place, wished in wishes.items()]
        resolved = resolve_conflicts(schema, choices)
        taken = resolved.refinement.names
        again = [
            place
            for place, wished in wishes.items()
            if place not in spent and place not in resolved.inherited and taken.get(place) not in dict(wished)
        ]
        if not again:
            break
        for place in again:
            second = verify(court, place, names[place], frozenset(name for name, _ in wishes[place]))
            if second.chosen:
                wishes[place].append((second.chosen, second.gain))
            else:
                spent.add(place)
    kept = []
    for place, wished in wishes.items():
        given = resolved.refinement.names.get(place)
        won = [(name, gain - WITH_SET if gain > WITH_SET else gain) for name, gain in wished if name == given]
        if won and place not in resolved.inherited:
            kept.append(Choice(place, tuple(won)))
    return kept, resolved
