"""Whether a value fits a setting: its type, and for numbers their range."""

from __future__ import annotations

from collections.abc import Mapping
from types import NoneType
from typing import Any, get_args, get_origin

from dragoman.errors import SetupError

RANGES: Mapping[str, tuple[float, float]] = {
    "limit": (1, 10**9),
    "timeout": (0.001, 10**6),
    "max_cost": (0, 10**18),
    "max_calls": (0, 10**9),
    "max_tokens": (0, 10**12),
    "max_dollars": (0, 10**9),
    "temperature": (0, 5),
    "candidates": (1, 100),
    "min_confidence": (0, 1),
    "at_once": (0, 100),
    "seed": (0, 2**31 - 1),
}
"""Least and greatest value of every setting that is a number."""

_KINDS = {bool: "true or false", int: "a whole number", float: "a number", str: "a text", Mapping: "a table"}
_SHOWN = 60
"""Characters of a value that stand in a message."""


def check_setting(name: str, value: Any, annotation: Any) -> None:
    """Raise `SetupError` unless `value` is of the annotated type, in the range of the setting; None passes as None."""
    kinds = [kind for kind in get_args(annotation) if kind is not NoneType]
    optional = NoneType in get_args(annotation)
    kind = kinds[0] if optional else get_origin(annotation) or annotation
    if optional and value is None:
        return
    low, high = RANGES.get(name, (None, None))
    if fits(value, kind) and (low is None or high is None or low <= value <= high):
        return
    between = "" if low is None or high is None else f" from {low:g} to {high:g}"
    raise SetupError(f"{name} is {shown(value)}, and must be {_KINDS[kind]}{between}. Change the setting.")


def fits(value: Any, kind: type) -> bool:
    """Whether the value is of the kind: a whole number is a number as well, and true and false are none."""
    if kind is bool or not isinstance(value, bool):
        return isinstance(value, (int, float) if kind is float else kind)
    return False


def shown(value: Any) -> str:
    """The value as a message shows it, cut where it is long."""
    if isinstance(value, bool):
        return str(value).lower()
    text = repr(value)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "..."
