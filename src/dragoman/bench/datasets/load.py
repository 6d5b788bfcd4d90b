"""Data sets by name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from dragoman.bench.dataset import Dataset
from dragoman.bench.datasets.beaver import beaver
from dragoman.bench.datasets.bird import bird, bird_mini_dev
from dragoman.bench.datasets.bird_critic import bird_critic
from dragoman.bench.datasets.demo import demo
from dragoman.bench.datasets.dr_spider import dr_spider
from dragoman.bench.datasets.kaggle_dbqa import kaggle_dbqa
from dragoman.bench.datasets.snails import snails
from dragoman.bench.datasets.spider import spider
from dragoman.bench.datasets.spider2 import spider2_lite, spider2_snow
from dragoman.bench.datasets.warehouse import SPLITS, warehouse
from dragoman.errors import SetupError

Loader = Callable[[Path, str], Dataset]
"""(folder of the set, split) -> the set. Raises `SetupError` that says what is absent and where to get it."""

DATASETS: dict[str, tuple[Loader, tuple[str, ...]]] = {
    "spider": (spider, ("dev", "train", "test")),
    "dr-spider": (dr_spider, ()),
    "snails": (snails, ("native", "N1", "N2", "N3")),
    "bird": (bird, ("dev", "train")),
    "bird-mini-dev": (bird_mini_dev, ("dev",)),
    "spider2-lite": (spider2_lite, ("local", "bq", "sf", "ga", "all")),
    "spider2-snow": (spider2_snow, ("all",)),
    "bird-critic": (bird_critic, ("dev",)),
    "beaver": (beaver, ("dev", "dev_nw", "dev_dw")),
    "kaggle-dbqa": (kaggle_dbqa, ("test", "fewshot")),
}
"""Name -> (loader, splits with the usual one first; any is tried where none is listed)."""

DR_SPIDER = "DB_schema_abbreviation"


def load(name: str, data: Path, cache: Path, split: str = "") -> Dataset:
    """The split of a set whose files lie in `data/<name>`; "demo" and "warehouse" are made by code below `cache`.

    Raises `SetupError` for a name or split nobody knows, and for files that are absent.
    """
    if name == "demo":
        return demo(cache)
    if name == "warehouse":
        if split and split not in SPLITS:
            raise SetupError(f"warehouse has no split {split}. Choose one of {', '.join(SPLITS)}.")
        return warehouse(cache, split or SPLITS[0])
    if name not in DATASETS:
        raise SetupError(f"No data set is called {name}. Choose one of demo, warehouse, {', '.join(DATASETS)}.")
    loader, splits = DATASETS[name]
    if split and splits and split not in splits:
        raise SetupError(f"{name} has no split {split}. Choose one of {', '.join(splits)}.")
    return loader(data / name, split or (splits[0] if splits else DR_SPIDER))
