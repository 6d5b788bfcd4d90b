"""Questions about the warehouse with their gold SQL, in the dialect of either engine."""

from __future__ import annotations

import json
from importlib.resources import as_file, files

from dragoman.demo.warehouse.ddl import Dialect
from dragoman.questions import Workload, read_workload


def workload(dialect: Dialect = "duckdb") -> Workload:
    """All questions, in the same order and with the same ids for both dialects."""
    with as_file(files(__package__) / f"workload_{dialect}.jsonl") as path:
        return Workload(read_workload(path).examples, "warehouse")


def needs_exploration() -> frozenset[str]:
    """Ids of the questions whose answer needs values that neither the question nor the schema says."""
    lines = files(__package__).joinpath("workload_duckdb.jsonl").read_text(encoding="utf-8").splitlines()
    records = map(json.loads, lines)
    return frozenset(record["id"] for record in records if record.get("exploration"))
