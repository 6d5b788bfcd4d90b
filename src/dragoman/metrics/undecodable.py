"""Text that is not UTF-8, as our SQLite engine keeps it (PEP 383) and as the public evaluators treat it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def has_undecodable(rows: Sequence[tuple[Any, ...]]) -> bool:
    """Whether a driver that insists on UTF-8 would have failed on these rows."""
    return any(isinstance(cell, str) and not _is_utf8(cell) for row in rows for cell in row)


def without_undecodable(rows: Sequence[tuple[Any, ...]]) -> tuple[tuple[Any, ...], ...]:
    """The rows as a driver that drops undecodable bytes returns them."""
    return tuple(tuple(_dropped(cell) if isinstance(cell, str) else cell for cell in row) for row in rows)


def _is_utf8(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _dropped(text: str) -> str:
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "ignore")
