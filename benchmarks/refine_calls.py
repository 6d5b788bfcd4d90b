"""How many answers the race saves against asking everything, at identical decisions.

    python benchmarks/refine_calls.py [--runs N] [--seed S]     writes benchmarks/results/refine_calls.md

The tables of verdicts are drawn as verifiers behave, since no table of real ones is at hand at this size. A column is
read by a number of questions drawn from the skewed counts that Spider's gold queries show (`--spider` reads them
from its development set; without it the demo's are used). Every question has a difficulty that all names
share: the share of right answers under the old name is drawn around the baseline. A name flips answers in two ways. It
repairs, with the probability of its kind, what the old name failed, and breaks what it did not: of the proposed names
some help (they repair 45 % and break 2 %), most change little (repair 8 %, break 5 %), and some hurt (repair 4 %,
break 25 %). There are two mixes. Where few help, 5, 70 and 25 % of the names are of these kinds: with about 70 % right
under the old names that renames about as many columns as EGRefine's table of the coverage has (81 of 665); where many
help, 25, 50 and 25 %. Verifiers agree on a question in 70 % of their draws. The order of names is
that of a proposer that puts a helping name first twice as often as chance.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from random import Random

from dragoman.databases import connect
from dragoman.demo import open_demo
from dragoman.demo.workload import workload
from dragoman.models.embedded.cache_folder import cache_folder
from dragoman.questions import Example, Question
from dragoman.refine.query_index import query_index
from dragoman.refine.race import exhaustive, race
from dragoman.refine.threshold import Threshold

RESULTS = Path(__file__).with_name("results")
KINDS = {"helps": (0.45, 0.02), "changes little": (0.08, 0.05), "hurts": (0.04, 0.25)}
MIXES = {"few": (5, 70, 25), "many": (25, 50, 25)}
AGREE = 0.7
NAMES, VERIFIERS = 3, 2
HEADING = (
    "| names that help | right under the old name | columns | renamed | same decision | answers, all asked | raced "
    "| saved | new names alone | old answers asked once |"
)


@dataclass
class Counts:
    """Answers by schedule, over many columns. `same` counts equal decisions, `changed` those that rename."""

    columns: int = 0
    every: int = 0
    raced: int = 0
    new: int = 0
    new_raced: int = 0
    same: int = 0
    changed: int = 0


def workload_sizes(spider: Path | None) -> tuple[list[int], int]:
    """(how many questions read a column, for every column that one reads; how many questions read any)."""
    sizes: list[int] = []
    distinct = 0
    sets: list[tuple[Path, list[Example]]] = [(open_demo(cache_folder()), list(workload()))]
    if spider is not None:
        where = next(spider.rglob("concert_singer.sqlite")).parents[1]
        by_name: dict[str, list[Example]] = {}
        for record in json.loads((spider / "dev.json").read_text()):
            by_name.setdefault(record["db_id"], []).append(Example(Question(record["question"]), record["query"]))
        sets = [(where / name / f"{name}.sqlite", examples) for name, examples in by_name.items()]
    for path, examples in sets:
        database = connect(str(path))
        index = query_index(examples, database.schema())
        columns = [numbers for (_, column), numbers in index.questions.items() if column]
        sizes += map(len, columns)
        distinct += len({number for numbers in columns for number in numbers})
        database.close()
    return sizes, distinct


def table(random: Random, questions: int, baseline: float, verifiers: int, shares: Sequence[int]) -> list[list[bool]]:
    """Verdicts of the old name and of each new one; cell = verifier * questions + question."""
    easy = [random.random() < baseline for _ in range(questions)]
    old = [
        easy[q] if random.random() < AGREE else random.random() < baseline
        for _ in range(verifiers)
        for q in range(questions)
    ]
    kinds = random.choices(list(KINDS), shares, k=NAMES)
    if "helps" in kinds and random.random() < 1 / 3:
        kinds.insert(0, kinds.pop(kinds.index("helps")))
    rows = [old]
    for kind in kinds:
        repair, spoil = KINDS[kind]
        fate = [random.random() for _ in range(questions)]
        row = []
        for cell, right in enumerate(old):
            luck = fate[cell % questions] if random.random() < AGREE else random.random()
            row.append(luck >= spoil if right else luck < repair)
        rows.append(row)
    return rows


def schedule(random: Random, sizes: Sequence[int], baseline: float, shares: Sequence[int], runs: int) -> Counts:
    counts, threshold = Counts(), Threshold()
    for _ in range(runs):
        questions = random.choice(sizes)
        if questions < threshold.least_questions:
            continue
        rows = table(random, questions, baseline, VERIFIERS, shares)
        cells = len(rows[0])
        need = threshold.need(cells, questions)

        def ask(name: int, wanted: Sequence[int], rows: list[list[bool]] = rows) -> list[bool | None]:
            return [rows[name][cell] for cell in wanted]

        outcome = race(range(1, NAMES + 1), cells, need, ask)
        asked = sum(len(standing.answers) for name, standing in outcome.standings.items() if name)
        counts.columns += 1
        counts.every += cells * (NAMES + 1)
        counts.raced += cells + asked
        counts.new += cells * NAMES
        counts.new_raced += asked
        counts.same += outcome.winner == exhaustive(range(1, NAMES + 1), cells, need, ask)
        counts.changed += outcome.winner > 0
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--spider", type=Path, help="folder that holds dev.json and the databases")
    given = parser.parse_args()
    sizes, distinct = workload_sizes(given.spider)
    shared = f"{sum(sizes):,} readings of {len(sizes):,} columns by {distinct:,} questions"
    lines = [
        HEADING,
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for mix, baseline in product(MIXES, (0.2, 0.35, 0.5, 0.65, 0.7, 0.8)):
        found = schedule(Random(f"{given.seed} {mix} {baseline}"), sizes, baseline, MIXES[mix], given.runs)
        old = found.raced - found.new_raced
        once = old * distinct / sum(sizes)
        parts = ((found.raced, found.every), (found.new_raced, found.new), (once + found.new_raced, found.every))
        saved, new, both = (1 - few / many for few, many in parts)
        lines.append(
            f"| {mix} | {baseline:.0%} | {found.columns:,} | {found.changed:,} | {found.same / found.columns:.1%} "
            f"| {found.every:,} | {found.raced:,} | {saved:.1%} | {new:.1%} | {both:.1%} |"
        )
        print(lines[-1], flush=True)
    lines += ["", f"{VERIFIERS} verifiers, {NAMES} names, tau 0.05, 2 flips. Workload: {shared}."]
    (RESULTS / "refine_calls.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
