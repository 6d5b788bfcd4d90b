"""BIRD and its mini-dev (Li et al. 2023)."""

from __future__ import annotations

from pathlib import Path

from dragoman.bench.dataset import Dataset
from dragoman.bench.datasets.records import read_examples, read_records, sqlite_files
from dragoman.bench.datasets.where import absent, note

NAMES = {
    "question": "question",
    "sql": "SQL",
    "database": "db_id",
    "evidence": "evidence",
    "difficulty": "difficulty",
    "id": "question_id",
}


def bird(folder: Path, split: str) -> Dataset:
    """The split dev or train, with evidence."""
    return _read("bird", folder, split, f"{split}.json", f"{split}_databases")


def bird_mini_dev(folder: Path, split: str) -> Dataset:
    """The 500 questions of mini-dev in SQLite's dialect, with evidence."""
    return _read("bird-mini-dev", folder, split, "mini_dev_sqlite.json", "dev_databases")


def _read(name: str, folder: Path, split: str, file: str, databases: str) -> Dataset:
    path = folder / file
    opened = sqlite_files(folder / databases)
    if not path.exists() or not opened:
        raise absent(name, folder, folder / databases if path.exists() else path)
    return Dataset(name, split, read_examples(read_records(path), path, split, NAMES), opened, note=note(name))
