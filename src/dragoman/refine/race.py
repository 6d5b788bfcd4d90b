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

    `failed` and `right` are the cells still to be asked, of those that the original fails and of the others. `lost`
    says why the name did not win, "" for the one that did.
    """

    answers: dict[int, bool] = field(default_factory=dict)
    repaired: list[int] = field(default_factory=list)
    broken: list[int] = field(default_factory=list)
    failed: list[int] = field(default_factory=list)
    right: list[int] = field(default_factory=list)
    lost: str = ""

    @property
    def gain(self) -> int:
        """Repaired minus broken, of what was asked."""
        return len(self.repaired) - len(self.broken)

    @property
    def most(self) -> int:
        """The gain if all that is still to be asked turned out well."""
        return self.gain + len(self.failed)


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


def race(candidates: Sequence[int], cells: int, need: int, ask: Ask, at_once: int = 1) -> Outcome:
    """Race the candidates, numbers in their order of rank, over `cells` cells against the original.

    A candidate wins that gets at least `need` more cells right than the original, more than every other, and the
    first of equals. The original is asked everything first (its answers serve all columns). Then it is always the
    candidate that could gain most which is asked next: first what the original fails, for that alone can gain, then
    the rest. Who could not gain `need` any more is out, and when the one in front has been asked everything, nobody
    can catch up. So no answer is asked for that the decision could do without, but for those that `at_once`, the least
    number of cells in a batch, brings along. What is asked depends on the answers alone.
    """
    standings: dict[int, Standing] = {0: Standing()}
    original = ask(0, range(cells))
    if any(answer is None for answer in original):
        return Outcome(0, standings, "the answers under the original name could not be scored")
    standings[0].answers = {cell: bool(answer) for cell, answer in enumerate(original)}
    failed = [cell for cell in range(cells) if not original[cell]]
    if len(failed) < need:
        return Outcome(0, standings)
    right = [cell for cell in range(cells) if original[cell]]
    standings |= {name: Standing(failed=list(failed), right=list(right)) for name in candidates}
    rank = {name: place for place, name in enumerate(candidates)}
    while True:
        running = [name for name in candidates if not standings[name].lost and standings[name].most >= need]
        if not running:
            return _ended(0, standings, need)
        first = min(running, key=lambda name: (-standings[name].most, rank[name]))
        standing = standings[first]
        if not standing.failed and not standing.right:
            return _ended(first, standings, need)
        ahead = max((standings[n].most + (rank[n] < rank[first]) for n in running if n != first), default=need)
        batch = max(at_once, standing.most - max(need, ahead) + 1)
        _ask_next(first, standings, batch, ask)


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


def _ask_next(name: int, standings: Mapping[int, Standing], batch: int, ask: Ask) -> None:
    """Ask a name its next cells: those that no name has repaired yet, or that others broke, for they decide soonest."""
    standing = standings[name]
    others = [other for other in standings.values() if other is not standing]
    if standing.failed:
        standing.failed.sort(key=lambda cell: (sum(cell in other.repaired for other in others), cell))
        wanted, standing.failed = standing.failed[:batch], standing.failed[batch:]
    else:
        standing.right.sort(key=lambda cell: (-sum(cell in other.broken for other in others), cell))
        wanted, standing.right = standing.right[:batch], standing.right[batch:]
    before = standings[0].answers
    for cell, answer in zip(wanted, ask(name, wanted), strict=True):
        if answer is None:
            standing.lost = UNSCORED
            continue
        standing.answers[cell] = answer
        if answer and not before[cell]:
            standing.repaired.append(cell)
        if before[cell] and not answer:
            standing.broken.append(cell)


def _ended(winner: int, standings: dict[int, Standing], need: int) -> Outcome:
    """The outcome, with the reason for every name that lost."""
    for name, standing in standings.items():
        if name and name != winner and not standing.lost:
            too_little = TOO_MANY_BROKEN if standing.broken else TOO_FEW
            standing.lost = too_little if standing.most < need else BEHIND
    return Outcome(winner, standings)
