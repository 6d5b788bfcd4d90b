"""The prompt form of the SQL adapter: the one place that training and inference share.

    singer(singer_id num, name, country)
    concert(concert_id num, venue, singer_id num -> singer.singer_id)

    Q: Which singers come from France?
    V: singer.country = 'France'
    SQL: FROM singer WHERE country = 'France' SELECT name

The completion is SQL with the SELECT clause behind HAVING (`order="from"`), so that the tables are chosen before
the columns, or in the usual order (`order="select"`). Names are in lower case, quoted where they are no plain words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from dragoman.errors import Unreadable
from dragoman.models.embedded.grammar import grammar
from dragoman.models.embedded.spelling import written
from dragoman.schema import Column, Schema, Table
from dragoman.sql.from_first import from_first, select_first
from dragoman.sql.plain import plain_sql
from dragoman.sql.real_names import real_names

Order = Literal["from", "select"]

_TYPES = (
    ("bool", re.compile(r"bool|^bit", re.IGNORECASE)),
    ("date", re.compile(r"date|time|year", re.IGNORECASE)),
    ("num", re.compile(r"int|num|real|float|double|dec|money|serial", re.IGNORECASE)),
)


@dataclass(frozen=True, slots=True)
class SqlForm:
    """Builds prompts and reads completions. `order` is the order of clauses that the adapter was trained on."""

    order: Order = "from"
    stop: tuple[str, ...] = ("\n",)
    budget: int = 2200

    def size(self, schema: Schema) -> int:
        """Characters of the schema in a prompt; one larger than `budget` must be cut before."""
        return schema_size(schema)

    def prompt(self, schema: Schema, question: str, values: Sequence[tuple[str, str, str]] = ()) -> str:
        """The raw prompt; `values` are (table, column, value) hints. It begins with what all questions share."""
        return schema_text(schema) + question_text(question, values)

    def grammar(self, schema: Schema) -> str:
        """GBNF of the completions that name only what `schema` has."""
        return grammar(schema, self.order)

    def completion(self, sql: str, schema: Schema) -> str:
        """What the model is to write after the prompt for this gold SQL (of `schema.dialect`). Raises `Unreadable`."""
        text = plain_sql(sql, schema, written)
        return " " + (from_first(text) if self.order == "from" else text)

    def sql(self, text: str, schema: Schema) -> str:
        """The executable SQL that a completion stands for; text that cannot be read comes back as it stands."""
        usual = select_first(text.split("\n")[0])
        try:
            return real_names(usual, schema)
        except Unreadable:
            return usual


def schema_text(schema: Schema) -> str:
    """One line a table. Text that follows begins with a line break, so that tokens end here too."""
    return "".join(_table(table) + "\n" for table in schema)


def schema_size(schema: Schema) -> int:
    """Characters that the schema takes in a prompt; a token stands for about three."""
    return len(schema_text(schema))


def question_text(question: str, values: Sequence[tuple[str, str, str]] = ()) -> str:
    """The question with its value hints, up to where the model goes on."""
    hints = "; ".join(f"{written(table)}.{written(column)} = {_string(value)}" for table, column, value in values)
    return f"\nQ: {' '.join(question.split())}\n" + (f"V: {hints}\n" if hints else "") + "SQL:"


def type_word(column: Column) -> str:
    """The declared type reduced to "num", "date", "bool", or "" for text and all others."""
    return next((word for word, pattern in _TYPES if pattern.search(column.type)), "")


def _table(table: Table) -> str:
    return f"{written(table.name)}({', '.join(_column(c, table) for c in table.columns)})"


def _column(column: Column, table: Table) -> str:
    target = next(
        (
            f"-> {written(key.target)}.{written(there)}"
            for key in table.foreign_keys
            for here, there in zip(key.columns, key.target_columns, strict=False)
            if here.lower() == column.name.lower()
        ),
        "",
    )
    return " ".join(filter(None, (written(column.name), type_word(column), target)))


def _string(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"
