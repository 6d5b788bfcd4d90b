"""What other votes would have chosen from stored candidates: python benchmarks/votes.py RUN [RUN ..] [--out FILE]

RUN is the folder of `dragoman bench run --candidates 7` on Spider dev; nothing is decoded or executed again. Each way
to choose is scored on the fixed 300 questions that `training/evaluate.py` asks, on all of dev without wta_1, and on
wta_1 alone, whose data are not Spider's. Intervals are 95 %, by resampling databases (within one database questions);
gains are paired, on dev without wta_1, against the vote of all candidates. Several runs, of other temperatures or
adapters, make several tables. In runs from before candidates kept the number of their tokens it is estimated from the
question's tokens and the length of the query.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

from dragoman.bench.accuracy import is_scored
from dragoman.bench.fit_selector import signals_of_slot
from dragoman.bench.line import Line, Slot
from dragoman.bench.pools import slots_of
from dragoman.bench.provenance import read_run
from dragoman.bench.run import read_lines, read_run_times
from dragoman.ensemble import elect, masses
from dragoman.metrics import Verdict
from dragoman.statistics import cluster_bootstrap, paired_cluster_bootstrap

sys.path.append(str(Path(__file__).parents[1] / "training"))
from evaluate import stratified

ELSEWHERE = "wta_1"
SEED = 42
DIALECT = "sqlite"

Choose = Callable[[Sequence[Slot]], Slot]
Weight = Callable[[int, Slot], float]


def greedy(slots: Sequence[Slot]) -> Slot:
    """The first candidate, drawn at temperature 0."""
    return slots[0]


def likeliest(slots: Sequence[Slot]) -> Slot:
    """Of those with a result the one whose tokens are likeliest on average."""
    return max(_standing(slots), key=lambda slot: -math.inf if slot.logprob is None else slot.logprob)


def by_votes(slots: Sequence[Slot]) -> Slot:
    """`ensemble.by_vote`."""
    return slots[elect(list(map(signals_of_slot, slots)), DIALECT)]


def likelihood(slots: Sequence[Slot]) -> Slot:
    """`ensemble.by_likelihood`: each different query once, with the probability of its text."""
    pool = list(map(signals_of_slot, slots))
    return slots[elect(pool, DIALECT, masses(pool))]


def again(slots: Sequence[Slot]) -> Slot:
    """The greedy one, and all by likelihood only where its result has no values or it failed."""
    return slots[0] if signals_of_slot(slots[0]).tells else likelihood(slots)


def vote(weight: Weight, most: int) -> Choose:
    """The class of results with most weight among the first `most` candidates; of equal ones the one found first.

    Candidates without a result are set apart, and those without rows stand back, as in `ensemble.vote`.
    """

    def choose(slots: Sequence[Slot]) -> Slot:
        pool = list(slots[:most])
        totals: dict[int, float] = {}
        for place, slot in enumerate(pool):
            if slot.group is not None:
                totals[slot.group] = totals.get(slot.group, 0.0) + weight(place, slot)
        standing = _standing(pool)
        return max(standing, key=lambda slot: 0.0 if slot.group is None else totals[slot.group])

    return choose


def equal(place: int, slot: Slot) -> float:
    """One candidate, one vote."""
    return 1.0


def by_likelihood(sharpness: float) -> Weight:
    """The mean probability of a token, to the power of `sharpness`."""
    return lambda place, slot: 1.0 if slot.logprob is None else math.exp(sharpness * slot.logprob)


def greedy_counts(times: float) -> Weight:
    """The greedy candidate has several votes."""
    return lambda place, slot: times if place == 0 else 1.0


WAYS: dict[str, Choose] = {
    "greedy": greedy,
    "vote of 3": vote(equal, 3),
    "vote of 5": vote(equal, 5),
    "vote of 7": vote(equal, 7),
    "`--select vote`": by_votes,
    "`--select likelihood`, the default": likelihood,
    "greedy, by likelihood where it has no values": again,
    "vote of 7, weighted by likelihood": vote(by_likelihood(1.0), 7),
    "vote of 7, weighted by likelihood, sharper": vote(by_likelihood(4.0), 7),
    "vote of 7, greedy counts 2": vote(greedy_counts(2.0), 7),
    "vote of 7, greedy counts 3": vote(greedy_counts(3.0), 7),
    "likeliest of 7": likeliest,
}


def tables(run: Path) -> Iterator[str]:
    """The page of one run, in Markdown."""
    lines = [_with_tokens(line) for line in read_lines(run) if line.repeat == 0]
    times = [taken.seconds for key, taken in read_run_times(run).items() if key[1] == 0]
    here = [line for line in lines if line.database != ELSEWHERE]
    pools = {len(slots_of(line)) for line in lines}
    settings = read_run(run)
    yield f"## {run.name}\n"
    yield f"`{settings}`\n"
    yield f"Candidates a question: {min(pools)} to {max(pools)}; {sum(times) / len(times):.2f} seconds a question.\n"
    yield (
        "| choice | 300 questions % | 95 % interval | dev without wta_1 % | 95 % interval | wta_1 % | 95 % interval "
        "| gain on the vote, points |"
    )
    yield "|---|---:|---:|---:|---:|---:|---:|---|"
    parts = (
        stratified(here, min(300, len(here))),  # type: ignore[type-var]
        here,
        [line for line in lines if line.database == ELSEWHERE],
    )
    usual = _scores(here, by_votes)
    for name, choose in (*WAYS.items(), ("best of all (a perfect choice)", _best)):
        yield f"{_row(name, [_scores(part, choose) for part in parts])} {_gain(usual, _scores(here, choose))} |"
    yield ""


def _with_tokens(line: Line) -> Line:
    """The line with an estimate where candidates do not say how many tokens they have."""
    letters = sum(len(slot.sql) for slot in line.slots)
    if not letters or any(slot.tokens is not None for slot in line.slots):
        return line
    tokens = sum(used.completion_tokens for used in line.usage.values())
    return replace(
        line, slots=tuple(replace(s, tokens=max(1, round(tokens * len(s.sql) / letters))) for s in line.slots)
    )


def _gain(usual: Sequence[tuple[float, str]], other: Sequence[tuple[float, str]]) -> str:
    if not usual:
        return ""
    (before, databases), (after, _) = (zip(*scores, strict=True) for scores in (usual, other))
    found = paired_cluster_bootstrap(before, after, databases, Random(SEED))
    return f"{100 * found.estimate:+.1f} ({100 * found.low:+.1f} to {100 * found.high:+.1f})"


def _best(slots: Sequence[Slot]) -> Slot:
    return max(slots, key=_is_right)


def _standing(slots: Sequence[Slot]) -> list[Slot]:
    """Those with rows; else those with a result; else all that name nothing unknown; else all."""
    full = [slot for slot in slots if slot.group is not None and slot.rows]
    empty = [slot for slot in slots if slot.group is not None]
    resolved = [slot for slot in slots if slot.failure != "unresolved"]
    return full or empty or resolved or list(slots)


def _is_right(slot: Slot) -> bool:
    return slot.verdict == Verdict.CORRECT


def _scores(lines: Sequence[Line], choose: Choose) -> list[tuple[float, str]]:
    """(1 if right, database) of each scored line."""
    return [(float(_is_right(choose(slots_of(line)))), line.database) for line in lines if is_scored(line)]


def _row(name: str, parts: Sequence[Sequence[tuple[float, str]]]) -> str:
    cells = [name]
    for part in parts:
        if not part:
            cells += ["", ""]
            continue
        values, databases = zip(*part, strict=True)
        found = cluster_bootstrap(values, databases, Random(SEED))
        cells += [f"{sum(values) / len(values):.1%} ({len(values)})", f"{found.low:.1%} to {found.high:.1%}"]
    return f"| {' | '.join(cells)} |"


def main() -> None:
    """One table a run."""
    parser = argparse.ArgumentParser(description="Score other votes over the candidates of bench runs.")
    parser.add_argument("runs", type=Path, nargs="+", metavar="RUN")
    parser.add_argument("--out", type=Path, help="write the page there as well")
    arguments = parser.parse_args()
    page = "\n".join(line for run in arguments.runs for line in tables(run))
    print(page)
    if arguments.out:
        arguments.out.write_text(f"# Votes over stored candidates\n\n{page}", "utf-8")


if __name__ == "__main__":
    main()
