"""PostgreSQL's values in Python, where psycopg's own choice would lose something.

Kept from psycopg: bool, int, float (NaN and infinities included), Decimal (NaN and infinities included), str, bytes,
UUID, date, time, datetime (with its zone for timestamptz), lists for arrays.

Changed here: an interval with months or years, an infinite or far date, the time 24:00, a range, a network address,
json and jsonb arrive as PostgreSQL's own text. An interval without months is an exact timedelta.
"""

from __future__ import annotations

from typing import Any

import psycopg
from psycopg.adapt import Loader
from psycopg.types.datetime import (
    DateLoader,
    IntervalLoader,
    TimeLoader,
    TimestampLoader,
    TimestamptzLoader,
    TimetzLoader,
)
from psycopg.types.string import TextBinaryLoader, TextLoader

AS_TEXT = (
    "json", "jsonb", "inet", "cidr", "int4range", "int8range", "numrange", "daterange", "tsrange", "tstzrange",
    "int4multirange", "int8multirange", "nummultirange", "datemultirange", "tsmultirange", "tstzmultirange",
)  # fmt: skip


class _Exact(IntervalLoader):
    """A timedelta, or text where months or years make the length of the interval depend on the calendar."""

    def load(self, data: Any) -> Any:
        text = bytes(data).decode()
        return text if "mon" in text or "year" in text else _or_text(super().load, data)


class _Date(DateLoader):
    def load(self, data: Any) -> Any:
        return _or_text(super().load, data)


class _Time(TimeLoader):
    def load(self, data: Any) -> Any:
        return _or_text(super().load, data)


class _TimeTz(TimetzLoader):
    def load(self, data: Any) -> Any:
        return _or_text(super().load, data)


class _Timestamp(TimestampLoader):
    def load(self, data: Any) -> Any:
        return _or_text(super().load, data)


class _Timestamptz(TimestamptzLoader):
    def load(self, data: Any) -> Any:
        return _or_text(super().load, data)


class _Undecoded(Loader):
    """Text of a database without an encoding: undecodable bytes become lone surrogates (PEP 383)."""

    def load(self, data: Any) -> str:
        return bytes(data).decode("utf-8", "surrogateescape")


def register_values(connection: psycopg.Connection[Any]) -> None:
    """Make `connection` give the values that this page documents."""
    adapters = connection.adapters
    text: type[Loader] = TextLoader
    if connection.info.parameter_status("server_encoding") == "SQL_ASCII":
        text = _Undecoded
        connection.execute("SET client_encoding = 'LATIN1'")  # every byte passes; as UTF8 the server would check them
        for name in ("text", "varchar", "bpchar", "name"):
            adapters.register_loader(name, text)
    for name in AS_TEXT:
        if adapters.types.get(name) is not None:
            adapters.register_loader(name, text)
    adapters.register_loader("json", TextBinaryLoader)  # EXPLAIN (FORMAT JSON), the one result asked for in binary
    adapters.register_loader("interval", _Exact)
    adapters.register_loader("date", _Date)
    adapters.register_loader("time", _Time)
    adapters.register_loader("timetz", _TimeTz)
    adapters.register_loader("timestamp", _Timestamp)
    adapters.register_loader("timestamptz", _Timestamptz)


def decoded_name(cursor: psycopg.Cursor[Any] | psycopg.ServerCursor[Any], name: str) -> str:
    """The name of a result's column, also in a database without an encoding."""
    encoding = cursor.connection.info.encoding
    return name if encoding == "utf-8" else name.encode(encoding).decode("utf-8", "surrogateescape")


def _or_text(load: Any, data: Any) -> Any:
    try:
        return load(data)
    except (psycopg.DataError, OverflowError):
        return bytes(data).decode()
