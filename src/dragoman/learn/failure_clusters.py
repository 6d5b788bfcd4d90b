"""What the failures of a run have in common."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from dragoman.bench.accuracy import is_right, is_scored
from dragoman.bench.line import Line
from dragoman.bench.pools import is_solvable
from dragoman.errors import Unreadable
from dragoman.metrics import Verdict
from dragoman.sql.shape import Shape, shape

Traits = frozenset[str]

COUNTED = ("selected", "tables", "aggregates", "filters", "groups")
PRESENT = ("distinct", "window", "set_operation", "subquery", "ordered", "limited")
EXECUTIONS = frozenset({"draft_execute", "intermediate_execute", "repair"})
WORDS = {
    "selected": "columns in its result",
    "tables": "tables",
    "aggregates": "aggregates",
    "filters": "conditions",
    "groups": "grouping columns",
    "distinct": "removal of duplicates",
    "window": "window function",
    "set_operation": "set operation",
    "subquery": "subquery",
    "ordered": "ordering",
    "limited": "limit on rows",
}
"""How a difference between two queries is said without SQL's own words."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """Failures that are alike. `shared` are traits of at least half of them, the most frequent first."""

    lines: tuple[Line, ...]
    shared: tuple[str, ...]


def failure_clusters(lines: Sequence[Line], most: int, least: int = 2) -> tuple[Cluster, ...]:
    """Up to `most` clusters of at least `least` failures each, the largest first, in a fixed order.

    Failures are joined by the likeness of their traits (Jaccard, average linkage) until no two clusters share half of
    what they have; so one cause that shows in several ways stays in one cluster.
    """
    failed = [line for line in lines if is_scored(line) and not is_right(line)]
    groups: dict[Traits, list[Line]] = {}
    for line in failed:
        groups.setdefault(traits(line), []).append(line)
    clusters = [[(found, members)] for found, members in sorted(groups.items(), key=lambda item: sorted(item[0]))]
    while (pair := _nearest(clusters)) is not None:
        one, other = pair
        clusters[one] += clusters.pop(other)
    made = [_cluster(parts) for parts in clusters]
    large = [cluster for cluster in made if len(cluster.lines) >= least]
    return tuple(sorted(large, key=lambda c: (-len(c.lines), c.shared)))[:most]


def traits(line: Line) -> Traits:
    """What can be said of a failed answer in plain words: how it failed, how its form differs, what was not done."""
    found = {f"verdict: {line.verdict.replace('_', ' ')}"}
    if line.verdict == Verdict.WRONG:
        found |= _differences(line.gold, line.sql, line.dialect)
    if line.invalid_reference:
        found.add("it names something that is not there")
    if len(line.slots) > 1 and is_solvable(line):
        found.add("another candidate was right")
    actions = {action for slot in line.slots if slot.sql == line.sql for action in slot.actions}
    if actions:
        if not actions & EXECUTIONS:
            found.add("nothing like it was run before it was submitted")
        if "value_probe" not in actions:
            found.add("no values were looked at")
    return frozenset(found)


def _differences(gold: str, sql: str, dialect: str) -> set[str]:
    try:
        right, wrong = shape(gold, dialect), shape(sql, dialect)
    except Unreadable:
        return set()
    found = {f"{_more(right, wrong, name)} {WORDS[name]}" for name in COUNTED if _more(right, wrong, name)}
    for name in PRESENT:
        if getattr(right, name) != getattr(wrong, name):
            found.add(f"{'a missing' if getattr(right, name) else 'a needless'} {WORDS[name]}")
    return found or {"the right form, with other columns, values or joins"}


def _more(right: Shape, wrong: Shape, name: str) -> str:
    difference = getattr(wrong, name) - getattr(right, name)
    return "" if not difference else "too many" if difference > 0 else "too few"


def _nearest(clusters: Sequence[list[tuple[Traits, list[Line]]]]) -> tuple[int, int] | None:
    """The places of the two clusters that are most alike, None where no two share half of their traits."""
    best = max(
        (
            (_likeness(clusters[i], clusters[j]), -i, -j)
            for i in range(len(clusters))
            for j in range(i + 1, len(clusters))
        ),
        default=(0.0, 0, 0),
    )
    return (-best[1], -best[2]) if best[0] >= 0.5 else None


def _likeness(one: list[tuple[Traits, list[Line]]], other: list[tuple[Traits, list[Line]]]) -> float:
    pairs = [(len(a & b) / len(a | b), len(x) * len(y)) for a, x in one for b, y in other]
    return sum(value * weight for value, weight in pairs) / sum(weight for _, weight in pairs)


def _cluster(parts: list[tuple[Traits, list[Line]]]) -> Cluster:
    lines = tuple(sorted((line for _, members in parts for line in members), key=lambda line: line.key))
    counts = Counter(trait for found, members in parts for trait in found for _ in members)
    shared = [t for t, n in sorted(counts.items(), key=lambda item: (-item[1], item[0])) if 2 * n >= len(lines)]
    return Cluster(lines, tuple(shared))
