"""What the values of a column look like: dates, addresses, codes of countries."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources


@dataclass(frozen=True, slots=True)
class ValueKind:
    """A kind of values. `words` are those that columns of such values are named by, the commonest first."""

    name: str
    pattern: re.Pattern[str]
    words: tuple[str, ...]
    distinct: int = 1

    def fits(self, values: Sequence[str]) -> bool:
        """Whether there are values enough and all are of this kind."""
        return 0 < len(values) >= self.distinct and all(map(self.pattern.fullmatch, values))


def value_kind(values: Sequence[str]) -> ValueKind | None:
    """The first kind in `words/value_kinds.toml` that all of the values are of; None if there is none."""
    return next((kind for kind in value_kinds().values() if kind.fits(values)), None)


@cache
def value_kinds() -> Mapping[str, ValueKind]:
    """All kinds by name, in the order in which they are tried."""
    text = resources.files("dragoman.refine").joinpath("words/value_kinds.toml").read_text("utf-8")
    return {
        name: ValueKind(name, re.compile(found["pattern"]), tuple(found["words"].split()), found.get("distinct", 1))
        for name, found in tomllib.loads(text).items()
    }
