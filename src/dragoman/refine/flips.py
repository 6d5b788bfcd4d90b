"""What becomes of answers when names change."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from dragoman.refine.contest import Court, Scored, label
from dragoman.refine.refinement import Place, Refinement
from dragoman.refine.trials import Cell


@dataclass(frozen=True, slots=True)
class Flips:
    """Of `answers`, how many are right under the old names and under the new ones, and what changed.

    Answers that could not be scored under both count nowhere. `repaired` and `broken` are positions among the cells.
    """

    answers: int = 0
    before: int = 0
    after: int = 0
    repaired: tuple[int, ...] = ()
    broken: tuple[int, ...] = ()

    @property
    def net(self) -> int:
        return self.after - self.before


def flips(court: Court, cells: Sequence[Cell], refinement: Refinement) -> Flips:
    """What becomes of the answers to these cells under a refinement."""
    old = court.trials.ask(Refinement(), cells)
    new = court.trials.ask(refinement, cells)
    pairs = [(n, o.correct, w.correct) for n, (o, w) in enumerate(zip(old, new, strict=True)) if o and w]
    return Flips(
        len(pairs),
        sum(before for _, before, _ in pairs),
        sum(after for _, _, after in pairs),
        tuple(number for number, before, after in pairs if after and not before),
        tuple(number for number, before, after in pairs if before and not after),
    )


def own_score(court: Court, place: Place, name: str, refinement: Refinement) -> tuple[float | None, Scored]:
    """(share of right answers to the questions of a place under the old names, what became of them under a refinement).

    The refinement may hold more than this name; None where no answer could be scored under both.
    """
    cells = court.cells(court.questions(place))
    found = flips(court, cells, refinement)
    before, after = ((n / found.answers if found.answers else None) for n in (found.before, found.after))
    repaired, broken = (tuple(label(court, cells[n]) for n in some) for some in (found.repaired, found.broken))
    return before, Scored(name, found.answers, len(cells), after, after or 0.0, repaired, broken)


def own_net(court: Court, cells: Sequence[Cell], found: Flips, place: Place, inherited: Mapping[Place, Place]) -> int:
    """Net flips among the questions that read the place, or a column that has its name from it (see `Resolved`)."""
    places = {place}
    while True:
        more = {other for other, key in inherited.items() if key in places} - places
        if not more:
            break
        places |= more
    return net_among(court, cells, found, court.index.of_all(places))


def net_among(court: Court, cells: Sequence[Cell], found: Flips, numbers: Iterable[int]) -> int:
    """Net flips among some of the questions of a court."""
    among = {id(court.examples[number]) for number in numbers}

    def count(positions: Sequence[int]) -> int:
        return sum(id(cells[position].example) in among for position in positions)

    return count(found.repaired) - count(found.broken)
