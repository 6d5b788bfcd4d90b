"""DuckDB's values in Python, where its client's own choice would lose something."""

from __future__ import annotations

import contextlib
import datetime
import re
from collections.abc import Callable, Sequence
from typing import Any

import duckdb

from dragoman.sql.quote import quote_always

AS_TEXT = frozenset({"INTERVAL", "TIMESTAMP_NS"})
"""Types that the client shortens: months become 30 days, nanoseconds are cut off."""


def execute_exactly(session: duckdb.DuckDBPyConnection, sql: str) -> list[str]:
    """Run a query and give the types of its columns. Columns of types in `AS_TEXT` arrive as text."""
    session.execute(sql)
    types = [str(column[1]) for column in session.description or ()]
    if not AS_TEXT.isdisjoint(types):
        names = [quote_always(column[0], "duckdb") for column in session.description or ()]
        inner = re.sub(r";\s*(?:--[^\n]*\s*|/\*.*?\*/\s*)*$", "", sql, flags=re.DOTALL)
        inside = ", ".join(f"c{i}" for i in range(len(names)))
        casts = [f"CAST(c{i} AS VARCHAR)" if type_ in AS_TEXT else f"c{i}" for i, type_ in enumerate(types)]
        shown = ", ".join(f"{cast} AS {name}" for cast, name in zip(casts, names, strict=True))
        try:
            session.execute(f"SELECT {shown} FROM (\n{inner}\n) AS q({inside})")
        except duckdb.ParserException:  # a shape that is no subquery
            session.execute(sql)
    return types


def exact_rows(batch: Sequence[tuple[Any, ...]], types: Sequence[str]) -> Sequence[tuple[Any, ...]]:
    """The rows with every value as the engine's documentation says."""
    converted = {i: CONVERTED[type_] for i, type_ in enumerate(types) if type_ in CONVERTED}
    if not converted:
        return batch
    return [
        tuple(
            converted[i](value) if i in converted and isinstance(value, str) else value for i, value in enumerate(row)
        )
        for row in batch
    ]


def _interval(text: str) -> datetime.timedelta | str:
    """An exact timedelta, or the text itself where months or years are in it."""
    match = re.fullmatch(r"(?:(-?\d+) days?)?\s*(?:(-?)(\d+):(\d+):(\d+)(?:\.(\d+))?)?", text)
    if match is None:
        return text
    days, sign, hours, minutes, seconds, fraction = match.groups()
    with contextlib.suppress(OverflowError):
        clock = datetime.timedelta(
            hours=int(hours or 0),
            minutes=int(minutes or 0),
            seconds=int(seconds or 0),
            microseconds=int((fraction or "0").ljust(6, "0")),
        )
        return datetime.timedelta(days=int(days or 0)) + (-clock if sign else clock)
    return text


CONVERTED: dict[str, Callable[[str], Any]] = {"INTERVAL": _interval, "BIGNUM": int}
