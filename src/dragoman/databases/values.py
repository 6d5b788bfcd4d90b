"""One mapping of values to text, JSON and CSV, the same for every engine and every output.

| value in Python            | table, Markdown          | JSON                         | CSV             |
|----------------------------|--------------------------|------------------------------|-----------------|
| None                       | NULL                     | null                         | (nothing)       |
| "" (empty text)            | (nothing)                | ""                           | ""              |
| str                        | as it is                 | string                       | as it is        |
| str with undecodable bytes | U+FFFD for each          | U+FFFD for each              | U+FFFD for each |
| bool                       | true, false              | true, false                  | true, false     |
| int within 2**53           | digits                   | number                       | digits          |
| larger int                 | digits                   | string of digits             | digits          |
| float                      | shortest that reads back | number                       | same            |
| NaN, infinities            | NaN, Infinity, -Infinity | the same as strings          | same            |
| Decimal                    | exact digits             | string of exact digits       | exact digits    |
| bytes                      | x'hex'                   | {"hex": "..."}               | x'hex'          |
| date, time, datetime       | ISO 8601, zone kept      | string, ISO 8601             | ISO 8601        |
| timedelta                  | ISO 8601 duration        | string, ISO 8601 duration    | same            |
| list, dict, UUID, others   | JSON text, str()         | array, object, string        | JSON text       |
"""

from __future__ import annotations

import csv
import datetime
import io
import json
import math
from collections import Counter
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

EXACT_IN_JSON = 2**53


def to_text(value: Any) -> str:
    """The value as people read it in a table; NULL is the word NULL, empty text is empty."""
    if value is None:
        return "NULL"
    if isinstance(value, str):
        return readable(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (bytes, bytearray, memoryview)):
        return f"x'{bytes(value).hex()}'"
    if isinstance(value, (list, tuple, dict)):
        return json.dumps(to_json(value), ensure_ascii=False)
    if isinstance(value, int):
        return str(value)
    plain = to_json(value)
    return plain if isinstance(plain, str) else repr(plain)


def to_json(value: Any) -> Any:
    """The value as something `json.dumps` writes without loss."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return readable(value)
    if isinstance(value, int):
        return value if abs(value) <= EXACT_IN_JSON else str(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else _not_finite(value)
    if isinstance(value, Decimal):
        return format(value, "f") if value.is_finite() else _not_finite(value)
    if isinstance(value, (bytes, bytearray, memoryview)):
        return {"hex": bytes(value).hex()}
    if isinstance(value, datetime.timedelta):
        return _duration(value)
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    if isinstance(value, dict):
        return {to_text(key): to_json(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [to_json(item) for item in value]
    return str(value)


def readable(text: str) -> str:
    """Text that any encoder takes: undecodable bytes become U+FFFD."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace") if _escaped(text) else _cleaned(text)
    return text


def unique_names(columns: Sequence[str]) -> tuple[str, ...]:
    """Column names kept apart: id, id becomes id, id_2; a name that is taken is never given twice."""
    taken = set(columns)
    seen: Counter[str] = Counter()
    names: list[str] = []
    for column in columns:
        seen[column] += 1
        name = column
        if seen[column] > 1:
            number = seen[column]
            while (name := f"{column}_{number}") in taken:
                number += 1
            taken.add(name)
        names.append(name)
    return tuple(names)


def to_csv(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """RFC 4180 with a header; NULL is an empty field, empty text is a quoted empty field."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_MINIMAL)
    writer.writerow([readable(name) for name in unique_names(columns)])
    for row in rows:
        out.write(",".join(_csv_field(value) for value in row) + "\n")
    return out.getvalue()


def to_markdown(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """A GitHub-flavoured table; bars and line breaks inside cells are escaped."""
    lines = [list(columns), ["---"] * len(columns), *([to_text(v) for v in row] for row in rows)]
    return "".join("| " + " | ".join(_markdown_cell(cell) for cell in line) + " |\n" for line in lines)


def _csv_field(value: Any) -> str:
    if value is None:
        return ""
    text = to_text(value)
    if text == "" or any(mark in text for mark in ',"\n\r') or text != text.strip():
        return '"' + text.replace('"', '""') + '"'
    return text


def _markdown_cell(text: str) -> str:
    escaped = readable(text).replace("\\", "\\\\").replace("|", "\\|")
    return escaped.replace("\r\n", "<br>").replace("\n", "<br>").replace("\r", "<br>")


def _escaped(text: str) -> bool:
    return all(not 0xD800 <= ord(c) <= 0xDFFF or 0xDC80 <= ord(c) <= 0xDCFF for c in text)


def _cleaned(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")


def _not_finite(value: float | Decimal) -> str:
    if value.is_nan() if isinstance(value, Decimal) else math.isnan(value):
        return "NaN"
    return "Infinity" if value > 0 else "-Infinity"


def _duration(value: datetime.timedelta) -> str:
    """ISO 8601: P1DT2H3M4.5S; a negative one carries the sign in front."""
    sign, value = ("-", -value) if value < datetime.timedelta(0) else ("", value)
    hours, rest = divmod(value.seconds, 3600)
    minutes, seconds = divmod(rest, 60)
    fraction = f".{value.microseconds:06d}".rstrip("0") if value.microseconds else ""
    return f"{sign}P{value.days}DT{hours}H{minutes}M{seconds}{fraction}S"
