"""KaggleDBQA (Lee et al. 2021)."""

from __future__ import annotations

from pathlib import Path

from dragoman.bench.dataset import Dataset
from dragoman.bench.datasets.records import read_examples, read_records, sqlite_files
from dragoman.bench.datasets.spider import NAMES
from dragoman.bench.datasets.where import absent


def kaggle_dbqa(folder: Path, split: str) -> Dataset:
    """The split test or fewshot, all databases together."""
    files = sorted((folder / "examples").glob(f"*_{split}.json"))
    opened = sqlite_files(folder / "databases")
    if not files or not opened:
        missing = folder / "databases" if files else folder / "examples" / f"<db_id>_{split}.json"
        raise absent("kaggle-dbqa", folder, missing)
    groups = [read_examples(read_records(path), path, path.stem, NAMES) for path in files]
    return Dataset("kaggle-dbqa", split, tuple(example for group in groups for example in group), opened)
