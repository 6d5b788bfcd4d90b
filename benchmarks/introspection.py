"""How long reading a schema takes, against SQLAlchemy's inspector asked table by table, in one run.

    python benchmarks/introspection.py [--tables 200] [--columns 15] [--rounds 5]

Makes a database on the PostgreSQL of `make services`, with keys, comments and views, and drops it again.
"""

from __future__ import annotations

import argparse
import statistics
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import sqlalchemy

from dragoman.databases.postgres import PostgresEngine
from dragoman.databases.postgres_schema import postgres_schema
from dragoman.databases.url import parse_url

ENV = Path(__file__).resolve().parents[1] / ".services" / "env"


def main() -> None:
    """Print the medians and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--columns", type=int, default=15)
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    with database(given.tables, given.columns) as url:
        engine = PostgresEngine(parse_url(url))
        peer = sqlalchemy.create_engine(url.replace("postgresql://", "postgresql+psycopg://"))
        with psycopg.connect(url, autocommit=True) as connection, peer.connect() as other:

            def ours() -> int:
                schema = postgres_schema(lambda query: connection.execute(query.encode()).fetchall(), "bench")
                return sum(len(table.columns) for table in schema)

            def theirs() -> int:
                return by_table(other)

            assert ours() == theirs() >= given.tables * given.columns
            times: dict[str, list[float]] = {"dragoman": [], "inspector": []}
            for _ in range(given.rounds):  # in turn, so that a busy machine is busy for both
                times["dragoman"].append(timed(ours))
                times["inspector"].append(timed(theirs))
        known = [timed(lambda: len(engine.schema().tables)) for _ in range(given.rounds + 1)][1:]
        engine.close()
        peer.dispose()
    mine, other_time = statistics.median(times["dragoman"]), statistics.median(times["inspector"])
    print(f"{given.tables} tables x {given.columns} columns on PostgreSQL, median of {given.rounds}")
    print(f"dragoman, whole schema           {mine * 1000:8.1f} ms")
    print(f"inspector, table by table        {other_time * 1000:8.1f} ms   {other_time / mine:.1f} times as long")
    print(f"dragoman, schema already known   {statistics.median(known) * 1000:8.1f} ms")


def by_table(connection: sqlalchemy.Connection) -> int:
    """The same facts from SQLAlchemy's inspector, asked as most tools ask: one table after the other."""
    inspector = sqlalchemy.inspect(connection)
    inspector.clear_cache()
    columns = 0
    for name in [*inspector.get_table_names(), *inspector.get_view_names()]:
        columns += len(inspector.get_columns(name))
        inspector.get_pk_constraint(name)
        inspector.get_foreign_keys(name)
        inspector.get_unique_constraints(name)
        inspector.get_table_comment(name)
    return columns


def timed(work: Callable[[], int]) -> float:
    """Seconds of one call."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


@contextmanager
def database(tables: int, columns: int) -> Iterator[str]:
    """A database with that many tables; each refers to the one before it."""
    settings = dict(line.split("=", 1) for line in ENV.read_text().splitlines())
    admin = settings["DRAGOMAN_TEST_POSTGRES_ADMIN"]
    name = f"dragoman_bench_{uuid.uuid4().hex[:8]}"
    with psycopg.connect(admin, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
    url = f"{admin.rpartition('/')[0]}/{name}"
    try:
        with psycopg.connect(url, autocommit=True) as connection:
            for number in range(tables):
                fields = ", ".join(f"field_{i} numeric(10, 2)" for i in range(columns - 2))
                refers = f"REFERENCES t{number - 1}" if number else ""
                connection.execute(
                    f"CREATE TABLE t{number} (id int PRIMARY KEY, parent int {refers}, {fields});"
                    f"COMMENT ON TABLE t{number} IS 'number {number}';"
                    f"COMMENT ON COLUMN t{number}.parent IS 'the one before'".encode()
                )
            connection.execute(b"CREATE VIEW v AS SELECT * FROM t0")
        yield url
    finally:
        with psycopg.connect(admin, autocommit=True) as connection:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())


if __name__ == "__main__":
    main()
