"""The last answers, kept on this machine so that the user can say something of them."""

from __future__ import annotations

import contextlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path

from dragoman.errors import SetupError

ANSWERS = "answers.json"
KEPT = 100
"""Answers that can still be spoken of."""


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer without its rows. `database` is its name, without an address."""

    question: str
    evidence: str
    sql: str
    database: str


def remember(answered: Answered, folder: Path) -> None:
    """Keep an answer in the folder. One that cannot be kept is still an answer."""
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        kept = [asdict(old) for old in _kept(folder)][1 - KEPT :]
        fresh = folder / f"{ANSWERS}.new"
        fresh.write_text(json.dumps([*kept, asdict(answered)]), encoding="utf-8")
        fresh.replace(folder / ANSWERS)


def recall(folder: Path, question: str = "") -> Answered:
    """The last answer, or the last one to this question. Raises `SetupError` where there is none."""
    found = [answered for answered in _kept(folder) if not question or answered.question == question]
    if not found:
        asked = f" to {question!r}" if question else ""
        raise SetupError(f"There is no answer{asked} to speak of. Ask first, then give your feedback.")
    return found[-1]


def _kept(folder: Path) -> list[Answered]:
    try:
        return [Answered(**record) for record in json.loads((folder / ANSWERS).read_text("utf-8"))]
    except (OSError, ValueError, TypeError):
        return []
