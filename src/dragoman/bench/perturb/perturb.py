"""Makes a data set harder by worse names, as Dr.Spider does (Chang et al. 2023), from any set over SQLite files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

from dragoman.bench.dataset import Dataset
from dragoman.bench.perturb.rename_dataset import rename_dataset
from dragoman.bench.perturb.renaming import KINDS, renaming
from dragoman.errors import SetupError
from dragoman.schema import Schema


def perturb(dataset: Dataset, kind: str, folder: Path, seed: int = 0, share: float = 1.0) -> Dataset:
    """`dataset` with the columns of its databases renamed by `kind`: rule, list or synonym.

    Copies lie below `folder`. Each database draws from `seed` and its own name, so that its names do not depend on
    which other databases are asked about. Raises `SetupError` for a kind nobody knows.
    """
    if kind not in KINDS:
        raise SetupError(f"No perturbation is called {kind}. Choose one of {', '.join(KINDS)}.")

    def names(database: str, schema: Schema) -> dict[tuple[str, str], str]:
        return renaming(schema, kind, Random(f"{seed} {database}"), share)

    found = rename_dataset(dataset, names, folder / kind)
    return replace(found, split=f"{dataset.split}-{kind}")
