"""BEAVER (Chen et al. 2024): questions over private enterprise schemas, on MySQL."""

from __future__ import annotations

import os
from pathlib import Path

from dragoman.bench.dataset import Dataset
from dragoman.bench.datasets.records import read_examples, read_records
from dragoman.bench.datasets.where import absent

NAMES = {"question": "question", "sql": "sql", "database": "db_id"}


def beaver(folder: Path, split: str) -> Dataset:
    """The split is the file's name without ending: dev, or dev_nw and dev_dw of later releases.

    Databases are read from `BEAVER_URL`, in which {database} stands for the database's name.
    """
    path = folder / f"{split}.json"
    url = os.environ.get("BEAVER_URL", "")
    if not path.exists():
        raise absent("beaver", folder, path)
    if "{database}" not in url:
        raise absent("beaver", folder, Path("BEAVER_URL"))
    examples = read_examples(read_records(path), path, split, NAMES)
    names = dict.fromkeys(example.database for example in examples)
    return Dataset("beaver", split, examples, {name: url.replace("{database}", name) for name in names})
