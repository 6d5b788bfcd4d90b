"""Spider 1.0 (Yu et al. 2018)."""

from __future__ import annotations

from pathlib import Path

from dragoman.bench.dataset import Dataset
from dragoman.bench.datasets.records import read_examples, read_records, sqlite_files
from dragoman.bench.datasets.where import absent

SPLITS = {
    "dev": ("dev.json", "database"),
    "train": ("train_spider.json", "database"),
    "test": ("test.json", "test_database"),
}
NAMES = {"question": "question", "sql": "query", "database": "db_id"}


def spider(folder: Path, split: str) -> Dataset:
    """The split dev, train or test. `difficulty` is empty in the files; see `spider_hardness`."""
    file, databases = SPLITS[split]
    path = folder / file
    if not path.exists():
        raise absent("spider", folder, path)
    opened = sqlite_files(folder / databases)
    if not opened:
        raise absent("spider", folder, folder / databases)
    examples = read_examples(read_records(path), path, split, NAMES)
    return Dataset("spider", split, examples, opened)
