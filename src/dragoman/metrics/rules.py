"""Every rule by its name: ours, and the public ones with their flaws."""

from __future__ import annotations

from dragoman.metrics.case import Rule
from dragoman.metrics.strict import strict

RULES: dict[str, Rule] = {
    "strict": strict,
}
