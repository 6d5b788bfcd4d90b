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
from dragoman.statistics import Interval, wilson


@dataclass(frozen=True, slots=True)
class Bounds:
    """A refinement is declined where the baseline's accuracy is below `least_upper` even at the top of its interval.

    A verifier that fails nearly everything fails for reasons other than names (the paper's BEAVER), and its flips are
    noise. At most `sample` questions are asked, drawn by `seed`; their answers are used again in verification. Of 40
    answers none right is the most that declines with the interval of 95 %.
    """

    sample: int = 40
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
    sample = sorted(Random(bounds.seed).sample(judged, min(bounds.sample, len(judged))))
    found = _baseline(court, sample)
    right, asked = (sum(numbers) for numbers in zip(*found.values(), strict=True))
    if not asked:
        return Applicability("the verifiers gave no answer that could be scored", None, found, *about)
    accuracy = wilson(right, asked, bounds.level)
    reason = ""
    if accuracy.high < bounds.least_upper:
        reason = (
            f"the verifiers answer {right} of {asked} right under the old names, at most {accuracy.high:.1%} of such "
            f"questions, and below {bounds.least_upper:.0%} flips say nothing about names"
        )
    return Applicability(reason, accuracy, found, *about)


def _baseline(court: Court, numbers: Sequence[int]) -> dict[str, tuple[int, int]]:
    cells = court.cells(numbers)
    verdicts = court.trials.ask(Refinement(), cells)
    found: dict[str, tuple[int, int]] = {}
    for number, verifier in enumerate(court.trials.verifiers):
        own = [v for cell, v in zip(cells, verdicts, strict=True) if cell.verifier == number and v is not None]
        found[verifier.name] = (sum(v.correct for v in own), len(own))
    return found


def _level(sql: str, dialect: str) -> str:
    try:
        return str(hardness(sql, dialect))
    except Unreadable:
        return "unread"
