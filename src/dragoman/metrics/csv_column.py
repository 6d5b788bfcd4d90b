"""One column written to a CSV file and read back with types inferred, as pandas' `read_csv` infers them by default."""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib.resources import files
from typing import Any

NULLS = frozenset(["", *files("dragoman.metrics").joinpath("csv_nulls.txt").read_text(encoding="utf-8").splitlines()])
"""Texts that are read as NULL."""

_INTEGER = re.compile(r"\s*[+-]?\d+\s*")
_REAL = re.compile(r"\s*[+-]?(\d+\.?\d*([eE][+-]?\d+)?|\.\d+([eE][+-]?\d+)?|inf(inity)?)\s*", re.IGNORECASE)
_TRUTH = {"True": True, "TRUE": True, "true": True, "False": False, "FALSE": False, "false": False}


def csv_column(values: Sequence[Any]) -> list[Any]:
    """The values as they come back: None for NULL, and one type for the whole column.

    Whole numbers only if all are and none is NULL, then real numbers, then truth values, else text.
    """
    texts = [None if text in NULLS else text for text in map(_written, values)]
    shown = [text for text in texts if text is not None]
    if not shown:
        return [None] * len(texts)
    if all(_INTEGER.fullmatch(text) and -(2**63) <= int(text) < 2**64 for text in shown):
        number = int if len(shown) == len(texts) else float
        return [None if text is None else number(text) for text in texts]
    if all(map(_REAL.fullmatch, shown)) and not all(map(_INTEGER.fullmatch, shown)):
        return [None if text is None else float(text) for text in texts]
    if all(text in _TRUTH for text in shown):
        return [None if text is None else _TRUTH[text] for text in texts]
    return list(texts)


def _written(value: Any) -> str:
    return "" if value is None or value != value else str(value)
