"""What renaming a share of a database's columns is expected to gain, from runs that were made."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from importlib import resources
from math import sqrt
from pathlib import Path
from statistics import NormalDist
from typing import Any

from dragoman.refine.refinement_file import read_refinement
from dragoman.refine.run_record import read_run

ENOUGH = 10
"""Runs of ours that renamed something, from which on their slope takes the place of the paper's."""
LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Observation:
    """One run: `renamed` of `columns` columns, which were `screened` in, and what it gained.

    `gain` is in percentage points of `answers` answers that were asked under the old and the new names. `in_loop` tells
    that the questions that chose the names also measured them.
    """

    source: str
    columns: int
    screened: int
    renamed: int
    answers: int
    gain: float
    in_loop: bool = False

    @property
    def touched(self) -> float:
        """The percentage of the columns that was renamed."""
        return 100 * self.renamed / self.columns


@dataclass(frozen=True, slots=True)
class Expected:
    """Percentage points gained for each per cent of columns renamed, between `low` and `high`; and `kept`, the share of
    screened columns that end up renamed. `source` says where that is from.
    """

    low: float
    slope: float
    high: float
    kept: float
    source: str

    def gain(self, columns: int, screened: int) -> tuple[float, float, float]:
        """(least, likely, most) percentage points: the most if all that was screened in were renamed."""
        share = 100 * screened / columns if columns else 0.0
        return self.low * self.kept * share, self.slope * self.kept * share, self.high * share


def shipped_runs() -> tuple[Observation, ...]:
    """The runs of our own that this package knows of (`experiments/egrefine`, cross-fitted)."""
    return tuple(Observation(**record) for record in _shipped()["ours"])


def expected_gain(own: Iterable[Observation] = (), known: Sequence[Observation] | None = None) -> Expected:
    """What is expected, from `known` runs (None for the shipped ones) and those given: the paper's until `ENOUGH`.

    Our slope is a line through the origin, by least squares weighed by the number of answers, over runs that renamed
    something, with an interval of 95 %; runs that measured themselves count only where no other is there.
    """
    runs = [*(shipped_runs() if known is None else known), *own]
    apart = [run for run in runs if not run.in_loop] or runs
    fitted = _fitted([run for run in apart if run.renamed and run.answers])
    if fitted:
        screened = sum(run.screened for run in apart)
        kept = sum(run.renamed for run in apart) / screened if screened else 0.0
        return Expected(*fitted, min(kept, 1.0), f"{len(apart)} runs of our own")
    paper = _shipped()["paper"]
    low, high = paper["slope"]
    return Expected(low, (low + high) / 2, high, paper["renamed"] / paper["screened"], paper["source"])


def observed(folders: Iterable[Path]) -> tuple[Observation, ...]:
    """What finished runs of `refine run` saw in their joint check. Runs that declined say nothing and are left out.

    Raises `SetupError` for a folder without a finished run.
    """
    found = []
    for folder in folders:
        record = read_run(folder)
        if record["joint"] is None or not record["joint"]["last"]["answers"]:
            continue
        file, flips = read_refinement(folder / "refinement.json"), record["joint"]["last"]
        found.append(
            Observation(
                folder.name,
                record["workload"]["columns"],
                sum(1 for name in file.records if name.place[1] and name.signals),
                len(file.refinement.columns),
                flips["answers"],
                100 * (flips["after"] - flips["before"]) / flips["answers"],
                record["joint"]["own_questions"],
            )
        )
    return tuple(found)


def write_observations(runs: Sequence[Observation], path: Path) -> None:
    """Write the runs as our own, beside the paper's figures, in the form in which the package keeps them."""
    text = json.dumps({**_shipped(), "ours": [asdict(run) for run in runs]}, indent=1)
    path.write_text(text + "\n", encoding="utf-8")


def _fitted(runs: Sequence[Observation]) -> tuple[float, float, float] | None:
    """(low, slope, high), None for fewer than `ENOUGH` runs."""
    if len(runs) < ENOUGH:
        return None
    weight = sum(run.answers * run.touched**2 for run in runs)
    slope = sum(run.answers * run.touched * run.gain for run in runs) / weight
    rest = sum(run.answers * (run.gain - slope * run.touched) ** 2 for run in runs) / (len(runs) - 1)
    half = NormalDist().inv_cdf((1 + LEVEL) / 2) * sqrt(rest / weight)
    return slope - half, slope, slope + half


def _shipped() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(
        resources.files("dragoman.refine").joinpath("gains/observations.json").read_text("utf-8")
    )
    return found
