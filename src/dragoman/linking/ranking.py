"""How much each table and column has to do with a question."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

FullName = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ranking:
    """Scores from 0 to 1, tables by their full name, columns and fields by (table, path); what is absent has 0.

    `why` tells for a table, in a few words, what of it the question speaks of.
    """

    tables: Mapping[FullName, float] = field(default_factory=dict)
    columns: Mapping[tuple[FullName, str], float] = field(default_factory=dict)
    why: Mapping[FullName, tuple[str, ...]] = field(default_factory=dict)
