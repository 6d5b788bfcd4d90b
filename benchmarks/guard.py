"""Time of the read-only guard: python benchmarks/guard.py [--rounds 3]

Every gold query of Spider (train and dev) against its own schema, and apart every gold query of Spider 2.0-Lite that
the guard accepts, against its own schema where that is published. Each query is guarded once to warm up and then
`rounds` times; its time is the least of these. Wall time and the thread's own processor time are both given, for the
machine may be busy. Writes benchmarks/results/guard.md.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sqlite3
import statistics
import time
from collections.abc import Iterable
from datetime import date
from pathlib import Path

import spider2_schemas

from dragoman.errors import Refused
from dragoman.schema import Column, Schema, Table
from dragoman.sql.guard import guard
from dragoman.sql.parse import parse

RESULTS = Path(__file__).parent / "results" / "guard.md"
Query = tuple[str, Schema]


def spider() -> list[Query]:
    """Gold SQL of train and dev with the schema that the database itself reports."""
    shared = os.environ.get("DRAGOMAN_SHARED") or Path(__file__).resolve().parents[2] / "shared"
    folder = Path(shared) / "data" / "spider"
    schemas: dict[str, Schema] = {}
    queries: list[Query] = []
    for file in ("dev.json", "train_spider.json"):
        for example in json.loads((folder / file).read_text(encoding="utf-8")):
            name = example["db_id"]
            path = folder / "database" / name / f"{name}.sqlite"
            if name not in schemas and path.exists():
                schemas[name] = described(path)
            if name in schemas:
                queries.append((example["query"], schemas[name]))
    return queries


def described(path: Path) -> Schema:
    """Tables and columns of a SQLite file."""
    connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    names = [row[0] for row in connection.execute("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')")]
    columns = "SELECT name FROM pragma_table_info(?)"
    tables = tuple(Table(name, tuple(Column(row[0]) for row in connection.execute(columns, (name,)))) for name in names)
    connection.close()
    return Schema(tables)


def spider2() -> list[Query]:
    """Gold SQL of Spider 2.0-Lite with its schema, an empty one of the same dialect where it lacks a table."""
    queries: list[Query] = []
    known: dict[str, Schema | None] = {}
    databases = {gold.identity: gold.database for gold in spider2_schemas.gold_queries()[0]}
    for path in sorted((spider2_schemas.folder() / "evaluation_suite" / "gold" / "sql").glob("*.sql")):
        sql, database = path.read_text("utf-8-sig"), databases.get(path.stem, "")
        if database not in known:
            known[database] = spider2_schemas.schema(database) if database else None
        dialect = spider2_schemas.engine_of(path.stem)
        schema = known[database]
        fitting = schema if schema and schema.dialect == dialect and accepted(sql, schema) else None
        queries.append((sql, fitting or Schema(dialect=dialect)))
    return queries


def accepted(sql: str, schema: Schema) -> bool:
    """Whether the guard lets the query through."""
    try:
        guard(sql, schema, schema.dialect)
    except Refused:
        return False
    return True


def measure(queries: Iterable[Query], rounds: int) -> tuple[list[float], list[float], list[float], int]:
    """Milliseconds of wall time, of processor time, and of parsing alone (processor time); and how many are refused."""
    wall, processor, parsing, refused = [], [], [], 0
    for sql, schema in queries:
        if not accepted(sql, schema):
            refused += 1
            continue
        times = []
        for _ in range(rounds):
            started, busy = time.perf_counter(), time.thread_time()
            guard(sql, schema, schema.dialect)
            times.append((time.perf_counter() - started, time.thread_time() - busy))
        busy = time.thread_time()
        parse(sql, schema.dialect)
        parsing.append((time.thread_time() - busy) * 1e3)
        wall.append(min(t[0] for t in times) * 1e3)
        processor.append(min(t[1] for t in times) * 1e3)
    return wall, processor, parsing, refused


def row(name: str, queries: list[Query], rounds: int) -> str:
    wall, processor, parsing, refused = measure(queries, rounds)
    with_schema = sum(1 for _, schema in queries if schema.tables)

    def both(times: list[float]) -> str:
        return f"{statistics.median(times):.2f} | {sorted(times)[int(len(times) * 0.99)]:.2f}"

    counts = f"{len(queries):,} | {with_schema:,} | {refused}"
    return f"| {name} | {counts} | {both(wall)} | {both(processor)} | {both(parsing)} |"


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--rounds", type=int, default=3)
    rounds = arguments.parse_args().rounds
    lines = [
        f"# The guard, {date.today()}, {os.cpu_count()} cores {platform.machine()}, Python {platform.python_version()}",
        "",
        "Milliseconds for each query, the least of several rounds; parsing is part of guarding.",
        "",
        "| gold queries of | count | schema known | refused | wall median | p99 | processor | p99 | parse | p99 |",
        "|---|---|---|---|---|---|---|---|---|---|",
        row("Spider train and dev", spider(), rounds),
        row("Spider 2.0-Lite", spider2(), rounds),
    ]
    text = "\n".join(lines) + "\n"
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
