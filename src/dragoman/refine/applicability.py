"""Is a refinement worth its calls here? Asked of a sample of the workload under the old names, before all else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from dragoman.errors import Unreadable
from dragoman.refine.contest import Court
from dragoman.refine.refinement import Refinement, tables_by_key
from dragoman.schema import Schema
from dragoman.sql.hardness import hardness
from dragoman.statistics import Interval, evidence_below, wilson


@dataclass(frozen=True, slots=True)
class Bounds:
    """A refinement is declined where the baseline's accuracy is below `least_upper` even at the top of its interval.

    A verifier that fails nearly everything fails for reasons other than names (the paper's BEAVER), and its flips are
    noise. At most `sample` questions are asked, drawn by `seed`; their answers are used again in verification. Of 40
    answers none right is the most that declines with the interval of 95 %.

    Asking ends early where the rest could not matter or would be wasted: `at_once` questions after the other, once
    `first` were asked and the interval would reach the limit with only wrong answers to come; and as soon as a test
    that may be looked at any time (`evidence_below`) refutes, at half of what `level` leaves, that the limit is
    reached.

    A plan, which asks nothing, says that it is pointless to begin where `least_gain` percentage points cannot be
    expected even if every unclear name were replaced.
    """

    sample: int = 40
    first: int = 20
    at_once: int = 4
    least_gain: float = 0.1
    least_upper: float = 0.10
    level: float = 0.95
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Applicability:
    """Whether to go on, with `reason` "" or why not.

    `accuracy` is that of all verifiers on the sample, `by_verifier` (right, asked) of each. `touched` of `columns`
    columns are read by some gold query. `hardness` counts the gold queries by Spider's levels, "unread" those that
    cannot be parsed. `unjudged` of `questions` questions cannot be judged.
    """

    reason: str
    accuracy: Interval | None
    by_verifier: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    touched: int = 0
    columns: int = 0
    questions: int = 0
    unjudged: int = 0
    hardness: Mapping[str, int] = field(default_factory=dict)

    @property
    def applies(self) -> bool:
        return not self.reason


def applicability(court: Court, schema: Schema, bounds: Bounds = Bounds()) -> Applicability:
    """Measure the baseline on a sample and describe the workload. No name is tried."""
    touched = sum(bool(place[1]) and bool(court.index.of(place)) for place in court.index.questions)
    columns = sum(len(table.columns) for table in tables_by_key(schema).values())
    levels = Counter(_level(example.sql, schema.dialect) for example in court.examples if example.sql)
    judged = [n for n in range(len(court.examples)) if n not in court.unjudged]
    about = (touched, columns, len(court.examples), len(court.unjudged), dict(sorted(levels.items())))
    if not judged:
        return Applicability("no gold query of the workload can be judged on this database", None, {}, *about)
    if not touched:
        return Applicability("no gold query of the workload reads a column of this database", None, {}, *about)
    sample = Random(bounds.seed).sample(judged, min(bounds.sample, len(judged)))
    found = _baseline(court, sample, bounds)
    right, asked = _total(found)
    if not asked:
        return Applicability("the verifiers gave no answer that could be scored", None, found, *about)
    accuracy = wilson(right, asked, bounds.level)
    reason = ""
    if accuracy.high < bounds.least_upper or _refuted(right, asked, bounds):
        reason = (
            f"the verifiers answer {right} of {asked} right under the old names, at most {accuracy.high:.1%} of such "
            f"questions, and below {bounds.least_upper:.0%} flips say nothing about names"
        )
    return Applicability(reason, accuracy, found, *about)


def _baseline(court: Court, sample: Sequence[int], bounds: Bounds) -> dict[str, tuple[int, int]]:
    """(right, asked) of each verifier, on as much of the sample as `bounds` needs."""
    found = {verifier.name: (0, 0) for verifier in court.trials.verifiers}
    whole = len(court.cells(sample))
    for start in range(0, len(sample), bounds.at_once):
        cells = court.cells(sorted(sample[start : start + bounds.at_once]))
        for cell, answer in zip(cells, court.right(Refinement(), cells), strict=True):
            if answer is not None:
                name = court.trials.verifiers[cell.verifier].name
                found[name] = (found[name][0] + answer, found[name][1] + 1)
        right, asked = _total(found)
        enough = start + bounds.at_once >= bounds.first
        if _refuted(right, asked, bounds) or (enough and wilson(right, whole, bounds.level).high >= bounds.least_upper):
            break
    return found


def _refuted(right: int, asked: int, bounds: Bounds) -> bool:
    if not 0 < bounds.least_upper < 1:
        return False
    return evidence_below(right, asked, bounds.least_upper) >= 2 / (1 - bounds.level)


def _total(found: Mapping[str, tuple[int, int]]) -> tuple[int, int]:
    return sum(right for right, _ in found.values()), sum(asked for _, asked in found.values())


def _level(sql: str, dialect: str) -> str:
    try:
        return str(hardness(sql, dialect))
    except Unreadable:
        return "unread"
