"""Reads the files that public sets come in."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from dragoman.errors import SetupError
from dragoman.questions import Example, Question

Record = Mapping[str, Any]


def read_records(path: Path) -> list[Record]:
    """The objects of a JSON list (.json) or of JSON Lines (.jsonl). Raises `SetupError` naming the file."""
    try:
        text = path.read_text(encoding="utf-8-sig")
        found = json.loads(text) if path.suffix == ".json" else [json.loads(s) for s in text.split("\n") if s.strip()]
    except OSError as error:
        raise SetupError(f"Cannot read {path}: {error.strerror}. Check the path.") from None
    except (ValueError, UnicodeDecodeError) as error:
        raise SetupError(f"{path} is damaged ({error}). Fetch it again.") from None
    if not isinstance(found, list) or not all(isinstance(record, dict) for record in found):
        raise SetupError(f"{path} is not a list of objects. Fetch it again.")
    return found


def read_examples(records: Iterable[Record], path: Path, prefix: str, names: Mapping[str, str]) -> tuple[Example, ...]:
    """Examples from records; `names` maps question, sql, database, evidence, difficulty and id to their keys.

    An id is `prefix`, a hyphen, and the record's own id or its place from 0. Raises `SetupError` for a missing key.
    """
    examples = []
    for place, record in enumerate(records):
        try:
            question, sql, database = (record[names[key]] for key in ("question", "sql", "database"))
        except KeyError as error:
            raise SetupError(f"{path}: record {place} lacks {error}. Fetch the file again.") from None
        identity = record.get(names.get("id", ""), place)
        evidence = record.get(names.get("evidence", ""), "") or ""
        difficulty = record.get(names.get("difficulty", ""), "") or ""
        asked = Question(str(question).strip(), str(evidence), f"{prefix}-{identity}")
        examples.append(Example(asked, str(sql).strip().rstrip(";").rstrip(), str(database), str(difficulty)))
    return tuple(examples)


def sqlite_files(folder: Path) -> dict[str, str]:
    """Database name -> path, for `folder/<name>/<name>.sqlite` and `folder/<name>.sqlite`, in order of name."""
    flat = {path.stem: str(path) for path in folder.glob("*.sqlite")}
    nested = {path.stem: str(path) for path in folder.glob("*/*.sqlite") if path.stem == path.parent.name}
    return dict(sorted({**flat, **nested}.items()))
