"""The whole refinement at once, on questions that no name was chosen by: renames that hurt together are dropped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dragoman.refine.contest import Court
from dragoman.refine.refinement import Place, Refinement
from dragoman.refine.resolve_conflicts import Choice, Resolved, resolve_conflicts
from dragoman.refine.trials import Cell
from dragoman.schema import Schema


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


@dataclass(frozen=True, slots=True)
class JointCheck:
    """`resolved` is what is left. `first` are the flips of the whole refinement, `last` those of what is left.

    `dropped` says of each place that was given up why. `questions` were put to each verifier.
    """

    resolved: Resolved
    questions: int
    first: Flips
    last: Flips
    dropped: Mapping[Place, str]


def joint_check(court: Court, schema: Schema, choices: Sequence[Choice], numbers: Sequence[int]) -> JointCheck:
    """Try all names together on the questions `numbers`, and give names up until the old ones are not better.

    Names act on each other: two columns may come to look alike, and a prompt changes for every question (EGRefine,
    remark 3). While fewer answers are right than under the old names, the name goes whose own questions lost most; if
    none lost any, the one with the least gain. `choices` hold the chosen name of each place with its gain.
    """
    judged = [n for n in numbers if n not in court.unjudged]
    cells = court.cells(judged)
    left = [choice for choice in choices if choice.names]
    resolved = resolve_conflicts(schema, left)
    first = last = flips(court, cells, resolved.refinement)
    dropped: dict[Place, str] = {}
    while last.net < 0 and left:
        worst = min(left, key=lambda choice: (_own(court, cells, last, choice, resolved), choice.names[0][1]))
        lost = _own(court, cells, last, worst, resolved)
        reason = f"its own questions lost {-lost} answers" if lost < 0 else "it gained least"
        dropped[worst.place] = f"all names together lost {-last.net} of {last.answers} answers, and {reason}"
        left.remove(worst)
        resolved = resolve_conflicts(schema, left)
        last = flips(court, cells, resolved.refinement)
    return JointCheck(resolved, len(judged), first, last, dropped)


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


def _own(court: Court, cells: Sequence[Cell], found: Flips, choice: Choice, resolved: Resolved) -> int:
    """Net flips among the questions that read the place, or a column that has its name from it."""
    places = {choice.place}
    while True:
        more = {place for place, key in resolved.inherited.items() if key in places} - places
        if not more:
            break
        places |= more
    reading = {id(court.examples[number]) for number in court.index.of_all(places)}

    def count(positions: Sequence[int]) -> int:
        return sum(id(cells[position].example) in reading for position in positions)

    return count(found.repaired) - count(found.broken)
