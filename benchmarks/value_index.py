"""Time, memory and recall of the value index: python benchmarks/value_index.py [--values 1000000] [--out FILE]

A SQLite database with that many distinct values in ten text columns (names of two or three made-up words, some with
accents, and codes with numbers) is indexed. Then questions name values as they are, without accents and in another
case, with a letter left out, and not at all.
"""

from __future__ import annotations

import argparse
import random
import re
import resource
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import date
from multiprocessing import get_context
from pathlib import Path

from dragoman.databases import connect
from dragoman.linking.build_value_index import build_value_index
from dragoman.linking.value_index import ValueIndex, fold

COLUMNS = 10
SYLLABLES = ("ka", "ro", "mi", "tel", "san", "vé", "lu", "dor", "an", "bri", "chi", "ost", "ñe", "wal", "gu", "ped")
QUESTIONS = (
    "How many orders were sent to {} in 2023?",
    "List all the customers of {} with their balance.",
    "What is the average price of {} compared with last year?",
    "{}: which suppliers deliver it, and when did they last do so?",
)


def made(count: int, chance: random.Random) -> Iterator[str]:
    """Distinct values: seven of eight are names, the others codes that differ in their number."""
    seen: set[str] = set()
    while len(seen) < count:
        if len(seen) % 8 == 7:
            value = f"{chance.choice(('INV', 'SKU', 'Customer'))}-{len(seen):07d}"
        else:
            value = " ".join(
                "".join(chance.choices(SYLLABLES, k=chance.randint(2, 4))).capitalize()
                for _ in range(chance.randint(2, 3))
            )
        if value not in seen:
            seen.add(value)
            yield value


def write(path: Path, values: list[str]) -> None:
    """The values in ten columns of one table each."""
    with closing(sqlite3.connect(path)) as connection:
        for number in range(COLUMNS):
            connection.execute(f"CREATE TABLE t{number} (id INTEGER PRIMARY KEY, name TEXT)")
            part = values[number::COLUMNS]
            connection.executemany(f"INSERT INTO t{number} (name) VALUES (?)", ((value,) for value in part))
        connection.commit()


def build(source: Path, target: Path, count: int) -> tuple[float, float, float, float]:
    """(seconds, seconds of processor time, peak memory before and after in MB) of building the index."""
    database, empty = connect(str(source)), _peak()
    started, processor = time.perf_counter(), time.process_time()
    build_value_index(database, target, count, 60.0, count)
    return time.perf_counter() - started, time.process_time() - processor, empty, _peak()


def without_a_letter(value: str, chance: random.Random) -> str:
    """The value with one letter left out that is neither at its ends nor a blank."""
    place = chance.choice([i for i in range(1, len(value) - 1) if value[i] != " "])
    return value[:place] + value[place + 1 :]


def measure(
    index: ValueIndex, values: list[str], write_as: Callable[[str], str], edits: int
) -> tuple[float, float, float]:
    """(share of values found, median and 95th percentile of a question's time in ms)."""
    found, seconds = 0, list[float]()
    for position, value in enumerate(values):
        question = QUESTIONS[position % len(QUESTIONS)].format(write_as(value))
        started = time.perf_counter()
        hints = index.match(question, edits=edits)
        seconds.append(time.perf_counter() - started)
        found += any(hint.value == value for hint in hints)
    ordered = sorted(seconds)
    return found / len(values), 1000 * statistics.median(ordered), 1000 * ordered[int(0.95 * len(ordered))]


def main() -> None:
    """Build, ask, and print a page of results."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--values", type=int, default=1_000_000)
    arguments.add_argument("--machine", default="2 cores x86_64")
    arguments.add_argument("--out", type=Path)
    given = arguments.parse_args()
    chance = random.Random(6)
    with tempfile.TemporaryDirectory() as folder:
        values = list(made(given.values, chance))
        path = Path(folder) / "values.sqlite"
        write(path, values)
        asked = chance.sample(values, 200)
        del values
        with get_context("spawn").Pool(1) as process:
            took, processor, empty, peak = process.apply(build, (path, Path(folder) / "index.sqlite", given.values))
        index = ValueIndex(Path(folder) / "index.sqlite")
        lines = [
            "# Value index",
            "",
            f"{date.today()}, {given.machine}, Python {sys.version.split()[0]}: `benchmarks/value_index.py`.",
            f"{given.values:,} distinct values in {COLUMNS} columns.",
            "",
            f"- built in {took:.1f} s ({processor:.1f} s of processor time)",
            f"- index on disk: {index.path.stat().st_size / 1e6:.0f} MB",
            f"- peak memory of the process that builds: {peak:.0f} MB ({empty:.0f} MB before it starts)",
            "",
            "| the question names the value | edits | found | median ms | 95 % under ms |",
            "|---|---|---|---|---|",
        ]
        ways: tuple[tuple[str, Callable[[str], str], int], ...] = (
            ("as it is", str, 0),
            ("without accents, in lower case", fold, 0),
            ("as it is", str, 1),
            ("with a letter left out", lambda value: without_a_letter(value, chance), 1),
            ("not at all", lambda value: "somewhere", 1),
        )
        for name, write_as, edits in ways:
            found, median, most = measure(index, asked, write_as, edits)
            lines.append(f"| {name} | {edits} | {found:.3f} | {median:.1f} | {most:.1f} |")
    text = "\n".join(lines) + "\n"
    print(text)
    if given.out:
        given.out.write_text(text, encoding="utf-8")


def _peak() -> float:
    """Most memory that this process has had, in MB; on Linux without what its parent had when it was started."""
    status = Path("/proc/self/status")
    if status.exists():
        found = re.search(r"VmHWM:\s+(\d+) kB", status.read_text())
        return int(found[1]) / 1000 if found else 0.0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000


if __name__ == "__main__":
    main()
