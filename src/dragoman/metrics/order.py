"""Results that are ordered, and results that a LIMIT cuts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from dragoman.databases.database import Rows
from dragoman.metrics.canonical import Row, canonical_row
from dragoman.metrics.flags import STRICT, Flags
from dragoman.metrics.near import rows_near
from dragoman.metrics.rows_match import Result, rows_match
from dragoman.sql.outer_order import OuterOrder


@dataclass(frozen=True, slots=True)
class Window:
    """All rows of a query in its order without its LIMIT, and the part of them that the LIMIT lets through.

    `rows` are canonical, without the key columns; `ties` numbers the class of equal sort keys of each row, the
    numbers rising with the order. `ordered` tells whether the order itself can be seen in the rows.
    """

    rows: tuple[Row, ...]
    ties: tuple[int, ...]
    start: int
    stop: int
    ordered: bool

    @property
    def cuts_tie(self) -> bool:
        """Whether rows with equal keys stand on both sides of a border of the window."""
        inside = {self.start, self.stop} - {0, len(self.rows)}
        return self.start < self.stop and any(self.ties[i - 1] == self.ties[i] for i in inside if i < len(self.ties))


def key_columns(order: OuterOrder, columns: Sequence[str]) -> tuple[int, ...]:
    """Positions in the output of the leading sort keys, up to the first that is not projected.

    -1 for a key that is projected under a name which several columns have.
    """
    names = {name.lower() for name in columns}
    shown = takewhile(lambda key: key is not None and (isinstance(key, int) or key.lower() in names), order.keys)
    return tuple(_position(key, columns) for key in shown if key is not None)


def ordered_match(gold: Result, predicted: Result, keys: Sequence[int], flags: Flags = STRICT) -> bool:
    """Whether the rows stand in the same order, free to change places inside equal sort keys of the gold result.

    `keys` are positions of projected sort keys; without any the rows are compared as a multiset.
    """
    return _match_in_runs(gold, predicted, [canonical_row([row[i] for i in keys]) for row in gold.rows], flags)


def ranked_match(
    ranked: Result, predicted: Result, order: OuterOrder, keys: Sequence[int], flags: Flags = STRICT
) -> bool | None:
    """Whether `predicted` is a result that `order` allows, by the ranks that the engine gave the sort keys.

    `ranked` is what `with_ranks` returns: rows in their order without the LIMIT, behind them a rank for each sort key.
    `keys` are the leading keys that are projected: the order of these counts. None where the LIMIT is no plain number.
    """
    width = len(ranked.columns) - len(order.keys)
    whole = window(ranked, replace(order, keys=(None,) * len(order.keys)), width, flags)
    if whole is None:
        return None
    if whole.cuts_tie:
        return window_match(replace(whole, ordered=len(keys) == len(order.keys)), predicted, flags)
    rows = ranked.rows[whole.start : whole.stop]
    gold = Rows(ranked.columns[:width], tuple(row[:width] for row in rows))
    return _match_in_runs(gold, predicted, [canonical_row(row[width : width + len(keys)]) for row in rows], flags)


def _match_in_runs(gold: Result, predicted: Result, keys: Sequence[Row], flags: Flags) -> bool:
    """Whether the rows match inside every run of equal `keys`, one for each row of `gold`."""
    if not rows_match(gold, predicted, replace(flags, row_order=False)):
        return False
    if gold.rows == predicted.rows:
        return True
    end = 0
    for run in _runs(keys, flags):
        start, end = end, end + run
        here, there = (tuple(side.rows[start:end]) for side in (gold, predicted))
        parts = Rows(gold.columns, here), Rows(gold.columns, there)
        if here != there and not rows_match(*parts, replace(flags, row_order=False)):
            return False
    return True


def window(everything: Result, order: OuterOrder, width: int, flags: Flags = STRICT) -> Window | None:
    """The window of `order` over `everything`, whose rows have `width` columns and behind them the hidden keys.

    None where the LIMIT is no plain number or a sort key cannot be found among the columns.
    """
    rows = [canonical_row(row) for row in everything.rows]
    hidden = iter(range(width, len(everything.columns)))
    places = [next(hidden, -1) if key is None else _position(key, everything.columns[:width]) for key in order.keys]
    if -1 in places or order.limit == -1 or order.offset == -1:
        return None
    runs = _runs([tuple(row[i] for i in places) for row in rows], flags)
    ties = tuple(number for number, length in enumerate(runs) for _ in range(length))
    start = min(order.offset, len(rows))
    stop = len(rows) if order.limit is None else min(start + order.limit, len(rows))
    return Window(tuple(row[:width] for row in rows), ties, start, stop, order.ordered and order.projected)


def window_match(whole: Window, predicted: Result, flags: Flags = STRICT) -> bool:
    """Whether `predicted` is one of the results that the LIMIT may give, whichever of the tied rows it lets through."""
    if predicted.truncated or len(predicted.rows) != whole.stop - whole.start:
        return False
    known = {row: row for row in whole.rows}
    found = [_representative(canonical_row(row), known, flags) for row in predicted.rows]
    rows = [row for row in found if row is not None]
    if len(rows) < len(found):
        return False
    taken = Counter(whole.ties[whole.start : whole.stop])
    classes: dict[int, Counter[Row]] = {tie: Counter() for tie in taken}
    for tie, row in zip(whole.ties, whole.rows, strict=True):
        if tie in classes:
            classes[tie][row] += 1
    if whole.ordered:
        end = 0
        for tie in sorted(taken):
            start, end = end, end + taken[tie]
            if not Counter(rows[start:end]) <= classes[tie]:
                return False
        return True
    return _distributes(Counter(rows), [(classes[tie], taken[tie]) for tie in sorted(taken)])


def _distributes(rows: Counter[Row], classes: list[tuple[Counter[Row], int]]) -> bool:
    """Whether `rows` can be dealt out to the classes, to each exactly its number. Only the ends may be cut."""
    cut = []
    for members, number in classes:
        if members.total() == number:
            if not members <= rows:
                return False
            rows = rows - members
        else:
            cut.append((members, number))
    if len(cut) < 2:
        return all(rows <= members for members, _ in cut) if cut else not rows
    (first, number), (second, _) = cut
    return rows <= first + second and sum((rows & first).values()) >= number and sum((rows - second).values()) <= number


def _position(key: int | str, columns: Sequence[str]) -> int:
    """Where a projected key stands, -1 where that is not certain."""
    if isinstance(key, int):
        return key if key < len(columns) else -1
    found = [i for i, name in enumerate(columns) if name.lower() == key.lower()]
    return found[0] if len(found) == 1 else -1


def _representative(row: Row, known: dict[Row, Row], flags: Flags) -> Row | None:
    """The row of the gold side that stands for `row`: itself, else the first one near it."""
    return known.get(row) or next((gold for gold in known if rows_near(gold, row, flags)), None)


def _runs(keys: Sequence[Row], flags: Flags) -> list[int]:
    """Lengths of the runs of keys each near the one before it."""
    lengths: list[int] = []
    for i, key in enumerate(keys):
        if i and rows_near(keys[i - 1], key, flags):
            lengths[-1] += 1
        else:
            lengths.append(1)
    return lengths
