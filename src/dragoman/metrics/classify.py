"""Why a query failed: from the engine's message and from the tree."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from dragoman.databases.database import Database
from dragoman.errors import DragomanError, QueryTimeout, Refused, Unreadable
from dragoman.metrics.verdict import Verdict
from dragoman.sql.parse import parse
from dragoman.sql.references import unresolved


@dataclass(frozen=True, slots=True)
class Kind:
    """The verdict on a failed query, and what else is wrong with it."""

    verdict: Verdict
    invalid_reference: bool = False
    missing_function: bool = False


def classify(error: DragomanError, sql: str, database: Database) -> Kind:
    """What kind of mistake is behind `error`, which `sql` met on `database`."""
    said = kinds_said(str(error), "guard" if isinstance(error, Refused) else database.dialect)
    missing = "missing_function" in said
    if isinstance(error, QueryTimeout):
        verdict = Verdict.TIMEOUT
    elif isinstance(error, Unreadable):
        verdict = _unreadable(sql, said)
    elif "invalid_reference" in said:
        verdict = Verdict.INVALID_REFERENCE
    elif missing:
        verdict = Verdict.MISSING_FUNCTION
    elif isinstance(error, Refused) or "refused" in said:
        return Kind(Verdict.REFUSED)
    elif "syntax" in said:
        verdict = Verdict.SYNTAX
    else:
        verdict = Verdict.INVALID_REFERENCE if invalid_references(sql, database) else Verdict.WRONG
    return Kind(verdict, "invalid_reference" in said or bool(invalid_references(sql, database)), missing)


def invalid_references(sql: str, database: Database) -> tuple[str, ...]:
    """Names in `sql` that name nothing, also in parts that never run; () where the text cannot be read.

    On SQLite a double-quoted name that names nothing is among them, although SQLite takes it for a string.
    """
    try:
        tree = parse(sql, database.dialect)
    except Unreadable:
        return ()
    return tuple(found.name for found in unresolved(tree, database.schema()))


def quoted_references(sql: str, database: Database) -> tuple[str, ...]:
    """Double-quoted names that name nothing and that SQLite takes for strings; () on other engines."""
    if database.dialect != "sqlite" or '"' not in sql:
        return ()
    try:
        tree = parse(sql, database.dialect)
    except Unreadable:
        return ()
    return tuple(found.name for found in unresolved(tree, database.schema()) if found.quoted and not found.table)


def kinds_said(message: str, dialect: str) -> frozenset[str]:
    """The kinds of mistake that the message of an engine tells, from messages.toml.

    Of an engine that has no words there, those of every engine are looked for.
    """
    kinds = ("invalid_reference", "missing_function", "syntax", "refused")
    return frozenset(kind for kind in kinds if any(p.search(message) for p in _patterns(kind, dialect)))


@cache
def _patterns(kind: str, dialect: str) -> tuple[re.Pattern[str], ...]:
    table = _messages()[kind]
    engines = (
        [dialect] if dialect in _messages()["syntax"] or dialect == "guard" else [e for e in table if e != "guard"]
    )
    found = [pattern for engine in engines for pattern in table.get(engine, ())]
    return tuple(re.compile(pattern, re.IGNORECASE | re.DOTALL) for pattern in found)


@cache
def _messages() -> dict[str, dict[str, list[str]]]:
    return tomllib.loads(files("dragoman.metrics").joinpath("messages.toml").read_text(encoding="utf-8"))


def _unreadable(sql: str, said: frozenset[str]) -> Verdict:
    words = re.findall(r"\w+|\S", re.sub(r"--[^\n]*|/\*.*?\*/|;", " ", sql, flags=re.DOTALL))
    if not words:
        return Verdict.NO_ANSWER
    statement = words[0].lower() in _messages()["statements"]["first_words"]
    return Verdict.REFUSED if statement or "refused" in said else Verdict.SYNTAX
