"""Which of several tables that differ in a date or a month does a question speak of? "March 2025": events_2025_03."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dragoman.linking.name_ranges import MONTHS, variable_parts

_NUMBER = {name: number for style in MONTHS for number, name in enumerate(style, 1)}
_NAME = "|".join(sorted((name.capitalize() for name in _NUMBER), key=len, reverse=True))
_DATED = re.compile(
    rf"\b(?P<iso_year>(?:19|20)\d\d)-(?P<iso_month>0[1-9]|1[0-2])(?:-(?P<iso_day>[0-3]\d))?\b"
    rf"|\b(?:Q(?P<quarter>[1-4])|(?P<ordinal>first|second|third|fourth|last) quarter)\b"
    rf"|\b(?P<end>first|last) (?P<count>two|three|four|six|[2-9]) months\b"
    rf"|\b(?:(?P<before>[0-3]?\d)(?:st|nd|rd|th)?(?: of)? )?(?P<month>{_NAME})\b\.?(?: (?P<after>[0-3]?\d)\b(?!\d))?"
    rf"|\b(?P<year>(?:19|20)\d\d)\b"
)
_RANGE = re.compile(r"^(?:,? (?:19|20)\d\d)?\s*(?:-|–|to|till|until|through|and)\s*$")
_COUNTS = {"two": 2, "three": 3, "four": 4, "six": 6}
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "last": 4}


@dataclass(frozen=True, slots=True)
class _When:
    """A day, month or year, as far as it is said; 0 is not said."""

    year: int = 0
    month: int = 0
    day: int = 0

    def covers(self, other: _When) -> bool:
        """Whether both say something of the same kind, and nothing that differs."""
        pairs = ((self.year, other.year), (self.month, other.month), (self.day, other.day))
        both = [(a, b) for a, b in pairs if a and b]
        return bool(both) and all(a == b for a, b in both)


def named_members(question: str, names: Sequence[str]) -> tuple[str, ...]:
    """The names of tables, in their order, whose date the question names; () where it names none of them."""
    said = _said(question)
    monthly = any(when.month for when in said)
    wanted = [when for when in said if when.month or not monthly]
    return tuple(name for name in names if any(when.covers(_of_name(name)) for when in wanted))


def _of_name(name: str) -> _When:
    """The date that the variable parts of a table's name spell."""
    year = month = day = 0
    for part in variable_parts(name)[1]:
        if not part.isdigit():
            month = _NUMBER[part.lower()]
        elif len(part) in (6, 8) and "1900" <= part[:4] < "2100":
            year, month, day = int(part[:4]), int(part[4:6]), int(part[6:] or 0)
        elif len(part) == 4 and "1900" <= part < "2100":
            year = int(part)
        elif len(part) <= 2 and year and not month and 1 <= int(part) <= 12:
            month = int(part)
        elif len(part) <= 2 and month and not day:
            day = int(part)
    return _When(year, month, day)


def _said(question: str) -> list[_When]:
    """What the question says of dates. A month without a year is of the next year that is said, or else of the last."""
    found = list(_DATED.finditer(question))
    years = [(match.start(), _year(match)) for match in found if _year(match)]
    said: list[_When] = []
    last, last_end = 0, 0
    for match in found:
        year = _year(match) or next((y for at, y in years if at > match.start()), years[-1][1] if years else 0)
        months = list(_months(match))
        between = question[last_end : match.start()]
        if last and len(months) == 1 and _ranges(question, between):
            months = list(range(last + 1, months[0] + 1)) or months
        said += [_When(year, month, _day(match)) for month in months] or [_When(year)]
        if months:
            last, last_end = months[-1], match.end()
    return said


def _ranges(question: str, between: str) -> bool:
    """Whether two months with this text between them are the ends of a range."""
    if not _RANGE.match(between):
        return False
    return "and" not in between or " between " in f" {question.lower()}"


def _months(match: re.Match[str]) -> Iterator[int]:
    if match["iso_month"]:
        yield int(match["iso_month"])
    elif match["quarter"] or match["ordinal"]:
        quarter = int(match["quarter"] or _ORDINALS[match["ordinal"]])
        yield from range(3 * quarter - 2, 3 * quarter + 1)
    elif match["count"]:
        count = _COUNTS.get(match["count"]) or int(match["count"])
        yield from range(1, 1 + count) if match["end"] == "first" else range(13 - count, 13)
    elif match["month"]:
        yield _NUMBER[match["month"].lower()]


def _year(match: re.Match[str]) -> int:
    return int(match["year"] or match["iso_year"] or 0)


def _day(match: re.Match[str]) -> int:
    return int(match["iso_day"] or match["before"] or match["after"] or 0)
