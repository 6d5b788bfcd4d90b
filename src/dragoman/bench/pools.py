"""What the candidates of a run are worth beside what was selected from them (DivSkill-SQL, section 4)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from dragoman.bench.accuracy import is_right, is_scored
from dragoman.bench.line import Line, Slot
from dragoman.metrics import Verdict
from dragoman.statistics import Pool, density, mean_pass_at_k, pass_curve


@dataclass(frozen=True, slots=True)
class Pools:
    """Pools of scored lines; a line without candidates is a pool of its one answer. Shares are 0 to 1.

    `pass_at_1` is the mean accuracy of single candidates, `oracle` the share of pools with a right one (Pass@K),
    `selected` the accuracy of what was chosen. Neither of the first two looks at the choice.
    """

    size: int
    pools: int
    curve: tuple[float, ...]
    selected: float
    density: dict[tuple[int, int], float]
    repeated_slots: float

    @property
    def pass_at_1(self) -> float:
        return self.curve[0]

    @property
    def oracle(self) -> float:
        return self.curve[-1]

    @property
    def gap(self) -> float:
        """What a perfect choice would add to the one made."""
        return self.oracle - self.selected


@dataclass(frozen=True, slots=True)
class Slips:
    """How often a kind of mistake occurs: pools with one, pools with one that also hold a right candidate, slots."""

    pools: int
    solvable_pools: int
    slots: int


def pools(lines: Sequence[Line]) -> Pools | None:
    """Pools of the scored lines; None where nothing is scored."""
    scored = [line for line in lines if is_scored(line)]
    if not scored:
        return None
    counts = pool_counts(scored)
    size = max(size for _, size in counts)
    slots = sum(size for _, size in counts)
    different = sum(len({slot.sql for slot in slots_of(line)}) for line in scored)
    return Pools(
        size=size,
        pools=len(scored),
        curve=pass_curve(counts),
        selected=sum(map(is_right, scored)) / len(scored),
        density=density((right for right, _ in counts), size),
        repeated_slots=1 - different / slots,
    )


def pool_counts(lines: Sequence[Line]) -> list[Pool]:
    """(right candidates, candidates) of each line."""
    return [(sum(slot.verdict == Verdict.CORRECT for slot in slots), len(slots)) for slots in map(slots_of, lines)]


def is_solvable(line: Line) -> bool:
    """Whether the line's pool holds a right candidate."""
    return any(slot.verdict == Verdict.CORRECT for slot in slots_of(line))


def slots_of(line: Line) -> tuple[Slot, ...]:
    """The candidates of a line; its answer where it has none."""
    alone = Slot(line.sql, line.verdict, "", line.invalid_reference, line.missing_function)
    return line.slots or (alone,)


def slips(lines: Sequence[Line], is_slip: Callable[[Slot], bool]) -> Slips:
    """Counts over the scored lines' pools."""
    found = [(line, sum(map(is_slip, slots_of(line)))) for line in lines if is_scored(line)]
    hit = [(line, number) for line, number in found if number]
    return Slips(len(hit), sum(is_solvable(line) for line, _ in hit), sum(number for _, number in hit))


def pass_at(lines: Sequence[Line], k: int) -> float:
    """Pass@k over the scored lines, 0 to 1."""
    return mean_pass_at_k(pool_counts([line for line in lines if is_scored(line)]), k)
