"""Column exploration without words: for models that only complete a form, probes are made by rule.

What candidates compare columns with may not be there, or be spelled otherwise. Each such text is looked for in its
column, and words of the question that stand for no known value are looked for in the columns that rank best. What is
found becomes value hints, which such models understand; they cannot write probes or read notes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from dragoman.databases import Database, Rows
from dragoman.errors import Refused
from dragoman.linking.explore import Exploring
from dragoman.linking.probe import probe
from dragoman.linking.ranker import Ranker
from dragoman.linking.value_index import ValueHint
from dragoman.linking.words import stop_words
from dragoman.schema import Column, Schema, Table
from dragoman.solver import Step
from dragoman.sql.compared_values import compared_values
from dragoman.sql.parse import parse
from dragoman.sql.quote import quote

LIKENESS = 0.6
"""Of a value and the text that was looked for (difflib's ratio), where no value holds the text."""
FEW = 3
"""Values of one column that become hints."""
COLUMNS = 3
"""Columns in which a word of the question is looked for."""

_TEXTUAL = re.compile(r"char|text|string|clob", re.IGNORECASE)
_TOLD_APART = re.compile(r"'([^']{2,60})'|\"([^\"]{2,60})\"|\b([A-Z][\w-]+)\b")


@dataclass(frozen=True, slots=True)
class Wanted:
    """A text that may stand in a column."""

    table: Table
    column: Column
    text: str


def probe_values(
    database: Database,
    question: str,
    known: Sequence[ValueHint],
    tried: Sequence[str],
    how: Exploring = Exploring(),
) -> tuple[tuple[ValueHint, ...], tuple[Step, ...]]:
    """(values that are not among the `known` ones, a step for each execution).

    `tried` are queries whose comparisons are looked at. At most `how.queries` probes of `how.rows` rows.
    """
    schema = database.schema()
    wanted = dict.fromkeys([*_of_queries(tried, schema), *_of_question(question, known, schema)])
    hints: dict[ValueHint, None] = {}
    steps: list[Step] = []
    for want in wanted:
        for sql in _probes(want, schema):
            if len(steps) >= how.queries:
                break
            rows, step = probe(database, sql, how.rows, how.seconds)
            steps.append(step)
            found = _near(want.text, rows)
            if found:
                hints.update(dict.fromkeys(ValueHint(want.table.name, want.column.name, value) for value in found))
                break
    return tuple(hint for hint in hints if hint not in known), tuple(steps)


def _of_queries(tried: Sequence[str], schema: Schema) -> Iterator[Wanted]:
    for sql in dict.fromkeys(tried):
        try:
            compared = compared_values(parse(sql, schema.dialect), schema)
        except Refused:
            continue
        for (table_name, column_name), text in compared:
            namespace, _, name = table_name.rpartition(".")
            table = schema.table(name, namespace) or schema.table(table_name)
            column = table.column(column_name) if table else None
            if table is not None and column is not None and _TEXTUAL.search(column.type):
                yield Wanted(table, column, text)


def _of_question(question: str, known: Sequence[ValueHint], schema: Schema) -> Iterator[Wanted]:
    """Quoted texts and capitalised words that are no known value, in the text columns that rank best."""
    ranking = Ranker(schema).rank(question, known)
    columns = [
        (-ranking.columns.get((table.full_name, column.name), 0.0) - ranking.tables.get(table.full_name, 0.0), place)
        for place, (table, column) in enumerate(_text_columns(schema))
    ]
    best = [list(_text_columns(schema))[place] for _, place in sorted(columns)[:COLUMNS]]
    values = " ".join(hint.value.casefold() for hint in known)
    for match in _TOLD_APART.finditer(question.strip()):
        text = next(filter(None, match.groups()))
        if match.start() == 0 or text.casefold() in stop_words() or text.casefold() in values:
            continue
        for table, column in best:
            yield Wanted(table, column, text)


def _text_columns(schema: Schema) -> Iterator[tuple[Table, Column]]:
    return ((table, c) for table in schema for c in table.columns if _TEXTUAL.search(c.type))


def _probes(want: Wanted, schema: Schema) -> Iterator[str]:
    """Values that hold the text, then any values."""
    dialect = schema.dialect
    column = quote(want.column.name, dialect)
    table = ".".join(quote(part, dialect) for part in want.table.full_name)
    text = want.text.lower().replace("'", "''")
    if not set("\\%_") & set(text):
        yield f"SELECT DISTINCT {column} FROM {table} WHERE LOWER({column}) LIKE '%{text}%'"
    yield f"SELECT DISTINCT {column} FROM {table} WHERE {column} IS NOT NULL"


def _near(text: str, rows: Rows | str) -> list[str]:
    """The values that hold the text, else those that are like it."""
    values = [value for (value,) in rows if isinstance(value, str)] if isinstance(rows, Rows) else []
    folded = {value.casefold(): value for value in reversed(values)}
    holding = [value for value in values if text.casefold() in value.casefold()]
    return holding[:FEW] or [folded[match] for match in get_close_matches(text.casefold(), folded, FEW, LIKENESS)]
