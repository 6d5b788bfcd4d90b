"""The warehouse and its questions."""

from __future__ import annotations

from pathlib import Path

from dragoman.bench.dataset import Dataset
from dragoman.demo.locate import locate
from dragoman.demo.warehouse import needs_exploration, workload

SPLITS = ("all", "exploration", "plain")


def warehouse(cache: Path, split: str) -> Dataset:
    """Questions about the warehouse in DuckDB, which is built below `cache` on first use.

    `split` is all, those that need exploration, or the others (plain).
    """
    explored = needs_exploration()
    wanted = {"all": (True, False), "exploration": (True,), "plain": (False,)}[split]
    examples = tuple(e for e in workload("duckdb") if (e.question.id in explored) in wanted)
    return Dataset("warehouse", split, examples, {"warehouse": locate("warehouse", cache)})
