"""Which questions a command is about: a data set by name, or a workload of one's own."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from dragoman import compose
from dragoman.bench.dataset import Dataset, only_open
from dragoman.bench.datasets.load import load
from dragoman.bench.datasets.own_workload import own_workload
from dragoman.demo import locate
from dragoman.errors import SetupError

DatasetName = Annotated[
    str | None, typer.Option("--dataset", metavar="NAME", help="demo, spider, bird, ... (see the reference).")
]
DataFolder = Annotated[
    Path, typer.Option("--data", metavar="FOLDER", envvar="DRAGOMAN_DATA", help="Where public sets lie: FOLDER/NAME.")
]
WorkloadFile = Annotated[
    Path | None, typer.Option("--workload", metavar="FILE", help="Your own questions: JSON Lines or CSV.")
]
Databases = Annotated[
    Path | None,
    typer.Option("--databases", metavar="FOLDER", help="Holds <db_id>/<db_id>.sqlite for each database named."),
]


def chosen_dataset(
    name: str | None, split: str, data: Path, own: tuple[Path | None, str | None, Path | None]
) -> Dataset:
    """The data set of that name, or of one's `own` (workload, database, folder of databases).

    What is left out for want of its database is said on standard error. Raises `SetupError`.
    """
    workload, db, databases = own
    if (name is None) == (workload is None):
        raise SetupError("Say what to ask: either --dataset NAME (for example demo) or --workload FILE.")
    if workload is not None:
        return own_workload(workload, locate(db or "", compose.cache_folder()), databases)
    if db or databases:
        raise SetupError("--db and --databases are for --workload; a data set brings its own databases.")
    found, missing = only_open(load(str(name), data, compose.cache_folder(), split))
    if missing:
        print(f"Left out for want of their databases: {', '.join(missing)}.", file=sys.stderr)
    if not found.examples:
        raise SetupError(f"None of the databases of {name} is there. Put them below {data / str(name)}.")
    return found
