"""A user's own questions over their own databases."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

from dragoman.bench.dataset import Dataset
from dragoman.bench.datasets.records import sqlite_files
from dragoman.errors import SetupError
from dragoman.questions import Example, Question, Workload, read_workload

ONE_DATABASE = "database"
"""Name of the only database of a workload whose lines name none."""


def own_workload(file: Path, url: str = "", databases: Path | None = None) -> Dataset:
    """The questions of `file` over the one database at `url`, or over `databases/<db_id>/<db_id>.sqlite`.

    Drafts that nobody has accepted yet (`"confirmed": false`) are left out, and the note says how many. Raises
    `SetupError` for a file that cannot be read, neither or both of the two places, ids that occur twice, databases that
    are named but absent, and a file of drafts only.
    """
    examples, left_out = _confirmed(read_workload_file(file).examples, file)
    note = f"{left_out} questions that nobody has confirmed were left out." if left_out else ""
    if bool(url) == (databases is not None):
        raise SetupError("A workload needs its database: give either --db URL or --databases FOLDER.")
    _check_ids(examples, file)
    if databases is None:
        named = dict.fromkeys(example.database for example in examples if example.database)
        if len(named) > 1:
            raise SetupError(f"{file} names {len(named)} databases. Give the folder that holds them with --databases.")
        name = next(iter(named), ONE_DATABASE)
        return Dataset(
            "workload", file.stem, tuple(replace(e, database=name) for e in examples), {name: url}, note=note
        )
    opened = sqlite_files(databases)
    for example in examples:
        if example.database not in opened:
            wanted = f"{databases}/{example.database}/{example.database}.sqlite"
            reason = f"and {wanted} is absent" if example.database else "but no database"
            raise SetupError(f"{file}: question {example.question.id} names {example.database!r}, {reason}.")
    return Dataset("workload", file.stem, examples, opened, note=note)


def read_workload_file(file: Path) -> Workload:
    """JSON Lines, or CSV with a heading (by its ending). Raises `SetupError` naming the line that cannot be read."""
    return read_csv_workload(file) if file.suffix.lower() == ".csv" else read_workload(file)


def read_csv_workload(file: Path) -> Workload:
    """CSV with the columns question and sql, and optionally id, database or db_id, evidence, difficulty."""
    try:
        text = file.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise SetupError(f"Cannot read the workload {file}: {error.strerror}. Check the path.") from None
    except UnicodeDecodeError:
        raise SetupError(f"{file} is not UTF-8 text. Save the workload as UTF-8 CSV.") from None
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=_separator(text))
    headings = {name.strip().lower() for name in reader.fieldnames or ()}
    if not {"question", "sql"} <= headings:
        raise SetupError(f"{file} has the columns {', '.join(sorted(headings)) or 'none'}, and needs question and sql.")
    examples = []
    for number, row in enumerate(reader, 1):
        fields = {(key or "").strip().lower(): (value or "") for key, value in row.items() if isinstance(value, str)}
        if not fields["question"].strip():
            raise SetupError(f"{file}: row {number} has no question. Mend that row.")
        examples.append(_example(fields, number))
    return Workload(tuple(examples), file.stem)


def _example(fields: dict[str, str], number: int) -> Example:
    question = Question(fields["question"].strip(), fields.get("evidence", ""), fields.get("id", "") or str(number))
    database = fields.get("database", "") or fields.get("db_id", "")
    return Example(question, fields.get("sql", "").strip(), database, fields.get("difficulty", ""))


def _separator(text: str) -> str:
    """Spreadsheets also write semicolons and tabs: whichever the heading has most of."""
    heading = text.split("\n", 1)[0]
    return max(",;\t", key=heading.count)


def _confirmed(examples: tuple[Example, ...], file: Path) -> tuple[tuple[Example, ...], int]:
    """Examples without unconfirmed drafts, and the number of these. CSV holds none."""
    if file.suffix.lower() == ".csv":
        return examples, 0
    lines = [line for line in file.read_text(encoding="utf-8-sig").split("\n") if line.strip()]
    kept = tuple(e for e, line in zip(examples, lines, strict=True) if json.loads(line).get("confirmed") is not False)
    if examples and not kept:
        raise SetupError(
            f'{file} holds drafts only. Read them, and write "confirmed": true on the lines whose SQL is right.'
        )
    return kept, len(examples) - len(kept)


def _check_ids(examples: tuple[Example, ...], file: Path) -> None:
    seen: set[str] = set()
    for example in examples:
        if example.question.id in seen:
            raise SetupError(f"{file}: the id {example.question.id} occurs twice. Give each question an id of its own.")
        seen.add(example.question.id)
    if not examples:
        raise SetupError(f"{file} has no questions. Write one JSON object a line, with question and sql.")
