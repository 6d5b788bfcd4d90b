"""What candidates cost by the number of queries that they tried, as in tables 6 and 7 of ReFoRCE (Deng et al. 2025)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

from dragoman.bench.line import Line
from dragoman.bench.stages import Stage
from dragoman.report import Column, Section, Table

COLUMNS = (
    Column("Queries tried"),
    Column("Candidates", ",d"),
    Column("Model calls", ".2f"),
    Column("Executions", ".2f"),
    Column("Tokens", ",.0f"),
)


@dataclass(frozen=True, slots=True)
class CandidateCost:
    """What one candidate used: model calls, executions and tokens, an exploration for it included.

    An exploration or a request that served several candidates counts for each of them with its part.
    """

    explored: bool
    iterations: int
    calls: float
    executions: float
    tokens: float


def candidate_costs(lines: Iterable[Line]) -> tuple[CandidateCost, ...]:
    """The costs of all candidates that stages tell of, in order."""
    return tuple(cost for line in lines for cost in _of_line(line.stages))


def refinement_section(lines: Sequence[Line]) -> Section | None:
    """Mean costs by the number of queries tried, without and with exploration; None where nothing was refined."""
    costs = candidate_costs(lines)
    tables = [
        _table(title, [cost for cost in costs if cost.explored is explored])
        for title, explored in (("Without exploration", False), ("With exploration", True))
        if any(cost.explored is explored for cost in costs)
    ]
    return Section("What refinement costs", tuple(tables)) if tables else None


def _of_line(found: Sequence[Stage]) -> list[CandidateCost]:
    refined = [stage for stage in found if stage.name == "refine"]
    beside = [stage for stage in found if stage.name in ("explore", "sample")]
    costs = []
    for stage in refined:
        together = sum(other.round == stage.round for other in refined)
        own = [
            (other, 1 if other.candidate else 1 / together)
            for other in beside
            if other.round == stage.round and other.candidate in (0, stage.candidate)
        ]
        parts = [(stage, 1.0), *own]
        costs.append(
            CandidateCost(
                any(part.name == "explore" for part, _ in own),
                stage.iterations,
                sum(part.usage.calls * share for part, share in parts),
                sum(part.executions * share for part, share in parts),
                sum((part.usage.prompt_tokens + part.usage.completion_tokens) * share for part, share in parts),
            )
        )
    return costs


def _table(title: str, costs: Sequence[CandidateCost]) -> Table:
    by_iterations: dict[int, list[CandidateCost]] = defaultdict(list)
    for cost in costs:
        by_iterations[cost.iterations].append(cost)
    rows = [(str(number), *_means(by_iterations[number])) for number in sorted(by_iterations)]
    return Table(title, COLUMNS, (*rows, ("all", *_means(costs))))


def _means(costs: Sequence[CandidateCost]) -> tuple[int, float, float, float]:
    return (
        len(costs),
        fmean(cost.calls for cost in costs),
        fmean(cost.executions for cost in costs),
        fmean(cost.tokens for cost in costs),
    )
