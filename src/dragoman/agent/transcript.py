"""Runs of the agent as JSON Lines: one line a run, with every step.

What differs between a run and its replay (seconds, cost) is left out, so the same replies give the same bytes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from dragoman.errors import SetupError
from dragoman.models import Usage
from dragoman.questions import Question
from dragoman.solver import Answer, Step


@dataclass(frozen=True, slots=True)
class Transcript:
    """One run: the label of its skill, what was asked, what was answered."""

    skill: str
    question: Question
    dialect: str
    sql: str
    steps: tuple[Step, ...]
    sample: int = 0


def transcript_line(skill: str, question: Question, dialect: str, answer: Answer, sample: int = 0) -> str:
    """One line of JSON without its end. `read_transcripts` gives it back, without rows."""
    record = {
        "skill": skill,
        "question": asdict(question),
        "dialect": dialect,
        "sample": sample,
        "sql": answer.sql,
        "text": answer.text,
        "error": asdict(answer.error) if answer.error else None,
        "steps": [_step_record(step) for step in answer.steps],
    }
    return json.dumps(record, ensure_ascii=False)


def write_transcripts(lines: Iterable[str], path: Path) -> None:
    """Append lines to a file, which is made if need be."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8", errors="backslashreplace") as file:
        file.writelines(f"{line}\n" for line in lines)


def read_transcripts(path: Path) -> tuple[Transcript, ...]:
    """The runs of a file. Raises `SetupError` naming the line that is none."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise SetupError(f"Cannot read the transcripts {path}: {error.strerror}. Check the path.") from None
    except UnicodeDecodeError:
        raise SetupError(f"{path} is not UTF-8 text. Record the runs again.") from None
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    return tuple(_transcript(line, path, number) for number, line in lines)


def _transcript(line: str, path: Path, number: int) -> Transcript:
    try:
        record = json.loads(line)
        steps = tuple(
            Step(s["kind"], s["text"], s.get("role", ""), s.get("data", {}), Usage(**s.get("usage", {})))
            for s in record["steps"]
        )
        question = Question(**record["question"])
        return Transcript(record["skill"], question, record["dialect"], record["sql"], steps, record.get("sample", 0))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise SetupError(f"{path}, line {number} is not a transcript ({error}). Mend or remove it.") from None


def _step_record(step: Step) -> dict[str, object]:
    record = {"kind": step.kind, "text": step.text, "role": step.role, "data": dict(step.data)}
    usage = {key: value for key, value in asdict(step.usage).items() if value}
    return {key: value for key, value in {**record, "usage": usage}.items() if value or key in ("kind", "text")}
