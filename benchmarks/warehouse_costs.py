"""What ReFoRCE cost on the warehouse, by refinement iterations: python -m benchmarks.warehouse_costs

Replays the runs that were answered by hand (tests/workflows/reforce_by_hand.py) and counts each candidate's calls,
executions and tokens, as the paper's cost table does (section 4.4 and its appendix), without exploration (round one)
and with it (round two, the exploration of the candidate included). Tokens are those of the server that the replies
were written on: characters over four.
"""

from __future__ import annotations

import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from statistics import mean

from tests.workflows.reforce_by_hand import HOW, runs, standings

from dragoman.bench.stages import Stage, stages
from dragoman.compose import cache_folder
from dragoman.databases import connect
from dragoman.demo import locate
from dragoman.solver import Answer


@dataclass(frozen=True, slots=True)
class Cost:
    """Of one candidate or question; `iterations` are queries that its refinement tried."""

    iterations: int
    calls: int
    executions: int
    tokens: int


def candidates(found: Sequence[Stage]) -> Iterator[tuple[int, Cost]]:
    """(round, what it cost) of every candidate, its own exploration included."""
    by_place: dict[tuple[int, int], list[Stage]] = defaultdict(list)
    for stage in found:
        if stage.candidate:
            by_place[stage.round, stage.candidate].append(stage)
    for (number, _), own in by_place.items():
        yield number, cost(own)


def cost(found: Sequence[Stage]) -> Cost:
    """The sum of stages."""
    return Cost(
        max((stage.iterations for stage in found), default=0),
        sum(stage.usage.calls for stage in found),
        sum(stage.executions for stage in found),
        sum(stage.usage.prompt_tokens + stage.usage.completion_tokens for stage in found),
    )


def row(title: str, found: Sequence[Cost]) -> str:
    """One line of a table of means."""
    if not found:
        return f"| {title} | 0 | | | |"
    calls, executions, tokens = (mean(getattr(c, name) for c in found) for name in ("calls", "executions", "tokens"))
    return f"| {title} | {len(found)} | {calls:.2f} | {executions:.2f} | {tokens / 1000:.2f} |"


def page(answers: Sequence[Answer]) -> Iterator[str]:
    """The lines of both tables."""
    measured = [(standings(answer), stages(answer.steps)) for answer in answers]
    every = [found for _, own in measured for found in candidates(own)]
    yield "| candidates | number | model calls | executions | tokens (K) |"
    yield "|---|---|---|---|---|"
    for number, title in ((1, "without exploration"), (2, "with exploration")):
        of_round = [cost for at, cost in every if at == number]
        yield row(f"{title}: all", of_round)
        for iterations in range(HOW.iterations + 1):
            chosen = [cost for cost in of_round if cost.iterations == iterations]
            if chosen:
                words = ("no query", "1 iteration")[iterations] if iterations < 2 else f"{iterations} iterations"
                yield row(f"{title}: {words}", chosen)
    yield ""
    yield "| questions | number | model calls | executions | tokens (K) |"
    yield "|---|---|---|---|---|"
    for title, rounds in (("agreed at once", 1), ("explored", 2)):
        yield row(title, [cost(own) for stood, own in measured if len(stood) == rounds])
    yield row("all", [cost(own) for _, own in measured])
    explored = [stage for _, own in measured for stage in own if stage.name == "explore" and stage.candidate]
    yield row("explorations alone, each", [cost([stage]) for stage in explored])


def main() -> None:
    """Print the tables."""
    with closing(connect(locate("warehouse", cache_folder()))) as database, tempfile.TemporaryDirectory() as name:
        answers = [run.record_again(database, Path(name) / "again.jsonl") for run in runs()]
    print("\n".join(page(answers)))


if __name__ == "__main__":
    main()
