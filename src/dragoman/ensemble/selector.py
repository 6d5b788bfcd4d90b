"""A learned choice: how likely each class of equal results is right, from signals that cost nothing."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any

from dragoman.ensemble.class_features import ClassFeatures, Features, class_features
from dragoman.ensemble.pool import Choice, Pool, Select
from dragoman.ensemble.signals import Signals
from dragoman.ensemble.vote import elect
from dragoman.errors import SetupError
from dragoman.solver import Step
from dragoman.statistics.boosting import Boosted, read_boosted

KIND = "dragoman selector 1"
"""What a selector's file says it is."""


@dataclass(frozen=True, slots=True)
class Selector:
    """`features` names the inputs of `model` in order. `provenance` says what it was trained on, by JSON values."""

    features: tuple[str, ...]
    model: Boosted
    provenance: Mapping[str, Any] = field(default_factory=dict)

    def chance(self, found: Features) -> float:
        """How likely a class is right, 0 to 1, as far as the training data go."""
        return self.model([found[name] for name in self.features])

    def rate(self, question: str, dialect: str, pool: Sequence[Signals]) -> list[tuple[ClassFeatures, float]]:
        """The classes of a pool with their chances, most likely first, of equal ones the larger, then the earlier."""
        rated = [(found, self.chance(found.features)) for found in class_features(question, dialect, pool)]
        return sorted(rated, key=lambda r: (-r[1], -len(r[0].members), r[0].members))


def learned(selector: Selector) -> Select:
    """A choice of the class that is most likely right; without any result it is the vote's.

    The last step tells the chance of each class by its candidate's place.
    """

    def select(pool: Pool) -> Choice:
        rated = selector.rate(pool.question.text, pool.dialect, pool.signals)
        place = rated[0][0].standing if rated else elect(pool.signals, pool.dialect)
        chances = {str(found.standing): round(chance, 4) for found, chance in rated}
        data = {"candidates": len(pool.answers), "classes": len(rated), "chosen": place, "chances": chances}
        return Choice(place, (Step("learned", data=data),))

    return select


def selector_record(selector: Selector) -> dict[str, Any]:
    """The selector as JSON values; `read_selector` gives it back from a file that holds them."""
    return {
        "kind": KIND,
        "provenance": dict(selector.provenance),
        "features": list(selector.features),
        "model": selector.model.record(),
    }


def read_selector(path: Path | None = None) -> Selector:
    """The selector in a file, or the one that comes along. Raises `SetupError` where it is not one of this version."""
    try:
        text = shipped() if path is None else path.read_text(encoding="utf-8")
    except OSError as error:
        raise SetupError(f"Cannot read the selector {path}: {error.strerror}. Check the path.") from None
    wrong = f"{path} is not a selector of this version. Make one with dragoman bench selector."
    try:
        record = json.loads(text)
        if record["kind"] != KIND:
            raise ValueError(record["kind"])
        features, provenance = tuple(map(str, record["features"])), dict(record["provenance"])
    except (ValueError, KeyError, TypeError, RecursionError):
        raise SetupError(wrong) from None
    unknown = set(features) - known_features()
    if unknown:
        raise SetupError(
            f"{path or 'The selector'} needs {', '.join(sorted(unknown))}, which this version does not measure. Make "
            "a new one with dragoman bench selector."
        )
    try:
        return Selector(features, read_boosted(record["model"], len(features)), provenance)
    except (ValueError, KeyError, TypeError):
        raise SetupError(wrong) from None


def known_features() -> frozenset[str]:
    """The names of all features of a class."""
    (found,) = class_features("?", "sqlite", [Signals("SELECT 1", group=0, rows=1, columns=1)])
    return frozenset(found.features)


def shipped() -> str:
    """The text of the selector that comes along."""
    return resources.files("dragoman.ensemble").joinpath("data/selector.json").read_text("utf-8")
