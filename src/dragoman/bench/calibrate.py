"""Confidence from a run: fitted to its verdicts, and measured on databases that the fit has not seen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dragoman.bench.accuracy import is_right, is_scored
from dragoman.bench.fit_selector import folds, signals_of_line
from dragoman.bench.line import Key, Line
from dragoman.ensemble.confidence import Asked, Calibration, Judged, confidence_signals, fit_confidence
from dragoman.ensemble.selector import Selector
from dragoman.errors import SetupError

LEAST = 30
"""Answers with a result, below which nothing is fitted."""

Known = tuple[Line, tuple[float, ...] | None]
"""A scored line with the signals of its answer, None where it has no result."""


def fit_calibration(lines: Sequence[Line], selector: Selector, provenance: Mapping[str, Any]) -> Calibration:
    """A calibration from the scored lines of a run. Raises `SetupError` where there are too few."""
    found = _fit(known(lines, selector), selector, provenance)
    if found is None:
        raise SetupError(f"A calibration needs {LEAST} answers with a result and a verdict. Ask more questions.")
    return found


def held_out_confidence(lines: Sequence[Line], selector: Selector) -> dict[Key, float]:
    """The confidence of each scored line by a calibration on the databases of the other folds; 0 without a result.

    Lines of a fold whose rest is too small to fit have none.
    """
    rated = {line.key: (line, signals) for line, signals in known(lines, selector)}
    confidences = {}
    for rest, held in folds([line for line, _ in rated.values()]):
        found = _fit([rated[line.key] for line in rest], selector, {})
        if found is not None:
            for line in held:
                signals = rated[line.key][1]
                confidences[line.key] = 0.0 if signals is None else found(signals)
    return confidences


def unseen(lines: Sequence[Line], selector: Selector) -> list[Line]:
    """The lines of databases that the selector was not trained on: on the others its chances are too good."""
    seen = set(selector.provenance.get("databases", ()))
    return [line for line in lines if line.database not in seen]


def known(lines: Sequence[Line], selector: Selector) -> list[Known]:
    """The scored lines that keep their candidates, with the signals of their answers."""
    return [
        (line, confidence_signals(_asked(line), selector))
        for line in lines
        if is_scored(line) and (line.slots or line.failure)
    ]


def _fit(found: Sequence[Known], selector: Selector, provenance: Mapping[str, Any]) -> Calibration | None:
    usable = {line.key: (line, signals) for line, signals in found if signals is not None}
    if len(usable) < LEAST:
        return None
    lines = [line for line, _ in usable.values()]
    parts = {line.key: number for number, (_, held) in enumerate(folds(lines)) for line in held}
    answers = [Judged(signals, is_right(line), parts[key]) for key, (line, signals) in usable.items()]
    return fit_confidence(answers, selector, provenance)


def _asked(line: Line) -> Asked:
    return Asked(line.question, line.dialect, line.sql, signals_of_line(line), line.margin)
