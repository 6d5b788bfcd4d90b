"""How likely the answer is right: a probability fitted to verdicts, from signals that need no gold."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import inf
from pathlib import Path
from typing import Any

from dragoman.ensemble.selector import Selector, selector_record
from dragoman.ensemble.signals import Signals, compared, margin_of, signals_of
from dragoman.errors import SetupError
from dragoman.solver import Answer
from dragoman.statistics import Isotonic, isotonic
from dragoman.statistics.logistic import Logistic, logistic

KIND = "dragoman calibration 1"
"""What a calibration's file says it is."""

NAMES = (
    "chance",
    "rival",
    "share",
    "lead",
    "sources",
    "failed",
    "logprob",
    "no_rows",
    "nulls",
    "judged",
    "margin",
)
"""The signals: chances of the answer and of its strongest rival by the selector, share and lead of its class, part of
the sources that agree, failed candidates, likelihood, rows and NULLs, and the lead in a tournament."""


RIDGE = 10.0
"""Draws weights towards nothing, for workloads of few questions."""
BLOCK, PRIOR = 20, 0.5
"""Fewest answers in a step of the isotonic fit, and what is added to both sides of each."""


@dataclass(frozen=True, slots=True)
class Asked:
    """An answer as its confidence sees it. `sql` is the chosen query, `margin` its lead in a tournament, if any."""

    question: str
    dialect: str
    sql: str
    pool: tuple[Signals, ...]
    margin: float | None = None


@dataclass(frozen=True, slots=True)
class Calibration:
    """Signals to log odds by `weights`, and these to a probability by `steps`, fitted together.

    `selector` is the digest of the selector whose chances are among the signals; `provenance` is JSON values.
    """

    weights: Logistic
    steps: Isotonic
    selector: str
    provenance: Mapping[str, Any] = field(default_factory=dict)

    def __call__(self, signals: Sequence[float]) -> float:
        """The probability that an answer with these signals is right, 0 to 1."""
        return self.steps(self.weights(signals))


def confidence_signals(asked: Asked, selector: Selector) -> tuple[float, ...] | None:
    """The numbers that `NAMES` lists, None where the answer has no result. What is unknown is 0."""
    rated = selector.rate(asked.question, asked.dialect, asked.pool)
    own = next((r for r in rated if any(asked.pool[place].sql == asked.sql for place in r[0].members)), None)
    if own is None:
        return None
    found, chance = own
    rivals = [other for each, other in rated if each is not found]
    values = {
        "chance": chance,
        "rival": max(rivals, default=0.0),
        "judged": float(asked.margin is not None),
        "margin": asked.margin or 0.0,
        **{name: found.features[name] or 0.0 for name in NAMES if name in found.features},
    }
    return tuple(values[name] for name in NAMES)


@dataclass(frozen=True, slots=True)
class Judged:
    """An answer's signals and whether it is right. `part` numbers the fold; no database is in two."""

    signals: tuple[float, ...]
    right: bool
    part: int = 0


def fit_confidence(answers: Sequence[Judged], selector: Selector, provenance: Mapping[str, Any]) -> Calibration:
    """A calibration by ridge logistic regression, and isotonic regression on its output for answers held out.

    Each part's scores for the second come from weights that were fitted to the other parts, so that the steps are not
    fitted to the first fit's own mistakes. With one part they come from the one fit that there is.
    """
    weights = _weights(answers)
    parts = {answer.part for answer in answers}
    scored: list[tuple[float, bool]] = []
    for part in sorted(parts):
        rest = [answer for answer in answers if answer.part != part]
        held = _weights(rest) if rest else weights
        scored += [(held(answer.signals), answer.right) for answer in answers if answer.part == part]
    steps = isotonic([score for score, _ in scored], [right for _, right in scored], BLOCK, PRIOR)
    return Calibration(weights, steps, digest_of(selector), provenance)


def _weights(answers: Sequence[Judged]) -> Logistic:
    return logistic([answer.signals for answer in answers], [answer.right for answer in answers], RIDGE)


def with_confidence(
    answer: Answer, question: str, dialect: str, calibration: Calibration, selector: Selector
) -> Answer:
    """The answer with its confidence: 0 where it has no result."""
    asked = Asked(question, dialect, answer.sql, pool_signals(answer), margin_of(answer))
    signals = confidence_signals(asked, selector)
    return replace(answer, confidence=0.0 if signals is None else calibration(signals))


def pool_signals(answer: Answer) -> tuple[Signals, ...]:
    """The signals of an answer's candidates, of which one is a class where it has a result."""
    return compared([signals_of(candidate) for candidate in answer.candidates])


def calibration_record(calibration: Calibration) -> dict[str, Any]:
    """The calibration as JSON values; `read_calibration` gives it back from a file that holds them."""
    return {
        "kind": KIND,
        "provenance": dict(calibration.provenance),
        "selector": calibration.selector,
        "names": list(NAMES),
        "weights": list(calibration.weights.weights),
        "constant": calibration.weights.constant,
        "scores": list(calibration.steps.scores),
        "values": list(calibration.steps.values),
    }


def read_calibration(path: Path, selector: Selector) -> Calibration:
    """The calibration in a file. Raises `SetupError` where it is none, or was fitted with another selector."""
    again = f"Make one with dragoman bench calibrate RUN --out {path}."
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
        if record["kind"] != KIND or tuple(record["names"]) != NAMES:
            raise ValueError(record["kind"])
        weights = Logistic(tuple(map(float, record["weights"])), float(record["constant"]))
        steps = Isotonic(tuple(map(float, record["scores"])), tuple(map(float, record["values"])))
        found = Calibration(weights, steps, record["selector"], dict(record["provenance"]))
        if len(weights.weights) != len(NAMES) or not _is_monotone(steps):
            raise ValueError("not as it was written")
    except OSError as error:
        raise SetupError(f"Cannot read the calibration {path}: {error.strerror}. {again}") from None
    except (ValueError, KeyError, TypeError, RecursionError):
        raise SetupError(f"{path} is not a calibration of this version. {again}") from None
    if found.selector != digest_of(selector):
        raise SetupError(f"{path} was fitted with another selector. {again}")
    return found


def _is_monotone(steps: Isotonic) -> bool:
    """Whether the scores ascend, and their probabilities never fall."""
    scores = (-inf, *steps.scores, inf)
    values = (0.0, *steps.values, 1.0)
    rise = all(low < high for low, high in pairwise(scores)) and all(low <= high for low, high in pairwise(values))
    return rise and len(steps.scores) == len(steps.values) > 0


def digest_of(selector: Selector) -> str:
    """Twelve letters that tell one selector's model from another's."""
    record = selector_record(replace(selector, provenance={}))
    return hashlib.sha256(json.dumps(record, sort_keys=True).encode()).hexdigest()[:12]
