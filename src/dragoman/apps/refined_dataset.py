"""A data set whose solvers see the names of a refinement, while gold queries run on the database as it is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from dragoman import compose
from dragoman.bench.dataset import Dataset
from dragoman.errors import SetupError
from dragoman.refine.refinement_file import read_refinement


def refined_dataset(settings: compose.SolverSettings, found: Dataset) -> Dataset:
    """`found` under `settings.refinement`, or as it is without one. Raises `SetupError` for several databases."""
    if not settings.refinement:
        return found
    asked = {example.database for example in found.examples}
    if len(asked) > 1:
        raise SetupError(
            f"A refinement is of one database, and these questions need {len(asked)}. Narrow the set."
        )
    names = read_refinement(Path(settings.refinement).expanduser()).refinement.names
    renamed = {".".join(filter(None, place)): new for place, new in names.items()}
    return replace(
        found,
        view=lambda database: compose.seen_by_solvers(settings, database),
        renamed=dict.fromkeys(asked, renamed),
    )
