"""A schema as text: DDL, and a compact form of one line a table."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from importlib import resources

from dragoman.schema.schema import Column, ForeignKey, Schema, Table

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_BARE: dict[str, Callable[[str], str]] = {"postgres": str.lower, "snowflake": str.upper, "oracle": str.upper}
"""The case in which engines read bare names that mind it."""
_MARKS = {"mysql": "``", "bigquery": "``", "databricks": "``", "spark": "``", "tsql": "[]"}


def quoted(name: str, dialect: str) -> str:
    """The name between the dialect's identifier quotes, those inside it doubled."""
    marks = _MARKS.get(dialect, '""')
    return marks[0] + name.replace(marks[1], marks[1] * 2) + marks[1]


def named(name: str, dialect: str) -> str:
    """The name as prompt text shows it: bare where the engine reads it so and it is reserved nowhere, else quoted."""
    return name if is_plain(name) and keeps_case(name, dialect) else quoted(name, dialect)


def is_plain(name: str) -> bool:
    """Whether the name has nothing but letters, digits and underscores, and is reserved nowhere."""
    return bool(_PLAIN.fullmatch(name)) and name.lower() not in reserved_words()


def keeps_case(name: str, dialect: str) -> bool:
    """Whether the engine finds the name when it is written bare: some read bare names in one case."""
    return _BARE.get(dialect, str)(name) == name


@cache
def reserved_words() -> frozenset[str]:
    """Words in lower case that some engine reserves; quoting one that an engine does not reserve does no harm."""
    return frozenset(resources.files("dragoman.schema").joinpath("reserved_words.txt").read_text("utf-8").split())


def ddl(schema: Schema) -> str:
    """CREATE statements with keys and comments; views are shown as the tables they look like."""
    return "\n\n".join(_create(table, schema) for table in schema)


def compact(schema: Schema) -> str:
    """One line a table: `name(column type [key], ...)` with foreign keys as arrows and comments behind dashes."""
    return "\n".join(_line(table, schema) for table in schema)


def full_name(table: Table, dialect: str, default_schema: str = "") -> str:
    """The table's name as SQL would refer to it."""
    parts = table.full_name if table.schema != default_schema else (table.name,)
    return ".".join(named(part, dialect) for part in parts)


def _create(table: Table, schema: Schema) -> str:
    dialect = schema.dialect
    head = f"-- {_one_line(table.comment)}\n" if table.comment else ""
    view = "-- a view\n" if table.kind in ("view", "materialized view") else ""
    lines = [_definition(column, dialect, len(table.primary_key) == 1) for column in table.columns]
    if len(table.primary_key) > 1:
        lines.append((f"PRIMARY KEY ({_names(table.primary_key, dialect)})", ""))
    lines += [(f"FOREIGN KEY {_reference(key, dialect)}", "") for key in table.foreign_keys]
    body = "\n".join(
        f"  {text}{',' if i < len(lines) - 1 else ''}{'  -- ' + note if note else ''}"
        for i, (text, note) in enumerate(lines)
    )
    return f"{head}{view}CREATE TABLE {full_name(table, dialect, schema.default_schema)} (\n{body}\n);"


def _definition(column: Column, dialect: str, alone: bool) -> tuple[str, str]:
    parts = [named(column.name, dialect), column.type]
    if alone and column.primary_key:
        parts.append("PRIMARY KEY")
    elif not column.nullable:
        parts.append("NOT NULL")
    notes = [column.comment] if column.comment else []
    if column.values:
        notes.append("one of " + ", ".join(column.values))
    notes += [f"{path} {type_}" for path, type_ in column.nested]
    return " ".join(filter(None, parts)), _one_line("; ".join(notes))


def _line(table: Table, schema: Schema) -> str:
    dialect = schema.dialect
    arrows = {
        source: f" -> {named(key.target, dialect)}.{named(target, dialect)}"
        for key in table.foreign_keys
        for source, target in zip(key.columns, key.target_columns, strict=False)
    }
    columns = ", ".join(
        named(c.name, dialect)
        + (f" {c.type.lower()}" if c.type else "")
        + (" key" if c.primary_key else "")
        + arrows.get(c.name, "")
        for c in table.columns
    )
    comment = f"  -- {_one_line(table.comment)}" if table.comment else ""
    return f"{full_name(table, dialect, schema.default_schema)}({columns}){comment}"


def _names(names: tuple[str, ...], dialect: str) -> str:
    return ", ".join(named(name, dialect) for name in names)


def _reference(key: ForeignKey, dialect: str) -> str:
    target = named(key.target, dialect)
    if key.target_schema:
        target = f"{named(key.target_schema, dialect)}.{target}"
    columns = f" ({_names(key.target_columns, dialect)})" if key.target_columns else ""
    return f"({_names(key.columns, dialect)}) REFERENCES {target}{columns}"


def _one_line(text: str) -> str:
    return " ".join(text.split())
