"""Finds the name that wins with as few answers as the decision needs; it equals the exhaustive one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

Ask = Callable[[int, Sequence[int]], Sequence[bool | None]]
"""(name, cells) -> whether each answer is right, None where it cannot be scored. Name 0 is the original.

A cell is one question put to one verifier; a batch may be asked in any order and at once.
"""


@dataclass(slots=True)
class Standing:
    """What is known of a name: the cells it repairs where the original fails, and those it breaks where it does not.

    `lost` says why it can no longer win, "" while it may.
    """

    answers: dict[int, bool] = field(default_factory=dict)
    repaired: list[int] = field(default_factory=list)
    broken: list[int] = field(default_factory=list)
    lost: str = ""

    @property
    def gain(self) -> int:
        """Repaired minus broken, of what was asked."""
        return len(self.repaired) - len(self.broken)


@dataclass(frozen=True, slots=True)
class Outcome:
    """`winner` is the number of the name that wins, 0 for the original. `standings` holds every name that was asked.

    The winner is always asked in full, so that its gain is exact. `abstained` says why nothing could be decided.
    """

    winner: int
    standings: Mapping[int, Standing]
    abstained: str = ""

    @property
    def asked(self) -> int:
        """How many answers the decision took, the original's own included."""
        return sum(len(standing.answers) for standing in self.standings.values())


UNSCORED = "not every answer could be scored"
TOO_FEW = "it repairs too little"
TOO_MANY_BROKEN = "it breaks too much"
BEHIND = "another name is better"


def race(candidates: Sequence[int], cells: int, need: int, ask: Ask) -> Outcome:
    """Race the candidates, numbers in their order of rank, over `cells` cells against the original.

    A candidate wins that gets at least `need` more cells right than the original, more than every other, and the
    first of equals. The original is asked everything first (its answers serve all columns). Then each candidate gets
    the cells that the original fails, for they alone can gain, until it could not gain `need` with all that are left;
    those that remain get the other cells, the most promising first, until they have lost too much to win. A batch is
    as large as the least number of cells that could settle a candidate, so that nothing is asked in vain by asking
    several at once, and what is asked does not depend on how many are.
    """
    standings: dict[int, Standing] = {0: Standing()}
    original = ask(0, range(cells))
    if any(answer is None for answer in original):
        return Outcome(0, standings, "the answers under the original name could not be scored")
    standings[0].answers = {cell: bool(answer) for cell, answer in enumerate(original)}
    wrong = [cell for cell in range(cells) if not original[cell]]
    right = [cell for cell in range(cells) if original[cell]]
    if len(wrong) < need:
        return Outcome(0, standings)
    alive = []
    for name in candidates:
        standing = standings[name] = Standing()
        repaired = [sum(cell in s.repaired for s in standings.values()) for cell in range(cells)]
        _repairs(name, standing, sorted(wrong, key=lambda cell: repaired[cell]), need, ask)
        if not standing.lost:
            alive.append(name)
    best: tuple[int, int] | None = None
    rank = {name: place for place, name in enumerate(candidates)}
    for name in sorted(alive, key=lambda n: (-standings[n].gain, rank[n])):
        least = need if best is None else max(need, best[0] + (rank[name] > best[1]))
        broken = [sum(cell in s.broken for s in standings.values()) for cell in range(cells)]
        _breaks(name, standings[name], sorted(right, key=lambda cell: -broken[cell]), least, ask)
        if not standings[name].lost:
            if best is not None:
                standings[candidates[best[1]]].lost = BEHIND
            best = (standings[name].gain, rank[name])
        elif best is not None and standings[name].gain >= need and standings[name].lost != UNSCORED:
            standings[name].lost = BEHIND
    return Outcome(0 if best is None else candidates[best[1]], standings)


def exhaustive(candidates: Sequence[int], cells: int, need: int, ask: Ask) -> int:
    """The number of the name that wins where every name is asked everything; 0 for the original."""
    original = ask(0, range(cells))
    if any(answer is None for answer in original):
        return 0
    winner, best = 0, need - 1
    for name in candidates:
        answers = ask(name, range(cells))
        gain = sum(map(bool, answers)) - sum(map(bool, original))
        if gain > best and None not in answers:
            winner, best = name, gain
    return winner


def _repairs(name: int, standing: Standing, cells: Sequence[int], need: int, ask: Ask) -> None:
    """Ask what the original fails, until too little is left to gain `need`."""
    asked = 0
    while asked < len(cells):
        spare = standing.gain + len(cells) - asked - need
        if spare < 0:
            standing.lost = TOO_FEW
            return
        batch = cells[asked : asked + spare + 1]
        asked += len(batch)
        for cell, answer in zip(batch, ask(name, batch), strict=True):
            _note(standing, cell, answer)
            if answer:
                standing.repaired.append(cell)
        if standing.lost:
            return
    if standing.gain < need:
        standing.lost = TOO_FEW


def _breaks(name: int, standing: Standing, cells: Sequence[int], least: int, ask: Ask) -> None:
    """Ask what the original gets right, until less than `least` is left of the gain."""
    asked = 0
    while True:
        spare = standing.gain - least
        if spare < 0:
            standing.lost = TOO_MANY_BROKEN
            return
        batch = cells[asked : asked + spare + 1]
        if not batch:
            return
        asked += len(batch)
        for cell, answer in zip(batch, ask(name, batch), strict=True):
            _note(standing, cell, answer)
            if answer is False:
                standing.broken.append(cell)
        if standing.lost:
            return


def _note(standing: Standing, cell: int, answer: bool | None) -> None:
    if answer is None:
        standing.lost = UNSCORED
    else:
        standing.answers[cell] = answer
