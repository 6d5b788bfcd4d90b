"""Seconds a question for 1, 3 and 7 candidates: python benchmarks/candidates.py --spider FOLDER [--questions N]

The embedded model answers N questions of Spider dev, five over each of N / 5 databases, and N of the demo, as `dragoman
ask --candidates K` does: cut the schema, read the prompt, decode the candidates side by side, execute them, vote.
Questions over one database follow each other; every row starts with a fresh model and no stored prompts, so the first
question over a database reads its schema. Seconds on the wall depend on what else runs; processor seconds hardly do.
The page goes to benchmarks/results/candidates.md.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from dragoman import compose
from dragoman.bench.dataset import Dataset
from dragoman.bench.datasets.demo import demo
from dragoman.bench.datasets.spider import spider
from dragoman.models import ModelsByRole
from dragoman.models.embedded import EmbeddedModel
from dragoman.models.embedded.cache_folder import cache_folder
from dragoman.models.embedded.threads import default_threads
from dragoman.questions import Example
from dragoman.solver import Answer, Draw

COUNTS = (1, 3, 7)
TOGETHER = 5
HEAD = (
    "| questions | candidates | seconds | processor seconds | tokens read | tokens written |",
    "|---|---:|---:|---:|---:|---:|",
)
PAGE = Path(__file__).parent / "results" / "candidates.md"


def rows(name: str, dataset: Dataset, examples: Sequence[Example]) -> Iterator[str]:
    """One row of the table for each number of candidates."""
    databases = {name: dataset.open(name) for name in dict.fromkeys(example.database for example in examples)}
    for count in COUNTS:
        settings = compose.SolverSettings(candidates=count, today="Monday, 2026-11-30 (UTC, UTC+0000)")
        with tempfile.TemporaryDirectory() as states, EmbeddedModel(states=Path(states)) as model:
            solver_for = compose.solver_for(settings, ModelsByRole(model))
            solvers = {name: solver_for(database) for name, database in databases.items()}
            wall, cpu = time.perf_counter(), time.process_time()
            answers = [solvers[example.database](example.question, Draw()) for example in examples]
            wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        yield _row(name, count, answers, wall, cpu)


def spread(dataset: Dataset, count: int) -> list[Example]:
    """`count` examples, `TOGETHER` of each of some databases."""
    by_database: dict[str, list[Example]] = {}
    for example in dataset.examples:
        by_database.setdefault(example.database, []).append(example)
    wanted = max(1, min(len(by_database), count // TOGETHER))
    chosen = list(by_database.values())[:: len(by_database) // wanted][:wanted]
    each = count // wanted
    return [example for found in chosen for example in found[:: max(1, len(found) // each)][:each]]


def _row(name: str, count: int, answers: Sequence[Answer], wall: float, cpu: float) -> str:
    read = sum(answer.usage.prompt_tokens - answer.usage.cached_tokens for answer in answers)
    written = sum(answer.usage.completion_tokens for answer in answers)
    cells = [f"{total / len(answers):.{places}f}" for total, places in ((wall, 2), (cpu, 2), (read, 0), (written, 0))]
    return f"| {name} ({len(answers)}) | {count} | {' | '.join(cells)} |"


def main() -> None:
    """Both sets, in an empty cache of states."""
    parser = argparse.ArgumentParser(description="Seconds a question by the number of candidates.")
    parser.add_argument("--spider", type=Path, required=True, help="folder with dev.json and database/")
    parser.add_argument("--questions", type=int, default=20)
    arguments = parser.parse_args()
    about = (
        f"`python benchmarks/candidates.py --questions {arguments.questions}`; {default_threads()} thread(s), "
        f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the beginning. Tokens are means a question."
    )
    page = ["# Seconds a question by the number of candidates", "", about, "", *HEAD]
    for dataset in (spider(arguments.spider, "dev"), demo(cache_folder())):
        for row in rows(dataset.name, dataset, spread(dataset, arguments.questions)):
            page.append(row)
            print(row, flush=True)
    PAGE.write_text("\n".join(page) + "\n", "utf-8")


if __name__ == "__main__":
    main()
