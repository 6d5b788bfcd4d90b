"""The demo's time: three years, 2023 to 2025, counted in days or seconds from 2023-01-01 00:00:00 UTC."""

from __future__ import annotations

from datetime import date, datetime, timedelta

DAY = 24 * 60 * 60
DAYS = (date(2026, 1, 1) - date(2023, 1, 1)).days
END = DAYS * DAY
YEAR_2025 = (date(2025, 1, 1) - date(2023, 1, 1)).days * DAY

_FIRST_SECOND = datetime(2023, 1, 1)
_FIRST_DAY = date(2023, 1, 1)


def stamp(second: int) -> str:
    """The second as "YYYY-MM-DD HH:MM:SS"."""
    return str(_FIRST_SECOND + timedelta(seconds=second))


def day(number: int) -> str:
    """The day as "YYYY-MM-DD"; days before 2023 are negative."""
    return str(_FIRST_DAY + timedelta(days=number))


def second_of(text: str) -> int:
    """The inverse of `day`, in seconds."""
    return (date.fromisoformat(text) - _FIRST_DAY).days * DAY
