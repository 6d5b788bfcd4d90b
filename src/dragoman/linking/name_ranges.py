"""Many names that differ in numbers, dates or months, written as a few patterns: `sales_{2019..2021}_{01..12}`."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import product

MONTHS = (
    ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"),
    (
        "january", "february", "march", "april", "may", "june",
        "july", "august", "september", "october", "november", "december",
    ),
)  # fmt: skip
_NUMBER = {month: position for style in MONTHS for position, month in enumerate(style)}
_VARIABLE = re.compile(
    r"\d+|(?:(?<![A-Za-z])|(?<=[a-z])(?=[A-Z]))(?i:"
    + "|".join(sorted(_NUMBER, key=len, reverse=True))
    + r")(?![A-Za-z])"
)
_BRACES = re.compile(r"\{([^{}]*)\}")
_HOLE = "{}"


def variable_parts(name: str) -> tuple[str, tuple[str, ...]]:
    """("sales_{}_{}", ("2019", "01")): the name with a hole for each run of digits and each month, and what fills it.

    A name with a brace in it has no holes.
    """
    if "{" in name or "}" in name:
        return name, ()
    return _VARIABLE.sub(_HOLE, name), tuple(_VARIABLE.findall(name))


def compact_names(names: Iterable[str]) -> tuple[str, ...]:
    """Patterns that stand for exactly these names, each of which appears once; names have no braces.

    `a..b` counts up: by days where both ends are dates of eight digits, by months where they are years and months
    of six digits or names of months, else by one.
    """
    by_pattern: dict[str, list[tuple[str, ...]]] = {}
    for name in names:
        pattern, parts = variable_parts(name)
        by_pattern.setdefault(pattern, []).append(parts)
    return tuple(
        _filled(pattern, bodies) for pattern, rows in by_pattern.items() for bodies in _alternatives(sorted(set(rows)))
    )


def expand_names(patterns: Iterable[str]) -> Iterator[str]:
    """The names that patterns of `compact_names` stand for."""
    for pattern in patterns:
        pieces = _BRACES.split(pattern)
        for values in product(*(list(_expanded(body)) for body in pieces[1::2])):
            yield "".join(a + b for a, b in zip(pieces[::2], (*values, ""), strict=True))


def in_order(parts: tuple[str, ...]) -> tuple[tuple[int, int], ...]:
    """A key that sorts parts by what they count: numbers by value, months by the calendar."""
    return tuple((int(part) if part.isdigit() else _NUMBER[part.lower()], len(part)) for part in parts)


def _alternatives(rows: Sequence[tuple[str, ...]]) -> Iterator[tuple[str, ...]]:
    """The rows as products: firsts that go with the same rests stand together."""
    if not rows[0]:
        yield ()
        return
    rests: dict[str, list[tuple[str, ...]]] = {}
    for first, *rest in rows:
        rests.setdefault(first, []).append(tuple(rest))
    firsts: dict[tuple[tuple[str, ...], ...], list[str]] = {}
    for first, found in rests.items():
        firsts.setdefault(tuple(found), []).append(first)
    for found_rests, together in firsts.items():
        body = _runs(together)
        for rest_bodies in _alternatives(found_rests):
            yield (body, *rest_bodies)


def _runs(values: Iterable[str]) -> str:
    left = set(values)
    runs = []
    for first in sorted(left, key=lambda value: in_order((value,))):
        if first not in left:
            continue
        left.remove(first)
        run = [first]
        for value in _count_up(first):
            if value not in left:
                break
            left.remove(value)
            run.append(value)
        runs.append(f"{first}..{run[-1]}" if len(run) > 2 else ",".join(run))
    return ",".join(runs)


def _expanded(body: str) -> Iterator[str]:
    for run in body.split(","):
        first, _, last = run.partition("..")
        yield first
        if last:
            for value in _count_up(first):
                yield value
                if value == last:
                    break


def _count_up(value: str) -> Iterator[str]:
    """What comes after `value`, without end but for months."""
    if not value.isdigit():
        style = next(style for style in MONTHS if value.lower() in style)
        spell = str.upper if value.isupper() else str.capitalize if value[0].isupper() else str.lower
        yield from (spell(month) for month in style[style.index(value.lower()) + 1 :])
        return
    while True:
        value = _after(value)
        yield value


def _after(digits: str) -> str:
    if len(digits) in (6, 8) and "1900" <= digits[:4] < "2100":
        try:
            day = datetime.date(int(digits[:4]), int(digits[4:6]), int(digits[6:] or 28))
        except ValueError:
            pass
        else:
            step = 1 if len(digits) == 8 else 7
            return f"{day + datetime.timedelta(step):%Y%m%d}"[: len(digits)]
    return str(int(digits) + 1).zfill(len(digits))


def _filled(pattern: str, bodies: Sequence[str]) -> str:
    pieces = pattern.split(_HOLE) if bodies else [pattern]
    filled = (f"{{{body}}}" if "," in body or ".." in body else body for body in (*bodies, ""))
    return "".join(a + b for a, b in zip(pieces, filled, strict=True))
