"""A refinement for other tools: dbt, the database's own comments, JSON, or descriptions alone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from dragoman.errors import SetupError
from dragoman.refine.refinement import Place, Refinement, refined_schema, tables_by_key
from dragoman.refine.vocabulary import name_words
from dragoman.schema import Schema, Table
from dragoman.sql.quote import quote, quote_table

COMMENT_ON = frozenset({"postgres", "redshift", "duckdb", "snowflake", "oracle"})
"""Dialects with COMMENT ON TABLE and COMMENT ON COLUMN."""


def to_json(schema: Schema, refinement: Refinement) -> str:
    """New names and comments by table and column, in base names."""
    found: dict[str, Any] = {}
    for key, old, new in _pairs(schema, refinement):
        columns = {
            before.name: _entry(before.name, now.name, now.comment)
            for before, now in zip(old.columns, new.columns, strict=True)
        }
        found[key] = {**_entry(old.name, new.name, new.comment), "columns": columns}
    return json.dumps(found, ensure_ascii=False, indent=2) + "\n"


def to_descriptions(schema: Schema, refinement: Refinement) -> str:
    """A description in words for every renamed place, by its base name, for tools that take no other names: JSON."""
    texts = {".".join(filter(None, place)): text for place, text in descriptions(schema, refinement).items()}
    return json.dumps(texts, ensure_ascii=False, indent=2) + "\n"


def to_comments(schema: Schema, refinement: Refinement) -> str:
    """SQL that writes the descriptions of renamed places as comments of the base tables and columns.

    Raises `SetupError` where the dialect has no such statement.
    """
    dialect = schema.dialect
    if dialect not in COMMENT_ON:
        raise SetupError(f"{dialect} has no COMMENT ON statement. Export as json, dbt or descriptions.")
    tables = tables_by_key(schema)
    lines = []
    for (key, column), text in descriptions(schema, refinement).items():
        where = quote_table(tables[key], schema)
        place = f"COLUMN {where}.{quote(column, dialect)}" if column else f"TABLE {where}"
        lines.append(f"COMMENT ON {place} IS {_string(text, dialect)};\n")
    return "".join(lines)


def to_dbt(schema: Schema, refinement: Refinement) -> str:
    """A dbt schema.yml of the views: names, descriptions, old names under `meta`, and tests for keys."""
    lines = ["version: 2", "", "models:"]
    after = refined_schema(schema, refinement)
    for _, old, new in _pairs(schema, refinement):
        lines.append(f"  - name: {_yaml(new.name)}")
        lines += _described(new.comment, "    ")
        lines += [f"    meta: {{base_table: {_yaml('.'.join(old.full_name))}}}", "    columns:"]
        for before, now in zip(old.columns, new.columns, strict=True):
            lines.append(f"      - name: {_yaml(now.name)}")
            lines += _described(now.comment, "        ")
            lines.append(f"        meta: {{base_column: {_yaml(before.name)}}}")
            if tests := list(_tests(now.name, new, after)):
                lines += ["        data_tests:", *(f"          - {test}" for test in tests)]
    return "\n".join(lines) + "\n"


def descriptions(schema: Schema, refinement: Refinement) -> dict[Place, str]:
    """What every renamed or described place holds, in words: its new name's, and its comment if there is one.

    As `Refinement(descriptions=...)` these are the arm that describes names and changes none (EGRefine, section VI-D).
    """
    found: dict[Place, str] = {}
    for key, old, new in _pairs(schema, refinement):
        for place, before, now, comment in (
            ((key, ""), old.name, new.name, new.comment),
            *(((key, b.name), b.name, n.name, n.comment) for b, n in zip(old.columns, new.columns, strict=True)),
        ):
            if before != now or place in refinement.descriptions:
                words = " ".join(name_words(now)) if before != now else ""
                found[place] = ": ".join(filter(None, (words, comment)))
    return found


def _pairs(schema: Schema, refinement: Refinement) -> Iterator[tuple[str, Table, Table]]:
    """(key, base table, refined table) of every table that the refinement speaks of."""
    touched = {key for key, _ in (*refinement.names, *refinement.descriptions)}
    tables = tables_by_key(schema)
    for (key, old), new in zip(tables.items(), refined_schema(schema, refinement), strict=True):
        if key in touched:
            yield key, old, new


def _entry(before: str, now: str, comment: str) -> dict[str, str]:
    return {"name": now} | ({"comment": comment} if comment else {}) | ({"was": before} if before != now else {})


def _tests(column: str, table: Table, schema: Schema) -> Iterator[str]:
    found = table.column(column)
    if table.primary_key == (column,):
        yield "unique"
    if found and (found.primary_key or not found.nullable):
        yield "not_null"
    for key in table.foreign_keys:
        if key.columns == (column,) and len(key.target_columns) == 1 and schema.table(key.target):
            target = _yaml(f"ref({_string(key.target)})")
            yield f"relationships: {{to: {target}, field: {_yaml(key.target_columns[0])}}}"


def _described(text: str, indent: str) -> list[str]:
    return [f"{indent}description: {_yaml(text)}"] if text else []


def _yaml(text: str) -> str:
    """A string as YAML reads it: JSON's form, which YAML takes in."""
    return json.dumps(text, ensure_ascii=False)


def _string(text: str, dialect: str = "") -> str:
    if dialect == "snowflake":
        text = text.replace("\\", "\\\\")
    return "'" + text.replace("'", "''") + "'"
