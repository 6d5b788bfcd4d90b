"""The paths inside JSON columns, from a sample of their documents."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from dragoman.errors import DragomanError
from dragoman.schema import Column, Schema, Table
from dragoman.sql.quote import quote_always

DOCUMENTS = 20
MOST_COLUMNS = 40
MOST_PATHS = 200
MOST_KEYS = 60
DEEPEST = 6
TEXT = {"mysql": "CHAR"}
TYPES = {bool: "boolean", int: "number", float: "number", str: "string", type(None): "null", dict: "object"}


def with_json_paths(schema: Schema, fetch: Callable[[str], Sequence[tuple[Any, ...]]]) -> Schema:
    """The schema with `nested` filled for its JSON columns, by one query that reads a few documents of each.

    Columns of one name in tables whose names differ in digits alone (shards) all get the paths that three of them
    have: the first, the middle and the last. Beyond 40 columns that are read the rest is left as it was, and so is
    everything if the query fails or takes too long: paths are a help, no more.
    """
    alike: dict[tuple[str, ...], list[tuple[Table, Column]]] = {}
    for table in schema:
        for column in table.columns:
            if _is_json(table, column):
                alike.setdefault(_family(table, column), []).append((table, column))
    found = [place for places in alike.values() for place in _spread(places)][:MOST_COLUMNS]
    if not found:
        return schema
    selects = (_sample(number, table, column, schema.dialect) for number, (table, column) in enumerate(found))
    try:
        rows = fetch("\nUNION ALL\n".join(selects))
    except DragomanError:
        return schema
    documents: dict[tuple[str, ...], list[str]] = {}
    for number, document in sorted(rows, key=lambda row: int(row[0])):
        documents.setdefault(_family(*found[number]), []).append(document)
    nested = {family: json_paths(texts) for family, texts in documents.items()}

    def filled(table: Table) -> Table:
        columns = (
            replace(c, nested=nested.get(_family(table, c), c.nested)) if _is_json(table, c) else c
            for c in table.columns
        )
        return replace(table, columns=tuple(columns))

    return replace(schema, tables=tuple(map(filled, schema.tables)))


def json_paths(documents: Iterable[str | bytes]) -> tuple[tuple[str, str], ...]:
    """(path, type) of everything inside the documents, in the order of first sight; `[]` stands for array elements.

    A path of several types names them with "|". Documents that are not JSON, and objects of more than sixty keys
    (which are data, not structure), give nothing.
    """
    types: dict[str, dict[str, None]] = {}
    for document in documents:
        try:
            value = json.loads(document)
        except (ValueError, RecursionError):
            continue
        for path, kind in _paths(value, "", 0):
            types.setdefault(path, {})[kind] = None
    known = {path: "|".join(k for k in kinds if k != "null") or "null" for path, kinds in types.items()}
    return tuple(list(known.items())[:MOST_PATHS])


def _paths(value: Any, path: str, depth: int) -> Iterator[tuple[str, str]]:
    if depth > DEEPEST:
        return
    if isinstance(value, dict) and len(value) <= MOST_KEYS:
        for key, item in value.items():
            below = f"{path}.{key}" if path else key
            yield below, "array" if isinstance(item, list) else TYPES[type(item)]
            yield from _paths(item, below, depth + 1)
    elif isinstance(value, list):
        for item in value[:DOCUMENTS]:
            if isinstance(item, (dict, list)):
                yield from _paths(item, f"{path}[]", depth + 1)
            else:
                yield f"{path}[]", TYPES[type(item)]


def _family(table: Table, column: Column) -> tuple[str, ...]:
    """What the column of a shard has in common with those of its siblings."""
    return (table.schema, re.sub(r"\d", "", table.name), column.name, column.type)


def _spread(places: Sequence[tuple[Table, Column]]) -> list[tuple[Table, Column]]:
    """The first, the middle and the last."""
    return [places[at] for at in sorted({0, len(places) // 2, len(places) - 1})]


def _is_json(table: Table, column: Column) -> bool:
    return column.type.lower() in ("json", "jsonb") and not column.nested and table.kind != "view"


def _sample(number: int, table: Table, column: Column, dialect: str) -> str:
    place = ".".join(quote_always(part, dialect) for part in table.full_name)
    name = quote_always(column.name, dialect)
    text = f"CAST({name} AS {TEXT.get(dialect, 'VARCHAR')})"
    return f"(SELECT {number} AS number, {text} AS document FROM {place} WHERE {name} IS NOT NULL LIMIT {DOCUMENTS})"
