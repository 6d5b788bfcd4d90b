"""Spider 1.0 (Yu et al. 2018)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from dragoman.bench.dataset import Dataset
from dragoman.bench.datasets.records import read_examples, read_records, sqlite_files
from dragoman.bench.datasets.suite_neighbours import SuiteNeighbours
from dragoman.bench.datasets.where import absent
from dragoman.errors import Unreadable
from dragoman.questions import Example
from dragoman.sql.hardness import hardness

SPLITS = {
    "dev": ("dev.json", "database"),
    "train": ("train_spider.json", "database"),
    "test": ("test.json", "test_database"),
}
NAMES = {"question": "question", "sql": "query", "database": "db_id"}


def spider(folder: Path, split: str) -> Dataset:
    """The split dev, train or test. Difficulty is Spider's hardness of the gold query.

    Where further `.sqlite` files of a distilled test suite lie beside a database, `spider_test_suite` uses them.
    """
    file, databases = SPLITS[split]
    path = folder / file
    if not path.exists():
        raise absent("spider", folder, path)
    opened = sqlite_files(folder / databases)
    if not opened:
        raise absent("spider", folder, folder / databases)
    examples = tuple(map(with_hardness, read_examples(read_records(path), path, split, NAMES)))
    return Dataset("spider", split, examples, opened, extras=SuiteNeighbours(examples, opened))


def with_hardness(example: Example) -> Example:
    """The example with the hardness of its gold as difficulty, "" where the gold cannot be read."""
    try:
        return replace(example, difficulty=hardness(example.sql))
    except Unreadable:
        return example
