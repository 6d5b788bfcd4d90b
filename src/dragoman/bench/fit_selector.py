"""Trains a selector on the labelled candidates of runs, and measures it on databases that it has not seen."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dragoman.bench.accuracy import is_scored
from dragoman.bench.line import Line, Slot
from dragoman.ensemble.class_features import class_features
from dragoman.ensemble.selector import Selector
from dragoman.ensemble.signals import Signals, compared
from dragoman.ensemble.vote import elect
from dragoman.errors import SetupError
from dragoman.metrics import Verdict
from dragoman.statistics.boosting import Boosting, Row, boosted

FOLDS = 5


@dataclass(frozen=True, slots=True)
class Selected:
    """One pool, and whether each way to choose was right: the vote, the selector, what the run chose, a perfect one."""

    line: Line
    vote: bool
    learned: bool
    run: bool
    oracle: bool


def fit_selector(
    lines: Sequence[Line], how: Boosting = Boosting(), provenance: Mapping[str, Any] | None = None
) -> Selector:
    """A selector from the pools of these lines; those where every candidate failed teach nothing.

    Raises `SetupError` where no line has several candidates, or none has a result.
    """
    rows: list[Row] = []
    right: list[bool] = []
    names: tuple[str, ...] = ()
    for line in lines:
        if is_scored(line):
            for found in class_features(line.question, line.dialect, signals_of_line(line)):
                names = tuple(found.features)
                rows.append(list(found.features.values()))
                right.append(_right(line.slots[found.standing]))
    if not rows or all(len(line.slots) < 2 for line in lines):
        raise SetupError("No question of these runs has several candidates. Run with --candidates 5 first.")
    return Selector(names, boosted(rows, right, how), provenance or {})


def by_fold(lines: Sequence[Line], fit: Callable[[Sequence[Line]], Selector] = fit_selector) -> Iterator[Selected]:
    """Choices on the databases of each fold by a selector that was trained on the others."""
    for rest, held in folds(lines):
        yield from choices(held, fit(rest))


def choices(lines: Iterable[Line], selector: Selector) -> Iterator[Selected]:
    """What each way to choose makes of the scored lines with candidates."""
    for line in lines:
        if is_scored(line) and line.slots:
            rated = selector.rate(line.question, line.dialect, signals_of_line(line))
            learned = _right(line.slots[rated[0][0].standing]) if rated else _right(line.slots[0])
            vote = line.slots[elect(signals_of_line(line), line.dialect)]
            yield Selected(line, _right(vote), learned, line.verdict == Verdict.CORRECT, any(map(_right, line.slots)))


def folds(lines: Sequence[Line], count: int = FOLDS) -> Iterator[tuple[list[Line], list[Line]]]:
    """(the rest, held out) for each of at most `count` parts of about the same size; no database is in two parts.

    Where there is one database only, its questions are spread instead.
    """
    sizes: dict[str, int] = {}
    spread = len({line.database for line in lines}) > 1
    for line in lines:
        sizes[_unit(line, spread)] = sizes.get(_unit(line, spread), 0) + 1
    loads = [0] * min(count, len(sizes))
    place: dict[str, int] = {}
    for unit in sorted(sizes, key=lambda u: (-sizes[u], u)):
        place[unit] = loads.index(min(loads))
        loads[place[unit]] += sizes[unit]
    for part in range(len(loads)):
        held = [line for line in lines if place[_unit(line, spread)] == part]
        rest = [line for line in lines if place[_unit(line, spread)] != part]
        if rest:
            yield rest, held


def signals_of_line(line: Line) -> tuple[Signals, ...]:
    """The signals of a line's candidates, of which one is a class where it has a result."""
    return compared(list(map(signals_of_slot, line.slots)))


def signals_of_slot(slot: Slot) -> Signals:
    """The signals of a stored candidate."""
    return Signals(
        slot.sql,
        slot.source,
        slot.group,
        slot.failure,
        slot.rows,
        slot.columns,
        slot.nulls,
        slot.logprob,
        slot.tokens,
    )


def _right(slot: Slot) -> bool:
    return slot.verdict == Verdict.CORRECT


def _unit(line: Line, spread: bool) -> str:
    return line.database if spread else line.id
