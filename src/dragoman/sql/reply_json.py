"""Finds SQL in a JSON reply, whole or cut off."""

from __future__ import annotations

import json
import re
from typing import Any

_NAMES = (
    "sql", "final_sql", "sql_query", "sqlquery", "sql_statement", "query", "statement", "final_query", "code", "answer",
)  # fmt: skip
_FIELD = re.compile(
    r"[\"'](?P<name>" + "|".join(_NAMES) + r")[\"']\s*:\s*\"(?P<value>(?:[^\"\\]|\\.)*)(?P<end>\"|\Z)",
    re.IGNORECASE | re.DOTALL,
)
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


def sql_in_json(text: str) -> str | None:
    """The value of the field that names SQL, "" if it is empty, None where there is no such field.

    Of an object that is cut off, a field whose string was closed still counts; one that was cut inside the string
    counts only where it ends with a semicolon, for half a query would be a different query.
    """
    try:
        found = _search(json.loads(text, strict=False))
    except (ValueError, RecursionError):
        return _search_broken(text)
    return found


def _search(value: Any) -> str | None:
    if isinstance(value, dict):
        folded = {str(key).lower(): item for key, item in value.items()}
        for name in _NAMES:
            if isinstance(folded.get(name), str):
                return str(folded[name])
        value = list(value.values())
    if isinstance(value, list):
        found = [sql for item in value if (sql := _search(item)) is not None]
        return found[-1] if found else None
    return None


def _search_broken(text: str) -> str | None:
    whole = {m["name"].lower(): m for m in _FIELD.finditer(text) if m["end"] or m["value"].rstrip().endswith(";")}
    name = next((name for name in _NAMES if name in whole), None)
    return _ESCAPE.sub(_unescape, whole[name]["value"]) if name else None


def _unescape(match: re.Match[str]) -> str:
    code = match[1]
    return chr(int(code[1:], 16)) if code[0] == "u" and len(code) == 5 else _ESCAPES.get(code, code)
