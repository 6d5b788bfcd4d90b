"""What a run used: calls, tokens and money by role, and time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean, median

from dragoman.bench.line import Line, Times
from dragoman.models.model import Usage
from dragoman.statistics import quantile


@dataclass(frozen=True, slots=True)
class Spending:
    """`paid` is in US dollars, None if any price is unknown; `waited` in seconds of waiting for the model."""

    role: str
    usage: Usage
    paid: float | None
    waited: float


@dataclass(frozen=True, slots=True)
class Seconds:
    """Seconds that examples took: their sum, mean, median and 95th percentile."""

    total: float
    mean: float
    median: float
    p95: float


def spending(lines: Iterable[Line], times: Iterable[Times]) -> tuple[Spending, ...]:
    """What each role used, in order of name. Replies that came from a cache count as used, and cost nothing."""
    usage: dict[str, Usage] = {}
    for line in lines:
        for role, used in line.usage.items():
            usage[role] = usage.get(role, Usage()) + used
    paid: dict[str, float | None] = {}
    waited: dict[str, float] = {}
    for found in times:
        for role, dollars in found.paid.items():
            before = paid.get(role, 0.0)
            paid[role] = None if before is None or dollars is None else before + dollars
        for role, seconds in found.waited.items():
            waited[role] = waited.get(role, 0.0) + seconds
    return tuple(Spending(role, usage[role], paid.get(role), waited.get(role, 0.0)) for role in sorted(usage))


def by_example(lines: Sequence[Line], times: Sequence[Times]) -> tuple[float, float, float, float, float | None]:
    """Means over lines: calls, prompt tokens, completion tokens, seconds, and US dollars paid (None if unknown)."""
    found = spending(lines, times)
    used = sum((s.usage for s in found), Usage())
    paid = [s.paid for s in found]
    dollars = None if None in paid else sum(p for p in paid if p is not None) / len(lines)
    taken = seconds(times)
    counts = (used.calls, used.prompt_tokens, used.completion_tokens)
    calls, prompt, completion = (number / len(lines) for number in counts)
    return calls, prompt, completion, taken.mean if taken else float("nan"), dollars


def seconds(times: Sequence[Times]) -> Seconds | None:
    """Time over examples; None without any."""
    if not times:
        return None
    taken = sorted(found.seconds for found in times)
    return Seconds(sum(taken), fmean(taken), median(taken), quantile(taken, 0.95))
