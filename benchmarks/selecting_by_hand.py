"""Vote, learned selector, tournament and hybrid on a small sample of stored pools, with any judge.

    python benchmarks/selecting_by_hand.py RUN --spider FOLDER --judge NAME --base-url URL --record FILE [--keep FOLDER]
    python benchmarks/selecting_by_hand.py RUN --spider FOLDER --record FILE         the recorded judge again, offline

RUN is the folder of `dragoman bench run --dataset spider --candidates 7`. The sample: `--pools` pools with two to four
classes of results, drawn by `--seed`, one a database before any has two. Their candidates are run again, and the judge
sees what it sees in `--select tournament`. Replies are kept in FILE, so that a run can be resumed. `--keep` writes the
drawn lines as a run of their own.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random

from dragoman.bench.fit_selector import Selected, choices
from dragoman.bench.line import Line, Slot, line_record
from dragoman.bench.run import RESULTS, read_lines
from dragoman.databases import Database, connect
from dragoman.ensemble.at_once import at_once
from dragoman.ensemble.model_judge import Judging, model_judge
from dragoman.ensemble.pool import Choice, pool_of
from dragoman.ensemble.selector import read_selector
from dragoman.ensemble.tournament import HYBRID, Tournament, tournament
from dragoman.errors import DragomanError
from dragoman.metrics import Verdict
from dragoman.models.model import Model
from dragoman.models.open_model import open_model
from dragoman.models.recorded import RecordedModel
from dragoman.questions import Question
from dragoman.solver import Answer, Draw, Failure
from dragoman.statistics import cluster_bootstrap, paired_cluster_bootstrap

LEAST, MOST = 2, 4
ADAPTIVE = Tournament(adaptive=True)


@dataclass(frozen=True, slots=True)
class Judged:
    """One pool: whether each way chose right, and the judgements that the tournaments took.

    `full_calls` would be every pair in both orders; `both_orders` counts the pairs that were judged so by the adaptive
    tournament, and `agreeing` those of them with the same winner in both.
    """

    stored: Selected
    tournament: bool
    hybrid: bool
    calls: int
    hybrid_calls: int
    full_calls: int
    undecided: int
    both_orders: int
    agreeing: int

    def right(self, way: str) -> float:
        return float(getattr(self if way in ("tournament", "hybrid") else self.stored, way))


def drawn(lines: Sequence[Line], count: int, seed: int) -> list[Line]:
    """At most `count` lines, of as many databases as there are, in the order of the run."""
    chance = Random(seed)
    by_database: dict[str, list[Line]] = {}
    for line in lines:
        if line.verdict != Verdict.UNSCORED and LEAST <= len({s.group for s in line.slots} - {None}) <= MOST:
            by_database.setdefault(line.database, []).append(line)
    queues = [chance.sample(found, len(found)) for _, found in sorted(by_database.items())]
    chance.shuffle(queues)
    turns = [queue[turn] for turn in range(max(map(len, queues), default=0)) for queue in queues if turn < len(queue)]
    chosen = {line.key for line in turns[:count]}
    return [line for line in lines if line.key in chosen]


def judged(stored: Selected, spider: Path, model: Model, today: str) -> Judged:
    """Run the candidates of a pool again and let the judge choose among them."""
    line = stored.line
    database = connect(str(spider / "database" / line.database / f"{line.database}.sqlite"))
    try:
        answers = [_again(slot, database) for slot in line.slots]
        pool = pool_of(Question(line.question, id=line.id), Draw(), answers, database)
        if len(pool.classes) != len({slot.group for slot in line.slots} - {None}):
            raise SystemExit(f"{line.id} has other classes of results than in the run. Are the databases the same?")
        judge = model_judge(database, model, Judging(today))
        full, mixed = (tournament(judge, how)(pool) for how in (ADAPTIVE, HYBRID))
    finally:
        database.close()
    classes = len(pool.classes)
    winners = {(s.data["first"], s.data["second"]): s.data["winner"] for s in full.steps[:-1]}
    pairs = [(winner, winners[b, a]) for (a, b), winner in winners.items() if a < b and (b, a) in winners]
    return Judged(
        stored,
        tournament=line.slots[full.place].verdict == Verdict.CORRECT,
        hybrid=line.slots[mixed.place].verdict == Verdict.CORRECT,
        calls=_calls(full),
        hybrid_calls=_calls(mixed),
        full_calls=classes * (classes - 1),
        undecided=list(winners.values()).count("undecided"),
        both_orders=len(pairs),
        agreeing=sum({one, other} in ({"first", "second"}, {"undecided"}) for one, other in pairs),
    )


def _again(slot: Slot, database: Database) -> Answer:
    if slot.group is None:
        return Answer(slot.sql, error=Failure(slot.failure or "no_sql", "It had no result."))
    try:
        return Answer(slot.sql, rows=database.execute(slot.sql))
    except DragomanError as error:
        return Answer(slot.sql, error=Failure(error.code, str(error)))


def _calls(choice: Choice) -> int:
    return int(str(choice.steps[-1].data["judgements"]))


def table(found: Sequence[Judged]) -> Iterator[str]:
    """The table, a line each."""
    clusters = [one.stored.line.database for one in found]
    most = sum(one.full_calls for one in found)
    yield f"{len(found)} pools over {len(set(clusters))} databases. Intervals of 95 % resample databases.\n"
    yield "| choice | right | % | interval | against the vote, points | only it, only the vote right | judgements |"
    yield "|---|---:|---:|---|---|---|---:|"
    calls = {"tournament": sum(one.calls for one in found), "hybrid": sum(one.hybrid_calls for one in found)}
    vote = [one.right("vote") for one in found]
    for way in ("vote", "learned", "tournament", "hybrid", "oracle"):
        own = [one.right(way) for one in found]
        mean = cluster_bootstrap(own, clusters, Random(0))
        gain = paired_cluster_bootstrap(vote, own, clusters, Random(0))
        better, worse = (sum(a > b for a, b in zip(*pair, strict=True)) for pair in ((own, vote), (vote, own)))
        yield (
            f"| {way} | {sum(own):.0f} | {mean.estimate:.0%} | {mean.low:.0%} to {mean.high:.0%} | "
            f"{100 * gain.estimate:+.0f} ({100 * gain.low:+.0f} to {100 * gain.high:+.0f}) | {better}, {worse} | "
            f"{calls.get(way, 0)} |"
        )
    undecided, both, same = (sum(getattr(o, n) for o in found) for n in ("undecided", "both_orders", "agreeing"))
    yield f"\nEvery pair in both orders would be {most} judgements. Undecided: {undecided}. Of {both} pairs judged in"
    yield f"both orders {same} had the same winner in both."


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("run", type=Path)
    asked.add_argument("--spider", type=Path, required=True, help="the folder with database/NAME/NAME.sqlite")
    asked.add_argument("--record", type=Path, required=True, help="replies; without --judge they are replayed")
    asked.add_argument("--judge", help="a model's name, as in --model-for judge=NAME")
    asked.add_argument("--base-url")
    asked.add_argument("--keep", type=Path)
    asked.add_argument("--pools", type=int, default=42)
    asked.add_argument("--seed", type=int, default=0)
    asked.add_argument("--workers", type=int, default=1)
    asked.add_argument("--today", default="Monday, 2026-11-30 (UTC, UTC+0000)")
    given = asked.parse_args()
    lines = drawn(read_lines(given.run), given.pools, given.seed)
    if given.keep:
        given.keep.mkdir(parents=True, exist_ok=True)
        text = "".join(json.dumps(line_record(line), ensure_ascii=False) + "\n" for line in lines)
        (given.keep / RESULTS).write_text(text, encoding="utf-8")
    asking = open_model(given.judge, base_url=given.base_url) if given.judge else None
    model = RecordedModel(given.record, asking, "record" if asking else "replay")
    stored = list(choices(lines, read_selector(None)))
    found = at_once([partial(judged, one, given.spider, model, given.today) for one in stored], given.workers)
    print(f"# Choosing with a judge\n\n`python benchmarks/selecting_by_hand.py {' '.join(sys.argv[1:])}`\n")
    print("\n".join(table(found)))


if __name__ == "__main__":
    main()
