"""The record of what a run is: enough to run it again and to tell whether two runs can be compared."""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from dragoman.bench.dataset import Dataset
from dragoman.errors import SetupError
from dragoman.questions import Example

FILE = "run.json"


def begin(out: Path, dataset: Dataset, asked: Mapping[str, Any]) -> None:
    """Write `run.json` into `out`, or check that the run which stands there is the same one.

    `asked` is everything that decides what is asked of whom, as JSON values without secrets. Version and revision of
    the code may differ on resume: `made_with` lists all that had a part. Raises `SetupError` where another run lies.
    """
    record: dict[str, Any] = {
        "dataset": {
            "name": dataset.name,
            "split": dataset.split,
            "examples": len(dataset),
            "digest": digest(dataset.examples),
            "note": dataset.note,
            "renamed": {database: dict(names) for database, names in dataset.renamed.items()},
            "columns": {database: _columns(dataset, database) for database in dataset.renamed},
        },
        "asked": json.loads(json.dumps(asked)),
        "made_with": [{"version": importlib.metadata.version("dragoman"), "revision": revision()}],
    }
    path = out / FILE
    out.mkdir(parents=True, exist_ok=True)
    if path.exists():
        found = read_run(out)
        for part in ("dataset", "asked"):
            if found[part] != record[part]:
                differing = ", ".join(_differences(found[part], record[part]))
                raise SetupError(
                    f"{out} holds a run with other settings ({differing}). Give another folder with --out, or repeat "
                    "the settings of that run."
                )
        record["made_with"] = list({json.dumps(m): m for m in (*found["made_with"], *record["made_with"])}.values())
    fresh = path.with_name(path.name + ".new")
    fresh.write_text(json.dumps(record, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    fresh.replace(path)


def read_run(out: Path) -> dict[str, Any]:
    """The record in a run's folder. Raises `SetupError` if there is none."""
    try:
        record = json.loads((out / FILE).read_text(encoding="utf-8"))
    except OSError:
        raise SetupError(f"{out} holds no run. Make one with dragoman bench run --out {out}.") from None
    except ValueError:
        raise SetupError(f"{out / FILE} is damaged. Remove it, and run again with the same settings.") from None
    if not isinstance(record, dict) or not {"dataset", "asked", "made_with"} <= record.keys():
        raise SetupError(f"{out / FILE} is not the record of a run. Give the folder of one.")
    return record


def digest(examples: Iterable[Example]) -> str:
    """SHA-256 over the examples in order, gold included."""
    hashed = hashlib.sha256()
    for e in examples:
        fields = (e.question.id, e.question.text, e.question.evidence, e.database, e.sql, *e.alternatives)
        hashed.update(json.dumps(fields).encode("ascii"))
    return hashed.hexdigest()


def revision() -> str:
    """The commit that the code was run from, "-dirty" behind it if files were changed; "" outside a checkout."""
    root = Path(__file__).resolve().parents[3]
    if not (root / ".git").exists():
        return ""
    command = ["git", "-C", str(root), "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def _columns(dataset: Dataset, name: str) -> int:
    database = dataset.open(name)
    try:
        return sum(len(table.columns) for table in database.schema())
    finally:
        database.close()


def _differences(found: Mapping[str, Any], wanted: Mapping[str, Any]) -> Iterable[str]:
    for key in dict.fromkeys((*found, *wanted)):
        if found.get(key) != wanted.get(key):
            yield key
