"""What renaming gained by the share of columns renamed, in our own runs: python -m experiments.egrefine.slope FOLDER...

A run is one half of one database: names that the other half chose, measured on this one, by every solver. The two
halves of a database share no question, but their schema, so they are not as independent as two databases. Runs that
renamed nothing gain nothing by definition and say nothing about the slope, but they count for the share of unclear
names that are kept. With --write the runs become those that `refine plan` expects by.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from experiments.egrefine.scores import Record, read_scores

from dragoman.refine.expected_gain import ENOUGH, Observation, expected_gain, write_observations

ARM = "refined"


def observations(folder: Path) -> list[Observation]:
    """The cross-fitted runs of the main stage in `folder`; those that declined are left out."""
    found = []
    for record in read_scores(folder, "main").records:
        runs = record["arms"][ARM]["runs"]
        found += [_of(record, which, folder.name) for which, run in enumerate(runs) if not run["declined"]]
    return found


def lines(runs: Sequence[Observation]) -> list[str]:
    """A table of the runs that renamed something, and what follows from all."""
    renaming = [run for run in runs if run.renamed]
    found = ["| Run | Columns | Screened in | Renamed | Answers | Gain, points |", "|---|--:|--:|--:|--:|--:|"]
    found += [
        f"| {r.source} | {r.columns} | {r.screened} | {r.renamed} | {r.answers} | {r.gain:+.1f} |" for r in renaming
    ]
    expected = expected_gain(runs)
    slope = f"{expected.slope:.2f} ({expected.low:.2f} to {expected.high:.2f})"
    found += [
        "",
        f"{len(renaming)} of {len(runs)} runs renamed something; {ENOUGH} are needed for a slope of our own.",
        f"Points for each per cent of columns renamed: {slope} ({expected.source}).",
        f"{expected.kept:.0%} of the unclear names are renamed.",
    ]
    return found


def _of(record: Record, which: int, folder: str) -> Observation:
    run, half = record["arms"][ARM]["runs"][which], record["halves"][which]
    before, after = record["arms"]["degraded"]["verdicts"], record["arms"][ARM]["verdicts"]
    answers = len(half) * len(before)
    net = sum(after[solver][question] - before[solver][question] for solver in before for question in half)
    source = f"{folder} {record['database']} {which + 1}"
    return Observation(source, run["columns"], run["screened"], run["refined"], answers, 100 * net / answers)


def main() -> None:
    """Print, and write if asked to."""
    parser = argparse.ArgumentParser(prog="python -m experiments.egrefine.slope", description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--write", type=Path, metavar="FILE", help="The package's gains/observations.json.")
    given = parser.parse_args()
    runs = [run for folder in given.folders for run in observations(folder)]
    print("\n".join(lines(runs)))
    if given.write:
        write_observations(runs, given.write)


if __name__ == "__main__":
    main()
