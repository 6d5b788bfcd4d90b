"""Typed cells in one canonical form: equal values become equal, unequal values stay apart.

    None                       NULL
    int, float, Decimal        a number, by value: 1, 1.0, Decimal("1.00") and True are one number; a float stays a
                               float only where it is not whole, a Decimal only where no float is exactly as large
    str                        text, exact
    bytes                      bytes
    ("nan",)                   not a number, equal to itself
    ("date" | "timestamp" | "instant" | "time" | "interval" | "uuid" | "list" | "struct" | other kind, ...)

Canonical cells are hashable, and Python's `==` on them is exact equality of results.
"""

from __future__ import annotations

import marshal
import math
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, time, timedelta
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from typing import Any, TypeAlias
from uuid import UUID

Cell: TypeAlias = Any
Row: TypeAlias = tuple[Cell, ...]
Column: TypeAlias = tuple[Cell, ...]

UNCHANGED = frozenset({int, str, bytes, type(None)})
"""Types of values that are canonical as they are."""

_NAN = ("nan",)
_LONGEST_DECIMAL = 1000
_EXACT = Context(prec=100_000, Emax=MAX_EMAX, Emin=MIN_EMIN)
_MARSHAL_VERSION = 2  # without references and interning: the same value gives the same bytes


def canonical(value: Any) -> Cell:
    """The canonical form of one value as a driver returns it. Never fails: unknown types become (type name, text)."""
    kind = type(value)
    if kind in UNCHANGED:
        return value
    convert = _CONVERT.get(kind)
    if convert is not None:
        return convert(value)
    return _inherited(value)


def canonical_row(row: Sequence[Any]) -> Row:
    """Every cell of a row in canonical form."""
    return tuple(map(canonical, row))


def canonical_column(values: Column) -> Column:
    """Every cell of a column in canonical form; the column itself where nothing has to change."""
    kinds = set(map(type, values))
    if kinds <= UNCHANGED:
        return values
    if kinds == {float}:  # worth a line of its own: most columns that need a tolerance
        return tuple([int(x) if x.is_integer() else x if x == x else _NAN for x in values])
    return tuple(map(canonical, values))


def encode(row: Row) -> bytes:
    """Bytes of a canonical row: equal rows give equal bytes, unequal rows unequal bytes.

    The bytes depend on the values alone; they are meant for digests, not for storage.
    """
    try:
        return marshal.dumps(row, _MARSHAL_VERSION)
    except ValueError:
        return marshal.dumps(_without_decimals(row), _MARSHAL_VERSION)


def is_number(cell: Cell) -> bool:
    """Whether a canonical cell is a number (not NaN)."""
    return isinstance(cell, (int, float, Decimal))


def is_inexact(cell: Cell) -> bool:
    """Whether a canonical cell is a number to which a tolerance applies: one that is not whole."""
    return isinstance(cell, (float, Decimal))


def is_exact(column: Column) -> bool:
    """Whether no cell of a canonical column holds a number to which a tolerance applies."""
    kinds = set(map(type, column))
    if tuple in kinds:
        return not any(map(_holds_inexact, column))
    return kinds.isdisjoint((float, Decimal))


def _holds_inexact(cell: Cell) -> bool:
    return is_inexact(cell) or (type(cell) is tuple and any(map(_holds_inexact, cell)))


def _float(value: float) -> Cell:
    if value.is_integer():
        return int(value)
    return _NAN if math.isnan(value) else float(value)


def _decimal(value: Decimal) -> Cell:
    if value.is_nan():
        return _NAN
    if value.is_infinite():
        return float(value)
    if abs(value.adjusted()) > _LONGEST_DECIMAL:
        return value.normalize(_EXACT)
    if value == value.to_integral_value():
        return int(value)
    nearest = float(value)
    return nearest if nearest == value else value


def _timestamp(value: datetime) -> Cell:
    if value.tzinfo is None or value.utcoffset() is None:
        return ("timestamp", value.isoformat())
    try:
        return ("instant", value.astimezone(UTC).replace(tzinfo=None).isoformat())
    except OverflowError:
        return ("instant", value.isoformat())


def _struct(value: dict[Any, Any]) -> Cell:
    fields = [(canonical(key), canonical(item)) for key, item in value.items()]
    return ("struct", *sorted(fields, key=lambda field: repr(field[0])))


def _list(value: Sequence[Any]) -> Cell:
    return ("list", *map(canonical, value))


_CONVERT: dict[type, Callable[[Any], Cell]] = {
    bool: int,
    int: int,
    float: _float,
    Decimal: _decimal,
    bytes: bytes,
    bytearray: bytes,
    memoryview: bytes,
    datetime: _timestamp,
    date: lambda value: ("date", value.isoformat()),
    time: lambda value: ("time", value.isoformat()),
    timedelta: lambda value: ("interval", value.days, value.seconds, value.microseconds),
    UUID: lambda value: ("uuid", value.hex),
    list: _list,
    tuple: _list,
    dict: _struct,
}


def _inherited(value: Any) -> Cell:
    """Subclasses of the known types, such as enumerations and pandas timestamps, and types nobody knows."""
    if isinstance(value, str):
        return str.__str__(value)
    for kind in (int, float, Decimal, bytes, datetime, date, time, timedelta, UUID, list, tuple, dict):
        if isinstance(value, kind):
            return _CONVERT[kind](value)
    return (type(value).__name__, str(value))


def _without_decimals(cell: Cell) -> Cell:
    if isinstance(cell, tuple):
        return tuple(map(_without_decimals, cell))
    if isinstance(cell, Decimal):
        return ("decimal", str(cell.normalize(_EXACT)))
    return cell
