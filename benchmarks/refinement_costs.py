"""What refinement costs, from stored runs: python benchmarks/refinement_costs.py RUN [RUN ...] [--out FILE]

Model calls, executions and tokens of a candidate by the number of queries that it tried, without and with column
exploration, as in tables 6 and 7 of ReFoRCE (arXiv 2502.00675). RUN is the folder of a run of the method reforce, made
with `dragoman bench run --method reforce --out RUN`. Several runs are counted together.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

from dragoman.bench.line import Line
from dragoman.bench.provenance import read_run
from dragoman.bench.refinement_costs import candidate_costs, refinement_section
from dragoman.bench.run import read_lines
from dragoman.report import Report, markdown


def page(runs: Sequence[Path], lines: Sequence[Line]) -> Iterator[str]:
    """The lines of the result."""
    section = refinement_section(lines)
    if section is None:
        raise SystemExit("No candidate was refined in these runs. Run with --method reforce.")
    costs = candidate_costs(lines)
    summary = (
        f"{len(lines):,} questions, {len(costs):,} candidates, of which {sum(cost.explored for cost in costs):,} were "
        f"explored for; {', '.join(sorted(map(_asked, runs)))}."
    )
    yield markdown(Report("What refinement costs", summary, (section,)))


def _asked(run: Path) -> str:
    record = read_run(run)
    asked = record["asked"]
    arm = f", arm {asked['arm']}" if asked.get("arm") else ""
    return f"{record['dataset']['name']} by {asked['model']}{arm}"


def main() -> None:
    """Print the page, or write it."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("runs", nargs="+", type=Path, metavar="RUN")
    arguments.add_argument("--out", type=Path, metavar="FILE")
    given = arguments.parse_args()
    text = "\n".join(page(given.runs, [line for run in given.runs for line in read_lines(run)]))
    if given.out:
        given.out.write_text(text, encoding="utf-8")
    else:
        print(text)


if __name__ == "__main__":
    main()
