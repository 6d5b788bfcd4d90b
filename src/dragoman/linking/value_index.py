"""Which values of the database does a question name? Distinct short texts, looked up by the question's own words."""

from __future__ import annotations

import re
import sqlite3
import unicodedata
from collections.abc import Iterable, Iterator
from contextlib import closing
from importlib import resources
from pathlib import Path
from typing import NamedTuple

from dragoman.databases import Database, Limits
from dragoman.errors import QueryError, QueryTimeout, Refused
from dragoman.schema import Column, Schema, Table
from dragoman.schema.render import quoted

LONGEST_VALUE = 60
"""Characters; longer texts are prose, not values that a question would name."""
LONGEST_MATCH = 6
"""Words of a question that are looked up together."""

_WORD = re.compile(r"[\w'.&-]+")
_TEXTUAL = re.compile(r"char|text|clob|string|enum|^$", re.IGNORECASE)


class ValueHint(NamedTuple):
    """`value` stands in `column` of `table`, and the question names it."""

    table: str
    column: str
    value: str


class ValueIndex:
    """Distinct values of the text columns in one SQLite file on disk, keyed by their folded form.

    Built once a database fingerprint. Bounded: `per_column` distinct values a column. The words of a question are
    looked up longest first; a word that was part of a match is not looked up again.
    """

    def __init__(self, path: Path) -> None:
        """Open an index that `build_value_index` wrote."""
        self.path = path

    def match(self, question: str, most: int = 4) -> tuple[ValueHint, ...]:
        """At most `most` hints, in the order in which longer phrases come first."""
        words = [word.strip("'.-") for word in _WORD.findall(question)]
        hints: list[ValueHint] = []
        used: set[int] = set()
        with closing(sqlite3.connect(f"{self.path.resolve().as_uri()}?mode=ro", uri=True)) as index:
            for start, phrase in _phrases(words, _stop_words()):
                span = range(start, start + len(phrase.split(" ")))
                if used.intersection(span):
                    continue
                found = index.execute(
                    'SELECT "table", "column", value FROM named_value WHERE folded = ? ORDER BY rowid LIMIT 2',
                    (fold(phrase),),
                ).fetchall()
                if found:
                    hints += [ValueHint(*row) for row in found]
                    used.update(span)
        return tuple(hints[:most])


def build_value_index(database: Database, path: Path, per_column: int = 3000, seconds: float = 2.0) -> ValueIndex:
    """Read the distinct values of every text column and write the index whole or not at all.

    A column that cannot be read within `seconds` is left out; nothing is fatal.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.{id(database):x}.part")
    with closing(sqlite3.connect(part)) as index, index:
        index.execute('CREATE TABLE named_value (folded TEXT, "table" TEXT, "column" TEXT, value TEXT)')
        for table, column in _text_columns(database.schema()):
            values = _distinct(database, table, column, per_column, seconds)
            index.executemany(
                "INSERT INTO named_value VALUES (?, ?, ?, ?)", ((fold(v), table.name, column.name, v) for v in values)
            )
        index.execute("CREATE INDEX by_folded ON named_value (folded)")
    part.replace(path)
    return ValueIndex(path)


def fold(text: str) -> str:
    """Case and accents away, so that "Sao Paulo" finds "São Paulo"."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    return "".join(c for c in plain if not unicodedata.combining(c)).strip()


def _phrases(words: list[str], stop: frozenset[str]) -> Iterator[tuple[int, str]]:
    for length in range(min(LONGEST_MATCH, len(words)), 0, -1):
        for start in range(len(words) - length + 1):
            phrase = " ".join(words[start : start + length])
            if length > 1 or (len(phrase) >= 2 and phrase.lower() not in stop):
                yield start, phrase


def _text_columns(schema: Schema) -> Iterable[tuple[Table, Column]]:
    return (
        (table, column)
        for table in schema
        for column in table.columns
        if table.kind == "table" and _TEXTUAL.search(column.type)
    )


def _distinct(database: Database, table: Table, column: Column, most: int, seconds: float) -> list[str]:
    name = ".".join(quoted(part, database.dialect) for part in table.full_name)
    sql = f"SELECT DISTINCT {quoted(column.name, database.dialect)} FROM {name}"
    try:
        rows = database.execute(sql, Limits(rows=most, seconds=seconds))
    except (QueryError, QueryTimeout, Refused):
        return []
    return [
        value
        for (value,) in rows
        if isinstance(value, str) and 2 <= len(value) <= LONGEST_VALUE and value.isprintable()
    ]


def _stop_words() -> frozenset[str]:
    return frozenset(resources.files("dragoman.linking").joinpath("stop_words.txt").read_text("utf-8").split())
