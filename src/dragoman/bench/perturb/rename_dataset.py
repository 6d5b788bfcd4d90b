"""A data set over copies of its databases in which names are changed, its gold rewritten to match."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from dragoman.bench.dataset import Dataset
from dragoman.bench.perturb.database_copy import copy_renamed
from dragoman.databases import connect
from dragoman.errors import SetupError, Unreadable
from dragoman.questions import Example
from dragoman.schema import Schema
from dragoman.sql.rename import rename

Renaming = Mapping[tuple[str, str], str]
"""(table, column), or (table, "") for a table, as it was -> the new name."""


def rename_dataset(dataset: Dataset, renaming: Callable[[str, Schema], Renaming], folder: Path) -> Dataset:
    """`dataset` over copies below `folder`, made once, in which `renaming(database, schema)` has changed the names.

    SQLite only. Questions stay as they are. Gold queries that cannot be read are left out, and the note says how many;
    what the set publishes for judging speaks of the old names and is left out too. Raises `SetupError` for another
    engine.
    """
    urls, renamed, examples, lost = {}, {}, [], 0
    by_database: dict[str, list[Example]] = {}
    for example in dataset.examples:
        by_database.setdefault(example.database, []).append(example)
    rewritten: dict[str, Example] = {}
    for name, members in by_database.items():
        schema, target, names = _copied(dataset, name, renaming, folder)
        urls[name] = str(target)
        renamed[name] = {".".join(filter(None, key)): new for key, new in names.items()}
        for example in members:
            try:
                rewritten[example.question.id] = _renamed(example, schema, names)
            except Unreadable:
                lost += 1
    examples = [rewritten[e.question.id] for e in dataset.examples if e.question.id in rewritten]
    note = f"{lost} gold queries that cannot be rewritten were left out." if lost else ""
    return replace(
        dataset,
        examples=tuple(examples),
        databases=urls,
        renamed=renamed,
        extras={},
        note=" ".join(filter(None, (dataset.note, note))),
    )


def _copied(
    dataset: Dataset, name: str, renaming: Callable[[str, Schema], Renaming], folder: Path
) -> tuple[Schema, Path, Renaming]:
    """(schema before, path of the copy, names that really changed, those of views included)."""
    source = Path(dataset.databases[name])
    database = dataset.open(name)
    try:
        if database.dialect != "sqlite" or not source.is_file():
            raise SetupError(f"{name} is no SQLite file. Only sets over SQLite files can be perturbed.")
        schema, fingerprint = database.schema(), database.fingerprint()
    finally:
        database.close()
    wanted = renaming(name, schema)
    text = json.dumps([fingerprint, *sorted((*key, new) for key, new in wanted.items())])
    target = folder / hashlib.sha256(text.encode()).hexdigest()[:16] / name / f"{name}.sqlite"
    if not target.exists():
        copy_renamed(source, target, wanted)
    return schema, target, changed_names(schema, _schema(target), wanted)


def changed_names(before: Schema, after: Schema, wanted: Renaming) -> Renaming:
    """The names that differ between the two, columns taken by their places; views change with their tables."""
    found: dict[tuple[str, str], str] = {}
    for table in before:
        now = wanted.get((table.name, ""), table.name)
        twin = after.table(now)
        if twin is None:
            raise SetupError(f"The copy of {before.name} lacks the table {now}. Remove the copy and run again.")
        if now != table.name:
            found[table.name, ""] = now
        for old, new in zip(table.columns, twin.columns, strict=True):
            if old.name != new.name:
                found[table.name, old.name] = new.name
    return found


def _renamed(example: Example, schema: Schema, names: Renaming) -> Example:
    if not example.sql:
        return example
    alternatives = tuple(rename(sql, schema, names) for sql in example.alternatives)
    return replace(example, sql=rename(example.sql, schema, names), alternatives=alternatives)


def _schema(path: Path) -> Schema:
    database = connect(str(path))
    try:
        return database.schema()
    finally:
        database.close()
