"""What the experiment would cost at most, before anything is asked."""

from __future__ import annotations

from dataclasses import dataclass

from experiments.egrefine.grounds import Ground
from experiments.egrefine.verifiers import SOLVERS

from dragoman.refine.propose import COUNT
from dragoman.refine.query_index import query_index
from dragoman.refine.screen import open_places, screen
from dragoman.refine.screen_by_rule import screen_by_rule
from dragoman.refine.subject import subjects

SETS_OF_NAMES = 6
"""Clean, degraded, unverified, those of either half, those of all questions."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Answers of one solver on one database: `arms` to measure, at most `verifying` to choose names."""

    name: str
    questions: int
    columns: int
    renamed: int
    screened: int
    arms: int
    verifying: int


def cost(ground: Ground) -> Cost:
    """At most so many; equal schemas are asked once, and the race stops early."""
    database, schema = ground.degraded, ground.degraded.schema()
    about = subjects(open_places(schema, tables=False), database, schema, "")
    kept = screen(schema, about, screen_by_rule(schema)).kept
    index = query_index(ground.examples, schema)
    reading = sum(len(index.of(place)) for place in kept)
    columns = sum(len(table.columns) for table in schema)
    asked = len(ground.examples)
    return Cost(ground.name, asked, columns, len(ground.renamed), len(kept), SETS_OF_NAMES * asked, COUNT * reading)


def plan_lines(costs: list[Cost]) -> list[str]:
    """The plan as text, one line a database and the sum."""
    lines = ["database: questions, columns (renamed, screened in), answers a solver to measure + to choose names"]
    lines += [
        f"{c.name}: {c.questions}, {c.columns} ({c.renamed}, {c.screened}), {c.arms} + {c.verifying}" for c in costs
    ]
    answers = sum(c.arms + c.verifying for c in costs)
    drawn = max(SOLVERS.values()) - 1
    lines.append(f"At most {answers:,} greedy decodings and {drawn * answers:,} drawn ones, the latter side by side.")
    return lines
