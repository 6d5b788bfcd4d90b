"""The demo database and its questions."""

from __future__ import annotations

from pathlib import Path

from dragoman.bench.dataset import Dataset
from dragoman.demo import open_demo, workload


def demo(cache: Path) -> Dataset:
    """All questions about the demo database, which is built below `cache` on first use."""
    examples = workload().examples
    url = str(open_demo(cache))
    return Dataset("demo", "all", examples, dict.fromkeys((example.database for example in examples), url))
