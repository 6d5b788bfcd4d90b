"""BIRD-Critic (Li et al. 2025): queries of users that do not do what they should, to be mended."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from dragoman.bench.dataset import Dataset
from dragoman.bench.datasets.records import Record, read_records, sqlite_files
from dragoman.bench.datasets.where import absent
from dragoman.errors import SetupError
from dragoman.questions import Example, Question


def bird_critic(folder: Path, split: str) -> Dataset:
    """The SQLite variant. The question is the user's issue, its evidence the SQL of the issue, difficulty the category.

    Judged by the rule `bird_critic`, which runs the test code that came with the set only with --allow-code.
    """
    path = folder / "bird_critic.jsonl"
    opened = sqlite_files(folder / "database")
    if not path.exists() or not opened:
        raise absent("bird-critic", folder, folder / "database" if path.exists() else path)
    records = read_records(path)
    if not any(record.get("sol_sql") for record in records):
        raise SetupError(f"{path} has no solutions (sol_sql). Ask its authors for them by e-mail and merge them in.")
    examples = tuple(_example(record) for record in records)
    extras = {
        e.question.id: {"published": {**record, "template": opened.get(e.database)}}
        for e, record in zip(examples, records, strict=True)
    }
    return Dataset("bird-critic", split, examples, opened, extras=extras)


def _example(record: Record) -> Example:
    issue = _statements(record.get("issue_sql"))
    question = Question(
        str(record["query"]), f"The SQL of the issue:\n{issue}" if issue else "", str(record["instance_id"])
    )
    return Example(
        question, _statements(record.get("sol_sql")), str(record["db_id"]), str(record.get("category") or "")
    )


def _statements(value: Any) -> str:
    texts: Iterable[Any] = [value] if isinstance(value, str) else value or ()
    return ";\n".join(str(text).strip().rstrip(";") for text in texts)
