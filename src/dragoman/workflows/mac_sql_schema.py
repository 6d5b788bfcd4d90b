"""MAC-SQL's selector: what is shown of a schema, and how it is pruned."""

from __future__ import annotations

import datetime
import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from dragoman.schema import Column, Schema, Table, ddl
from dragoman.schema.render import full_name, named
from dragoman.sql.extract import without_thoughts
from dragoman.workflows.sample_values import LONGEST, SampleValues, examples, with_values
from dragoman.workflows.schema_forms import foreign_keys
from dragoman.workflows.schema_part import Chosen, FullName, read_columns, schema_part
from dragoman.workflows.stages import Stages

MOST_NUMBERS = 10
"""Different numbers; a column with more of them shows none."""

_ADDRESS = re.compile(r"\A(?:https?://|www\.)|\A\S+@\S+\.\w+\Z", re.IGNORECASE)
_NAME = r"(?:\"[^\"]+\"|`[^`]+`|\[[^\]]+\]|[\w$]+)"
_CREATE = re.compile(
    rf"CREATE\s+TABLE\s+((?:{_NAME}\.)*{_NAME})\s*\((.*?)(?:\n\s*\)|\);|\Z)", re.IGNORECASE | re.DOTALL
)
_FIRST_WORD = re.compile(rf"(?:^|,)\s*({_NAME})", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Pruning:
    """Schemas with at most `mean` columns a table and `total` columns in all are not pruned.

    Of every other table that is not kept whole, `columns` columns stay, those that the selector names first. It is told
    to name at least `tables` tables, and to keep tables of at most `whole` columns.
    """

    mean: float = 6.0
    total: int = 30
    columns: int = 6
    tables: int = 3
    whole: int = 10


def prune(stages: Stages, how: Pruning, most: int) -> Schema:
    """The schema as the selector prunes it in one call, whole where it is small or the reply cannot be read.

    No table is dropped: one that the selector drops or forgets keeps its first columns. Keys always stay.
    """
    schema = stages.schema
    total = sum(len(table.columns) for table in schema)
    if total <= how.total and total <= how.mean * len(schema.tables):
        return schema
    words = {
        "schema": stages.fence(described(schema, stages.values, most), "schema"),
        "columns": str(how.columns),
        "tables": str(how.tables),
        "whole": str(how.whole),
    }
    (reply,) = stages.ask("linker", "mac_sql/select", words)
    chosen = read_columns(reply.text, schema)
    stages.note("link", read=int(bool(chosen)), chosen=_told(chosen))
    if not chosen:
        return schema
    kept = {table.full_name: _padded(table, chosen.get(table.full_name, ()), how.columns) for table in schema}
    return schema_part(schema, kept)


def select_once(stages: Stages, most: int) -> Schema:
    """The tables and columns that one reply names as JSON, or shows as CREATE statements; all if it does neither."""
    schema = stages.schema
    words = {"schema": stages.fence(ddl(with_values(schema, stages.values, most)), "schema")}
    (reply,) = stages.ask("linker", "mac_sql/select_unified", words)
    chosen = read_columns(reply.text, schema) or read_ddl(reply.text, schema)
    stages.note("link", read=int(bool(chosen)), chosen=_told(chosen))
    return schema_part(schema, {name: columns or None for name, columns in chosen.items()}) if chosen else schema


def described(schema: Schema, values: SampleValues | None, most: int) -> str:
    """A line for each column with what it means and up to `most` of its values, then the foreign keys.

    Dates show one value; addresses, long texts and columns of many numbers show none.
    """
    blocks = [_block(table, schema, values, most) for table in schema]
    keys = list(foreign_keys(schema))
    return "\n".join([*blocks, *(["# Foreign keys", *keys] if keys else [])])


def read_ddl(text: str, schema: Schema) -> Chosen:
    """The tables and columns of `schema` in the CREATE TABLE statements of a reply; nothing if there are none."""
    found: dict[FullName, tuple[str, ...]] = {}
    for name, body in _CREATE.findall(without_thoughts(text)):
        table = schema.table(name.rpartition(".")[2].strip('`"[]'))
        if table is not None:
            columns = (table.column(word.strip('`"[]')) for word in _FIRST_WORD.findall(body))
            found[table.full_name] = tuple(dict.fromkeys(column.name for column in columns if column is not None))
    return found


def shown_values(column: Column, values: Sequence[Any], most: int) -> list[str]:
    """Those of a column's values that its line shows."""
    if any(isinstance(value, str) and (len(value) > LONGEST or _ADDRESS.search(value)) for value in values):
        return []
    numbers = [value for value in values if isinstance(value, (int, float, Decimal)) and not isinstance(value, bool)]
    if len(numbers) > MOST_NUMBERS:
        return []
    dates = "DATE" in column.type.upper() or "TIME" in column.type.upper()
    if dates or any(isinstance(value, (datetime.date, datetime.time)) for value in values):
        most = min(most, 1)
    return examples(values, most)


def _block(table: Table, schema: Schema, values: SampleValues | None, most: int) -> str:
    found = values.of(table) if values is not None and most else {}
    name = full_name(table, schema.dialect, schema.default_schema)
    lines = [
        _line(column, schema.dialect, shown_values(column, found.get(column.name, ()), most))
        for column in table.columns
    ]
    return "\n".join([f"# Table {name}" + (f": {' '.join(table.comment.split())}" if table.comment else ""), *lines])


def _line(column: Column, dialect: str, shown: Sequence[str]) -> str:
    meaning = " ".join(column.comment.split()) or column.name.replace("_", " ")
    values = f", values {', '.join(shown)}" if shown else ""
    return f"  ({named(column.name, dialect)}: {meaning}{', key' if column.primary_key else ''}{values})"


def _padded(table: Table, chosen: Sequence[str], most: int) -> list[str]:
    """The chosen columns, filled up with the table's first ones to `most`."""
    others = (column.name for column in table.columns if column.name not in chosen)
    return [*chosen, *(name for name, _ in zip(others, range(most - len(chosen)), strict=False))]


def _told(chosen: Chosen) -> dict[str, list[str]]:
    return {".".join(name): list(columns) for name, columns in chosen.items()}
