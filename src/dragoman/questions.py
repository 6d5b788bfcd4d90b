"""Questions, and questions with their gold SQL, as JSON Lines."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from dragoman.errors import SetupError


@dataclass(frozen=True, slots=True)
class Question:
    """What a person asks. `evidence` is outside knowledge that comes with it, "" if none."""

    text: str
    evidence: str = ""
    id: str = ""


@dataclass(frozen=True, slots=True)
class Example:
    """A question with its gold SQL. `sql` is "" where the question cannot be answered from the database.

    `database` names the database it is about; `difficulty` is the data set's own label; `alternatives` are
    further gold queries, any of which is right.
    """

    question: Question
    sql: str
    database: str = ""
    difficulty: str = ""
    alternatives: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Workload:
    """Examples in order. Iterates and has a length."""

    examples: tuple[Example, ...]
    name: str = ""

    def __iter__(self) -> Iterator[Example]:
        return iter(self.examples)

    def __len__(self) -> int:
        return len(self.examples)


def read_workload(path: Path) -> Workload:
    """Read JSON Lines with question, sql, and optionally id, database (or db_id), evidence, difficulty, alternatives.

    Raises `SetupError` naming the line that cannot be read.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise SetupError(f"Cannot read the workload {path}: {error.strerror}. Check the path.") from None
    except UnicodeDecodeError:
        raise SetupError(f"{path} is not UTF-8 text. Save the workload as UTF-8 JSON Lines.") from None
    examples = [_example(line, path, number) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    return Workload(tuple(examples), path.stem)


def write_workload(examples: Iterable[Example], path: Path) -> None:
    """Write one JSON object a line; `read_workload` gives the same examples back."""
    path.write_text("".join(json.dumps(_record(e), ensure_ascii=False) + "\n" for e in examples), encoding="utf-8")


def _record(example: Example) -> dict[str, object]:
    question = example.question
    record: dict[str, object] = {
        "id": question.id,
        "database": example.database,
        "question": question.text,
        "evidence": question.evidence,
        "sql": example.sql,
        "difficulty": example.difficulty,
        "alternatives": list(example.alternatives),
    }
    return {key: value for key, value in record.items() if value or key in ("question", "sql")}


def _example(line: str, path: Path, number: int) -> Example:
    try:
        record = json.loads(line)
        question = Question(str(record["question"]), str(record.get("evidence") or ""), str(record.get("id") or number))
        return Example(
            question,
            str(record["sql"] or ""),
            str(record.get("database") or record.get("db_id") or ""),
            str(record.get("difficulty") or ""),
            tuple(map(str, record.get("alternatives") or ())),
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise SetupError(
            f"{path}, line {number} is not a JSON object with question and sql ({error}). Mend that line."
        ) from None
