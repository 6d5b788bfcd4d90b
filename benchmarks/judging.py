"""Speed and memory of judging: python benchmarks/judging.py [--pairs 10000] [--rows 1000000]

Three tables. Pairs of results of 1,000 rows x 5 columns, judged by `rows_match` and by two ways of pandas in the same
run: column by column as public evaluators do it, and both frames sorted whole. The peak of memory above the inputs
for two large results. Eight identical large candidates, streamed from SQLite into one class. Needs pandas.
"""

from __future__ import annotations

import argparse
import math
import random
import sqlite3
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

import pandas as pd

from dragoman.databases import Rows, connect
from dragoman.metrics import Bound, digest_query, digest_rows, digests_match, group_results, rows_match

COLUMNS = ("id", "name", "amount", "day", "share")
KINDS = ("same order", "shuffled", "shuffled, float noise", "one text differs", "one number differs")
MEBIBYTE = 2**20


def table(count: int, chance: random.Random) -> Rows:
    """A fresh result: a key, a text, a sum, a date and a share with NULLs."""
    return Rows(
        COLUMNS,
        tuple(
            (i, f"name {chance.randrange(count)}", chance.random() * 1000, f"2026-{i % 12 + 1:02}-{i % 28 + 1:02}",
             None if i % 7 == 0 else chance.random())
            for i in range(count)
        ),
    )  # fmt: skip


def counterpart(result: Rows, kind: str, chance: random.Random) -> Rows:
    """The other side of a pair, with cells of its own."""
    noise = 1 + 1e-12 if "noise" in kind else 1
    rows = [
        (i, str(name.encode(), "ascii"), amount * noise, day[:4] + day[4:], None if share is None else share * noise)
        for i, name, amount, day, share in result.rows
    ]
    if kind != "same order":
        chance.shuffle(rows)
    if "differs" in kind:
        last = list(rows[-1])
        last[1 if "text" in kind else 2] = "another" if "text" in kind else -1.5
        rows[-1] = tuple(last)
    return Rows(COLUMNS, tuple(rows))


def by_columns(gold: Rows, predicted: Rows) -> bool:
    """Column by column: every gold column, sorted as text, equals some predicted column, with a tolerance."""

    def vectors(result: Rows) -> list[list[object]]:
        frame = pd.DataFrame(list(result.rows), columns=list(result.columns))
        filled = frame.astype(object).where(frame.notna(), 0)
        return [
            sorted(column, key=lambda cell: (str(cell), isinstance(cell, (int, float))))
            for column in filled.transpose().values.tolist()
        ]

    def equal(left: list[object], right: list[object]) -> bool:
        return len(left) == len(right) and all(
            math.isclose(a, b, abs_tol=1e-2) if isinstance(a, (int, float)) and isinstance(b, (int, float)) else a == b
            for a, b in zip(left, right, strict=True)
        )

    found = vectors(predicted)
    return all(any(equal(column, other) for other in found) for column in vectors(gold))


def by_frames(gold: Rows, predicted: Rows) -> bool:
    """Both frames sorted by all their columns and compared whole."""
    frames = [
        pd.DataFrame(list(side.rows), columns=list(COLUMNS)).sort_values(list(COLUMNS), ignore_index=True)
        for side in (gold, predicted)
    ]
    try:
        pd.testing.assert_frame_equal(*frames, check_dtype=False, rtol=1e-9, atol=1e-6)
    except AssertionError:
        return False
    return True


def speed(pairs: int) -> Iterator[str]:
    """Seconds for all pairs by each way and kind."""
    ways: dict[str, Callable[[Rows, Rows], bool]] = {
        "rows_match": rows_match,
        "pandas by columns": by_columns,
        "pandas by frames": by_frames,
    }
    seconds = {(way, kind): 0.0 for way in ways for kind in KINDS}
    right = dict.fromkeys(ways, 0)
    chance = random.Random(4)
    for number in range(pairs):
        kind = KINDS[number % len(KINDS)]
        gold = table(1000, chance)
        for way, match in ways.items():
            predicted = counterpart(gold, kind, random.Random(number))
            fresh = counterpart(gold, "same order", chance)
            started = time.perf_counter()
            verdict = match(fresh, predicted)
            seconds[way, kind] += time.perf_counter() - started
            right[way] += verdict is ("differs" not in kind)
    yield f"| {pairs} pairs of 1,000 rows x 5 | " + " | ".join(KINDS) + " | all, s | times rows_match | right |"
    yield "|---" * (len(KINDS) + 4) + "|"
    base = sum(seconds["rows_match", kind] for kind in KINDS)
    for way in ways:
        times = [seconds[way, kind] for kind in KINDS]
        shown = " | ".join(f"{t / (pairs / len(KINDS)) * 1000:.2f} ms" for t in times)
        yield f"| {way} | {shown} | {sum(times):.1f} | {sum(times) / base:.1f} | {right[way] / pairs:.1%} |"


def memory(count: int) -> Iterator[str]:
    """Peak of allocated memory above the two inputs."""
    yield f"| two results of {count:,} rows x 5 | equal | seconds (traced) | peak above the inputs, MiB |"
    yield "|---|---|---|---|"
    chance = random.Random(5)
    gold = table(count, chance)
    for kind in KINDS[:4]:
        predicted = counterpart(gold, kind, chance)
        yield measured(f"rows_match, {kind}", lambda p=predicted: rows_match(gold, p))  # type: ignore[misc]
    same = counterpart(gold, "shuffled", chance)
    bound = Bound(keep=0)
    yield measured("digests, shuffled", lambda: digests_match(digest_rows(gold, bound), digest_rows(same, bound)))


def measured(name: str, work: Callable[[], object]) -> str:
    tracemalloc.start()
    started = time.perf_counter()
    found = work()
    seconds = time.perf_counter() - started
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return f"| {name} | {found} | {seconds:.1f} | {peak / MEBIBYTE:.0f} |"


def classes(count: int) -> Iterator[str]:
    """Eight identical candidates, each streamed once."""
    yield f"| 8 candidates of {count:,} rows x 5 from SQLite | classes | seconds (traced) | peak of all, MiB |"
    yield "|---|---|---|---|"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "large.sqlite")
        with sqlite3.connect(path) as connection:
            connection.execute("CREATE TABLE t (id INTEGER, name TEXT, amount REAL, day TEXT, share REAL)")
            connection.executemany("INSERT INTO t VALUES (?, ?, ?, ?, ?)", table(count, random.Random(6)).rows)
        database = connect(str(path))
        queries = [f"SELECT * FROM t ORDER BY {key}" for key in ("id", "id DESC", "name, id", "day, id")] * 2
        yield measured(
            "digest_query, group_results", lambda: group_results([digest_query(database, q) for q in queries])
        )
        database.close()


def main() -> None:
    """Print the tables and write them to benchmarks/results/judging.md."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=10_000)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--machine", default="2 cores x86_64")
    options = parser.parse_args()
    lines = [f"# Judging, {date.today()}, {options.machine}, pandas {pd.__version__}", ""]
    lines += [*speed(options.pairs), "", *memory(options.rows), "", *classes(options.rows), ""]
    print("\n".join(lines))
    Path(__file__).with_name("results").mkdir(exist_ok=True)
    Path(__file__).with_name("results").joinpath("judging.md").write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
