"""Dr.Spider (Chang et al. 2023): Spider dev, perturbed in 17 ways."""

from __future__ import annotations

from pathlib import Path

from dragoman.bench.dataset import Dataset
from dragoman.bench.datasets.records import read_examples, read_records, sqlite_files
from dragoman.bench.datasets.spider import NAMES, with_hardness
from dragoman.bench.datasets.where import absent


def dr_spider(folder: Path, split: str) -> Dataset:
    """The split is a perturbation, for example DB_schema_abbreviation; `:pre` after it gives the unperturbed twin."""
    perturbation, _, side = split.partition(":")
    root = folder / "data" / perturbation if (folder / "data").is_dir() else folder / perturbation
    side = side or "post"
    path = root / f"questions_{side}_perturbation.json"
    if not path.exists():
        raise absent("dr-spider", folder, path)
    places = [f"database_{side}_perturbation", f"databases_{side}_perturbation", "databases"]
    opened = next((found for place in places if (found := sqlite_files(root / place))), {})
    if not opened:
        raise absent("dr-spider", folder, root / places[0])
    examples = read_examples(read_records(path), path, split, NAMES)
    return Dataset("dr-spider", split, tuple(map(with_hardness, examples)), opened)
