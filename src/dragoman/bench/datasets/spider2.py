"""Spider 2.0-Lite and -Snow (Lei et al. 2025)."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from dragoman.bench.dataset import Dataset
from dragoman.bench.datasets.records import Record, read_records, sqlite_files
from dragoman.bench.datasets.where import absent
from dragoman.databases import Rows
from dragoman.questions import Example, Question

NO_SQL = "-- The gold query of this question is not public; its result is."
"""Gold of examples whose result alone is published: no rule but `spider2` can score them."""


def spider2_lite(folder: Path, split: str) -> Dataset:
    """The split is an engine: local (SQLite), bq, sf, ga, or all. `evidence` is the external knowledge's text.

    BigQuery and Snowflake are reached through `BIGQUERY_URL` and `SNOWFLAKE_URL`, in which {database} stands for the
    database's name.
    """
    return _read("spider2-lite", folder, split, "spider2lite")


def spider2_snow(folder: Path, split: str) -> Dataset:
    """All questions of Spider 2.0-Snow, through `SNOWFLAKE_URL`."""
    return _read("spider2-snow", folder, split, "spider2snow")


class Published(Mapping[str, Mapping[str, Any]]):
    """What is published for judging, by example id; results are read when they are asked for."""

    def __init__(self, gold: Path, configured: Mapping[str, Record]) -> None:
        self._gold = gold
        self._configured = configured

    def __getitem__(self, example: str) -> Mapping[str, Any]:
        if example not in self._configured:
            raise KeyError(example)
        files = gold_files(self._gold / "exec_result", example)
        return {"published": {**self._configured[example], "results": [read_result(path) for path in files]}}

    def __iter__(self) -> Iterator[str]:
        return iter(self._configured)

    def __len__(self) -> int:
        return len(self._configured)


def gold_files(folder: Path, example: str) -> list[Path]:
    """`<id>.csv` alone if there is one, else `<id>_a.csv`, `<id>_b.csv`, ..."""
    alone = folder / f"{example}.csv"
    return [alone] if alone.exists() else sorted(folder.glob(f"{example}_[a-z].csv"))


def read_result(path: Path) -> Rows:
    """A published result, every cell as the text that stands in the file."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        columns, *rows = list(csv.reader(file)) or [[]]
    return Rows(tuple(columns), tuple(tuple(row) for row in rows))


def _read(name: str, folder: Path, split: str, prefix: str) -> Dataset:
    path, gold = folder / f"{name}.jsonl", folder / "evaluation_suite" / "gold"
    if not path.exists():
        raise absent(name, folder, path)
    if not gold.is_dir():
        raise absent(name, folder, gold)
    records = [record for record in read_records(path) if split == "all" or _engine(record["instance_id"]) == split]
    configuration = gold / f"{prefix}_eval.jsonl"
    known = read_records(configuration) if configuration.exists() else []
    databases = _urls(folder, records)
    if not databases:
        raise absent(name, folder, folder / "resource" / "databases" / "spider2-localdb")
    return Dataset(
        name,
        split,
        tuple(_example(record, folder, gold) for record in records),
        databases,
        extras=Published(gold, {str(record["instance_id"]): record for record in known}),
    )


def _example(record: Record, folder: Path, gold: Path) -> Example:
    identity = str(record["instance_id"])
    sql, knowledge = gold / "sql" / f"{identity}.sql", str(record.get("external_knowledge") or "")
    text = folder / "resource" / "documents" / knowledge
    evidence = text.read_text(encoding="utf-8") if knowledge and text.is_file() else ""
    question = Question(str(record.get("question") or record.get("instruction")), evidence, identity)
    gold_sql = sql.read_text(encoding="utf-8").strip() if sql.exists() else NO_SQL
    return Example(question, gold_sql, str(record.get("db") or record.get("db_id")))


def _engine(identity: str) -> str:
    return next((engine for engine in ("local", "bq", "sf", "ga") if identity.startswith(engine)), "")


def _urls(folder: Path, records: list[Record]) -> dict[str, str]:
    local = sqlite_files(folder / "resource" / "databases" / "spider2-localdb")
    templates = {
        "bq": os.environ.get("BIGQUERY_URL", ""),
        "ga": os.environ.get("BIGQUERY_URL", ""),
        "sf": os.environ.get("SNOWFLAKE_URL", ""),
    }
    found: dict[str, str] = {}
    for record in records:
        name, engine = str(record.get("db") or record.get("db_id")), _engine(str(record["instance_id"]))
        url = local.get(name, "") if engine == "local" else templates.get(engine, "").replace("{database}", name)
        if url:
            found[name] = url
    return found
