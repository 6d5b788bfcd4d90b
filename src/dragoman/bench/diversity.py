"""How differently the agents of a run work: their actions, and how alike their trajectories are (DivSkill-SQL, 4.4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from dragoman.bench.line import Line
from dragoman.report import Cell, Column, Plot, Point, Section, Series, Table
from dragoman.statistics import pair_similarities, similarity_matrix

BINS = 10
Actions = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Diversity:
    """K agents over the examples. `runs` maps an agent to its actions by example, in the order of the pool.

    `matrix` is K x K: how alike two agents are on average over the examples that both worked on, from 0 to 1.
    `pairs` holds the likeness of every two agents on every such example.
    """

    runs: Mapping[str, Mapping[str, Actions]]
    matrix: tuple[tuple[float, ...], ...]
    pairs: tuple[float, ...]

    @property
    def mean(self) -> float:
        """The mean likeness of two different agents."""
        return sum(self.pairs) / len(self.pairs)

    @property
    def histogram(self) -> tuple[int, ...]:
        """Pairs in `BINS` bins of equal width from 0 to 1, the last with its upper end."""
        counts = Counter(min(int(value * BINS), BINS - 1) for value in self.pairs)
        return tuple(counts[n] for n in range(BINS))


def diversity(lines: Sequence[Line]) -> Diversity | None:
    """What the slots of these lines tell; None where fewer than two agents left their actions.

    Agents are the places of the pool. Where every pool has one candidate they are the repeats of the run, so that the
    same code measures how alike one agent is to itself.
    """
    single = all(len(line.slots) <= 1 for line in lines)
    found: dict[int, dict[str, Actions]] = {}
    sources: dict[int, str] = {}
    for line in lines:
        for place, slot in enumerate(line.slots):
            if slot.actions:
                seat = line.repeat if single else place
                example = line.id if single else f"{line.id} {line.repeat}"
                found.setdefault(seat, {})[example] = slot.actions
                sources.setdefault(seat, f"repeat {seat + 1}" if single else slot.source or "candidate")
    named = {name: found[seat] for seat, name in _names(sources).items()}
    pairs = [value for one, other in combinations(named.values(), 2) for value in pair_similarities(one, other)]
    return Diversity(named, similarity_matrix(named), tuple(pairs)) if pairs else None


def diversity_section(lines: Sequence[Line]) -> Section | None:
    """Actions, the K x K matrix and the histogram; None without two agents."""
    found = diversity(lines)
    if found is None:
        return None
    said = f"Two agents are {found.mean:.2f} alike on average: 1 minus the edit distance over the longer trajectory."
    return Section("Diversity of trajectories", (said, _actions(found), _matrix(found), _histogram(found)))


def _names(sources: Mapping[int, str]) -> dict[int, str]:
    """A name for every seat in order, with its number where several share a source."""
    shared = Counter(sources.values())
    return {seat: source if shared[source] == 1 else f"{source} {seat + 1}" for seat, source in sorted(sources.items())}


def _actions(found: Diversity) -> Table:
    counts = {
        name: Counter(a for actions in by_example.values() for a in actions) for name, by_example in found.runs.items()
    }
    words = [word for word, _ in sum(counts.values(), Counter[str]()).most_common()]
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (name, len(runs), counts[name].total() / len(runs), *(counts[name][word] / len(runs) for word in words))
        for name, runs in found.runs.items()
    )
    heads = (Column(word.replace("_", " "), ".1f") for word in words)
    columns = (Column("Agent"), Column("Examples"), Column("Actions", ".1f"), *heads)
    return Table("Actions an example", columns, rows)


def _matrix(found: Diversity) -> Table:
    rows: tuple[tuple[Cell, ...], ...] = tuple((name, *row) for name, row in zip(found.runs, found.matrix, strict=True))
    columns = (Column("Agent"), *(Column(name, ".2f") for name in found.runs))
    return Table("Likeness of two agents", columns, rows, "Over the examples that both worked on.")


def _histogram(found: Diversity) -> Plot:
    points = tuple(
        Point(f"{n / BINS:.1f} to {(n + 1) / BINS:.1f}", count / len(found.pairs))
        for n, count in enumerate(found.histogram)
    )
    note = f"{len(found.pairs):,} pairs of agents on one example."
    return Plot("Likeness of pairs", (Series("", points),), "bar", "likeness", "share of pairs", ".0%", note=note)
