"""All arms of ReFoRCE, and zero_shot, on the warehouse: python benchmarks/warehouse_arms.py RUNS [--limit N]

Each arm is a run of `dragoman bench run --dataset warehouse` in a folder of its own below RUNS; started again, every
run goes on where it stood, and what is complete is only read. Prints a table: answers right, and by question model
calls, executions, tokens and the seconds that were waited for. What is not known here goes to the runs of ReFoRCE, for
example `--parameter votes=3`.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import mean

from dragoman.bench.run import read_lines, read_run_times
from dragoman.demo.warehouse import needs_exploration
from dragoman.metrics import Verdict
from dragoman.models import Usage
from dragoman.workflows.reforce import ARMS

BASE: dict[str, list[str]] = {"zero_shot": ["--method", "zero_shot"], "reforce": ["--method", "reforce"]}
EVERY = {**BASE, **{arm: ["--method", "reforce", "--arm", arm] for arm in ARMS}}
"""Name of an arm -> its options of `bench run`."""


def run(arm: str, out: Path, options: Sequence[str]) -> None:
    """Run one arm, or go on with it."""
    words = ["bench", "run", "--dataset", "warehouse", "--out", str(out), "--workers", "1", *EVERY[arm], *options]
    print(f"{arm}: dragoman {' '.join(words)}", file=sys.stderr, flush=True)
    if subprocess.run([sys.executable, "-m", "dragoman", *words], check=False).returncode not in (0, 1):
        raise SystemExit(f"The arm {arm} could not be run.")


def page(folders: Sequence[tuple[str, Path]]) -> Iterator[str]:
    """The lines of the table, an arm a line."""
    explored = needs_exploration()
    yield "| arm | questions | right | right of those that need exploration | calls | executions | tokens (K) | s |"
    yield "|---|---|---|---|---|---|---|---|"
    for arm, folder in folders:
        lines = read_lines(folder)
        seconds = mean(times.seconds for times in read_run_times(folder).values())
        used = [sum(line.usage.values(), Usage()) for line in lines]
        right = [line.verdict == Verdict.CORRECT.value for line in lines]
        hard = [is_right for is_right, line in zip(right, lines, strict=True) if line.id in explored]
        ran = mean(sum(stage.executions for stage in line.stages) or 1 for line in lines)
        tokens = mean(usage.prompt_tokens + usage.completion_tokens for usage in used) / 1000
        yield (
            f"| {arm} | {len(lines)} | {sum(right)} | {sum(hard)} of {len(hard)} | {mean(u.calls for u in used):.1f} "
            f"| {ran:.1f} | {tokens:.1f} | {seconds:.1f} |"
        )


def main() -> None:
    """Run what is not complete, then print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", type=Path)
    parser.add_argument("--arms", help=f"some of {', '.join(EVERY)}")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--model", default="embedded")
    given, more = parser.parse_known_args()
    arms = given.arms.split(",") if given.arms else list(EVERY)
    options = ["--model", given.model, *(["--limit", str(given.limit)] if given.limit else [])]
    for arm in arms:
        run(arm, given.runs / arm, options if arm == "zero_shot" else [*options, *more])
    print("\n".join(page([(arm, given.runs / arm) for arm in arms])))


if __name__ == "__main__":
    main()
