"""Drafts a workload from templates: no model, plain questions, SQL that is right by construction."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from importlib.resources import files
from random import Random

from dragoman.bench.draft.accept import Draft, Proposal, accept
from dragoman.databases import Database, Limits
from dragoman.errors import QueryError, Refused
from dragoman.schema import Column, ForeignKey, Schema, Table
from dragoman.sql.quote import quote, quote_table

_NUMBER = re.compile(r"int|real|num|dec|float|double|money", re.IGNORECASE)
_KEY = re.compile(r"(^|[_\s])(id|code|key|no|nr|number)$|(?<=[a-z])ID$", re.IGNORECASE)
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_]+|\d+")
MOST_CATEGORIES = 12

Fill = Mapping[str, tuple[str, str]]
"""Place in a template -> (as words, as SQL)."""


def draft_with_templates(database: Database, number: int, random: Random) -> Draft:
    """Up to `number` proposals that hold up, in an order drawn by `random`."""
    text = files("dragoman.bench.draft").joinpath("templates.toml").read_text(encoding="utf-8")
    templates: list[dict[str, str]] = tomllib.loads(text)["template"]
    fills = _fills(database, database.schema())
    proposals = [_proposal(t, fill) for t in templates for fill in fills.get(t["needs"], ())]
    random.shuffle(proposals)
    return accept(proposals, database, number)


def _proposal(template: Mapping[str, str], fill: Fill) -> Proposal:
    question = template["question"].format(**{place: words for place, (words, _) in fill.items()})
    return question, template["sql"].format(**{place: sql for place, (_, sql) in fill.items()})


def _fills(database: Database, schema: Schema) -> dict[str, list[Fill]]:
    """What there is to fill each kind of template with."""
    found: dict[str, list[Fill]] = {kind: [] for kind in ("table", "number", "category", "text", "parent")}
    for table in schema:
        about = {"table": (_plural(table.name), quote_table(table, schema))}
        found["table"].append(about)
        label = _label(table)
        for column in table.columns:
            if _is_number(column, table):
                filled = {**about, "column": _column(column, schema)}
                found["number"].append(filled)
                if label is not None:
                    found["text"].append({**filled, "label": _column(label, schema)})
            elif value := _category(database, schema, table, column):
                found["category"].append({**about, "column": _column(column, schema), "value": value})
        found["parent"] += list(_parents(schema, table, about))
    return found


def _parents(schema: Schema, table: Table, about: Fill) -> Iterator[Fill]:
    for key in table.foreign_keys:
        parent = schema.table(key.target, key.target_schema)
        label = _label(parent) if parent else None
        if parent is None or label is None or parent is table or not _is_simple(key):
            continue
        yield {
            **about,
            "parent": (_plural(parent.name), quote_table(parent, schema)),
            "label": _column(label, schema),
            "key": (key.columns[0], quote(key.columns[0], schema.dialect)),
            "target": (key.target_columns[0], quote(key.target_columns[0], schema.dialect)),
        }


def _is_simple(key: ForeignKey) -> bool:
    return len(key.columns) == len(key.target_columns) == 1


def _is_number(column: Column, table: Table) -> bool:
    keys = {name for key in table.foreign_keys for name in key.columns}
    named = column.primary_key or column.name in keys or _KEY.search(column.name)
    return bool(_NUMBER.search(column.type)) and not named


def _label(table: Table) -> Column | None:
    """The text column that names a row: one with "name" or "title" in it."""
    texts = [column for column in table.columns if not _NUMBER.search(column.type)]
    return next((column for column in texts if re.search(r"name|title", column.name, re.IGNORECASE)), None)


def _category(database: Database, schema: Schema, table: Table, column: Column) -> tuple[str, str] | None:
    """The most frequent value of a text column with few values, as words and as SQL; None for other columns."""
    name, source = quote(column.name, schema.dialect), quote_table(table, schema)
    if _NUMBER.search(column.type) or column.primary_key or _KEY.search(column.name):
        return None
    sql = f"SELECT {name}, COUNT(*) FROM {source} WHERE {name} IS NOT NULL GROUP BY {name} ORDER BY 2 DESC, 1"
    try:
        rows = database.execute(sql, Limits(MOST_CATEGORIES, 10.0))
    except (QueryError, Refused):
        return None
    values = [row[0] for row in rows]
    if rows.truncated or len(values) < 2 or not all(isinstance(v, str) and 0 < len(v) <= 40 for v in values):
        return None
    return values[0], "'" + values[0].replace("'", "''") + "'"


def _column(column: Column, schema: Schema) -> tuple[str, str]:
    return _words(column.name), quote(column.name, schema.dialect)


def _words(name: str) -> str:
    return " ".join(word.lower() for word in _WORD.findall(name)) or name


def _plural(name: str) -> str:
    words = _words(name)
    if words.endswith("s"):
        return words
    return words[:-1] + "ies" if words.endswith("y") and words[-2:-1] not in "aeiou" else words + "s"
