"""The paths below a nested type, read from the engine's spelling of it."""

from __future__ import annotations

import re
from collections.abc import Iterator

CLOSING = {"(": ")", "<": ">", "[": "]"}
DEEPEST = 12


def nested_paths(spelling: str, path: str = "", depth: int = 0) -> tuple[tuple[str, str], ...]:
    """(path, type) of every field of a struct, however deep; `[]` stands for the elements of an array.

    Reads DuckDB's `STRUCT(a INTEGER, b STRUCT(c VARCHAR)[])`, BigQuery's `ARRAY<STRUCT<a INT64>>` and Snowflake's
    `OBJECT(a NUMBER)`. Types without fields have no paths.
    """
    spelling = spelling.strip()
    if depth > DEEPEST:
        return ()
    array = re.fullmatch(r"(.*)\[\d*\]", spelling, re.DOTALL) or re.fullmatch(
        r"ARRAY\s*[<(](.*)[>)]", spelling, re.DOTALL | re.IGNORECASE
    )
    if array:
        return nested_paths(array[1], path + "[]", depth + 1)
    struct = re.fullmatch(r"(?:STRUCT|OBJECT|ROW|RECORD)\s*[<(](.*)[>)]", spelling, re.DOTALL | re.IGNORECASE)
    if not struct:
        return ()
    found: list[tuple[str, str]] = []
    for field in split_list(struct[1]):
        name, type_ = _field(field)
        below = f"{path}.{name}" if path else name
        found += [(below, type_), *nested_paths(type_, below, depth + 1)]
    return tuple(found)


def split_list(text: str) -> Iterator[str]:
    """The parts of a comma-separated list; commas inside brackets and quotes do not part."""
    depth, start, position = 0, 0, 0
    while position < len(text):
        character = text[position]
        if character in "\"'`":
            end = text.find(character, position + 1)
            position = len(text) if end < 0 else end
        elif character in CLOSING:
            depth += 1
        elif character in CLOSING.values():
            depth -= 1
        elif character == "," and depth == 0:
            yield text[start:position].strip()
            start = position + 1
        position += 1
    if text[start:].strip():
        yield text[start:].strip()


def _field(text: str) -> tuple[str, str]:
    quoted = re.match(r'"((?:[^"]|"")*)"\s*|`([^`]*)`\s*', text)
    if quoted:
        name = quoted[1].replace('""', '"') if quoted[1] is not None else quoted[2]
        return name, text[quoted.end() :].strip()
    name, _, type_ = text.partition(" ")
    return name, type_.strip()
