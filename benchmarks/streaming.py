"""How much memory a result of 3,000,000 rows takes under a cap of 1,000 rows, and without a cap in a stream.

    python benchmarks/streaming.py [--rows 3000000] [--width 100]

For SQLite, DuckDB and, where `make services` has been run, PostgreSQL and MariaDB. Each engine runs in a process of
its own; what is printed is how far the peak of its resident memory rose above what it was before the query.
"""

from __future__ import annotations

import argparse
import multiprocessing
import resource
import sqlite3
import tempfile
import time
from pathlib import Path
from typing import Any

from dragoman.databases.connect import open_engine
from dragoman.databases.database import Limits
from dragoman.databases.guarded_database import GuardedDatabase

ENV = Path(__file__).resolve().parents[1] / ".services" / "env"
QUERIES = {
    "sqlite": "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < {rows})"
    " SELECT n, printf('%0{width}d', n) AS text FROM c",
    "duckdb": "SELECT range AS n, repeat('x', {width}) AS text FROM range({rows})",
    "postgres": "SELECT n, repeat('x', {width}) AS text FROM generate_series(1, {rows}) AS n",
    "mariadb": "SELECT seq AS n, repeat('x', {width}) AS text FROM seq_1_to_{rows}",
}


def main() -> None:
    """Print one line for each engine."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=3_000_000)
    parser.add_argument("--width", type=int, default=100)
    given = parser.parse_args()
    settings = dict(line.split("=", 1) for line in ENV.read_text().splitlines()) if ENV.exists() else {}
    with tempfile.TemporaryDirectory() as folder:
        for engine, url in places(Path(folder), settings).items():
            sql = QUERIES[engine].format(rows=given.rows, width=given.width)
            for mode in ("capped", "streamed"):
                parent, child = multiprocessing.Pipe()
                process = multiprocessing.get_context("spawn").Process(target=measure, args=(url, sql, mode, child))
                process.start()
                rows, rise, seconds = parent.recv()
                process.join()
                print(f"{engine:9} {mode:9} {rows:9,} rows   +{rise / 2**20:6.1f} MB   {seconds:6.2f} s", flush=True)


def places(folder: Path, settings: dict[str, str]) -> dict[str, str]:
    """Engine -> URL of a database that holds anything at all."""
    sqlite3.connect(folder / "x.sqlite").execute("CREATE TABLE t (a)").connection.close()
    (folder / "data").mkdir()
    (folder / "data" / "t.csv").write_text("a\n1\n")
    found = {"sqlite": str(folder / "x.sqlite"), "duckdb": str(folder / "data")}
    if "DRAGOMAN_TEST_POSTGRES" in settings:
        found["postgres"] = settings["DRAGOMAN_TEST_POSTGRES"]
        found["mariadb"] = settings["DRAGOMAN_TEST_MARIADB"] + "dragoman"
    return found


def measure(url: str, sql: str, mode: str, reply: Any) -> None:
    """Run the query in this process and send (rows, bytes that the peak rose by, seconds)."""
    database = GuardedDatabase(open_engine(url), lambda sql, schema, dialect: None)
    database.execute("SELECT 1")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    started = time.perf_counter()
    if mode == "capped":
        rows = len(database.execute(sql, Limits(rows=1000, seconds=None)))
    else:
        with database.stream(sql, Limits(seconds=None)) as stream:
            rows = sum(len(batch) for batch in stream)
    seconds = time.perf_counter() - started
    reply.send((rows, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 - before, seconds))
    database.close()


if __name__ == "__main__":
    main()
