"""SNAILS (Luoma and Kumar 2025): real databases whose names come in several degrees of naturalness."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from pathlib import Path

from dragoman.bench.dataset import Dataset
from dragoman.bench.datasets.records import sqlite_files
from dragoman.bench.datasets.where import absent
from dragoman.bench.perturb.rename_dataset import Renaming, rename_dataset
from dragoman.errors import SetupError, Unreadable
from dragoman.questions import Example, Question
from dragoman.schema import Schema
from dragoman.sql.translate import translate

_QUESTION = re.compile(r"^--\s*(\d+)\s*:\s*(.*?)\s*$", re.MULTILINE)

NATIVE = "native"


def snails(folder: Path, split: str) -> Dataset:
    """The split is a level: native, or N1 (regular), N2 (low), N3 (least natural) for all tables and columns.

    Gold queries are written for SQL Server and translated to SQLite; those that cannot be are left out.
    """
    opened = sqlite_files(folder / "databases")
    files = sorted(path for path in (folder / "queries").glob("*.sql") if path.stem in opened)
    if not files:
        raise absent("snails", folder, folder / "queries" / "<database>.sql")
    pairs = [(path, example) for path in files for example in read_pairs(path)]
    kept = tuple(example for _, example in pairs if example.sql)
    lost = len(pairs) - len(kept)
    note = f"{lost} gold queries that cannot be written for SQLite were left out." if lost else ""
    names = {path.stem: opened[path.stem] for path in files}
    native = Dataset("snails", split, kept, names, note=note)
    if split == NATIVE:
        return native
    crosswalks = {name: folder / "crosswalks" / f"{name}-consolidated-xwalk.csv" for name in names}
    for path in crosswalks.values():
        if not path.exists():
            raise absent("snails", folder, path)

    def renaming(name: str, schema: Schema) -> Renaming:
        return dict(at_level(crosswalks[name], split, schema))

    return rename_dataset(native, renaming, folder / "renamed" / split)


def read_pairs(path: Path) -> Iterator[Example]:
    """Questions stand in comments `-- 5: ...?`, each before its query; `sql` is "" where it cannot be translated."""
    text = path.read_text(encoding="utf-8-sig")
    marks = list(_QUESTION.finditer(text))
    for place, mark in enumerate(marks):
        end = marks[place + 1].start() if place + 1 < len(marks) else len(text)
        question = Question(mark[2], id=f"{path.stem}-{mark[1]}")
        try:
            sql = translate(text[mark.end() : end].strip().rstrip(";"), "tsql", "sqlite")
        except Unreadable:
            sql = ""
        yield Example(question, sql, path.stem)


def at_level(crosswalk: Path, level: str, schema: Schema) -> Iterator[tuple[tuple[str, str], str]]:
    """((table, column) or (table, ""), its name at that level) for the names of `schema` that the crosswalk changes."""
    with crosswalk.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    wanted = f"{level}_identifier"
    if rows and not {"native_identifier", "table_or_column", wanted} <= rows[0].keys():
        raise SetupError(f"{crosswalk} lacks the column {wanted}. Fetch it again.")
    new = {(row["table_or_column"], row["native_identifier"].lower()): row[wanted] for row in rows}
    for table in schema:
        if table.kind != "table":
            continue
        found = new.get(("table", table.name.lower()))
        if found and found != table.name:
            yield (table.name, ""), found
        taken = {column.name.lower() for column in table.columns}
        for column in table.columns:
            short = new.get(("column", column.name.lower()))
            if short and short != column.name and short.lower() not in taken - {column.name.lower()}:
                taken.add(short.lower())
                yield (table.name, column.name), short
