"""Databases of the same schema with other contents, on which queries that mean different things come apart."""

from __future__ import annotations

import random
import sqlite3
from pathlib import Path

from dragoman.schema import Schema, Table

MOST_ROWS = 300


def neighbours(source: Path, schema: Schema, folder: Path, count: int, seed: int) -> list[Path]:
    """Write `count` databases: rows drawn with replacement, every second time with cells shuffled and some NULL.

    Primary keys stay unique; foreign keys may lead nowhere, and rows without a key may repeat.
    """
    chance = random.Random(f"{seed} {source.stem}")
    made = []
    original = sqlite3.connect(f"file:{source}?mode=ro", uri=True)
    original.text_factory = lambda data: data.decode("utf-8", "surrogateescape")
    for number in range(count):
        path = folder / f"{source.stem}_{number}.sqlite"
        with sqlite3.connect(path) as copy:
            for table in schema:
                if table.kind == "table":
                    _fill(original, copy, table, chance, number % 2 == 1)
        copy.close()
        made.append(path)
    original.close()
    return made


def _fill(
    original: sqlite3.Connection, copy: sqlite3.Connection, table: Table, chance: random.Random, shuffled: bool
) -> None:
    columns = table.columns
    names = ", ".join(f"{_quoted(column.name)} {column.type}" for column in columns)
    copy.execute(f"CREATE TABLE {_quoted(table.name)} ({names})")
    rows = original.execute(f"SELECT * FROM {_quoted(table.name)} LIMIT {MOST_ROWS * 4}").fetchall()
    if not rows:
        return
    drawn = [list(chance.choice(rows)) for _ in range(min(len(rows), MOST_ROWS))]
    key = [i for i, column in enumerate(columns) if column.primary_key]
    if key:
        drawn = list({tuple(row[i] for i in key): row for row in drawn}.values())
    for column in range(len(columns)) if shuffled else ():
        if column not in key and chance.random() < 0.4:
            values = [row[column] for row in drawn]
            chance.shuffle(values)
            for row, value in zip(drawn, values, strict=True):
                row[column] = None if chance.random() < 0.1 else value
    marks = ", ".join("?" * len(columns))
    encoded = [[_encoded(value) for value in row] for row in drawn]
    copy.executemany(f"INSERT INTO {_quoted(table.name)} VALUES ({marks})", encoded)


def _encoded(value: object) -> object:
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError:
            return value.encode("utf-8", "surrogateescape").decode("latin-1")
    return value


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
