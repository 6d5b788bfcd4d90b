"""What the experiment would cost at most, before anything is asked."""

from __future__ import annotations

from dataclasses import dataclass

from experiments.egrefine.arms import original_names
from experiments.egrefine.grounds import Ground
from experiments.egrefine.verifiers import SOLVERS

from dragoman.refine.propose import COUNT
from dragoman.refine.query_index import query_index
from dragoman.refine.refinement import Place
from dragoman.refine.screen import open_places, screen
from dragoman.refine.screen_by_rule import screen_by_rule
from dragoman.refine.subject import subjects

SETS_OF_NAMES = 9
"""Clean, degraded, unverified, two by the paper's way, those of either half and of all questions, original ones."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Answers of one solver on one database: `arms` to measure, `verifying` names, `bundling` tables; all at most.

    `restorable` of the renamed columns are open to new names or follow a key that is; `out_of_reach` questions read
    another one.
    """

    name: str
    questions: int
    columns: int
    renamed: int
    screened: int
    arms: int
    verifying: int
    bundling: int
    restorable: int
    out_of_reach: int


def cost(ground: Ground) -> Cost:
    """An upper bound: equal schemas are asked once, the race stops early, and few tables win as a whole."""
    database, schema = ground.degraded, ground.degraded.schema()
    about = subjects(open_places(schema, tables=False), database, schema, "")
    kept = screen(schema, about, screen_by_rule(schema)).kept
    index = query_index(ground.examples, schema)
    reading = sum(len(index.of(place)) for place in kept)
    tables: dict[str, list[Place]] = {}
    for place in kept:
        tables.setdefault(place[0], []).append(place)
    bundling = sum((COUNT + len(own)) * len(index.of_all(own)) for own in tables.values())
    columns = sum(len(table.columns) for table in schema)
    asked = len(ground.examples)
    renamed, arms = len(ground.renamed), SETS_OF_NAMES * asked
    restored = original_names(ground).names[0].columns
    lost = [(table, new) for (table, _), new in ground.renamed.items() if (table, new) not in restored]
    out_of_reach = len(index.of_all(lost))
    verifying = COUNT * reading
    return Cost(ground.name, asked, columns, renamed, len(kept), arms, verifying, bundling, len(restored), out_of_reach)


def plan_lines(costs: list[Cost]) -> list[str]:
    """The plan as text, one line a database and the sum."""
    lines = ["database: questions, columns (renamed, screened in), answers a solver: to measure + names + tables"]
    for c in costs:
        asked = f"{c.arms} + {c.verifying} + {c.bundling}"
        lines.append(f"{c.name}: {c.questions}, {c.columns} ({c.renamed}, {c.screened}), {asked}")
    answers = sum(c.arms + c.verifying + c.bundling for c in costs)
    drawn = max(candidates for _, candidates in SOLVERS.values()) - 1
    lines.append(f"At most {answers:,} greedy decodings and {drawn * answers:,} drawn ones, the latter side by side.")
    renamed, restorable = sum(c.renamed for c in costs), sum(c.restorable for c in costs)
    questions, out_of_reach = sum(c.questions for c in costs), sum(c.out_of_reach for c in costs)
    back = f"{restorable} of {renamed} abbreviated columns can get their names back"
    lines.append(f"{back}; {out_of_reach} of {questions} questions read one that cannot.")
    return lines
