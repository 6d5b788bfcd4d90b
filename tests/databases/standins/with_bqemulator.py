"""BigQuery's engine against a local stand-in; what was seen is printed as JSON.

Runs in .venv-bigquery, which has: pip install bqemulator "duckdb<2" duckdb-extensions duckdb-extension-spatial numpy
"""

import json
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from duckdb_extensions import import_extension
from google.auth.credentials import AnonymousCredentials
from google.cloud import bigquery

from dragoman.databases.bigquery import open_bigquery
from dragoman.errors import DragomanError


def main() -> None:
    import_extension("spatial")  # the emulator would download it
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [str(Path(sys.executable).with_name("bqemulator")), "start", "--rest-port", str(port), "--grpc-port", "0"]
    server = subprocess.Popen([*command, "--project", "shop"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait(port)
        print(json.dumps(observe(f"http://127.0.0.1:{port}"), default=str))
    finally:
        server.terminate()
        server.wait(30)


def wait(port: int) -> None:
    until = time.monotonic() + 60
    while time.monotonic() < until:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.2)


def observe(endpoint: str) -> dict[str, Any]:
    nobody: Any = AnonymousCredentials()
    writer = bigquery.Client(project="shop", credentials=nobody, client_options={"api_endpoint": endpoint})
    writer.create_dataset("sales")
    for statement in (
        "CREATE TABLE sales.p (id INT64 NOT NULL, name STRING, tags ARRAY<STRUCT<k STRING, v INT64>>, amount NUMERIC)",
        "INSERT INTO sales.p VALUES (1, 'x%', [STRUCT('a' AS k, 1 AS v)], NUMERIC '1.10')",
        "CREATE VIEW sales.v AS SELECT id FROM sales.p",
    ):
        writer.query(statement).result()
    engine = open_bigquery(f"bigquery://shop/sales?endpoint={endpoint}&maximum_bytes_billed=1000000")
    seen: dict[str, Any] = {"enforced": engine.enforced, "refused": {}}
    schema = engine.schema()
    seen["tables"] = {
        table.name: [table.kind, [[c.name, c.type, c.nullable, c.nested] for c in table.columns]] for table in schema
    }
    with engine.stream("SELECT id, name, tags, amount FROM sales.p", 30) as stream:
        seen["rows"] = [stream.columns, [row for batch in stream for row in batch]]
    for sql in (
        "DELETE FROM sales.p WHERE true",
        "SELECT 1; SELECT 2",
        "CREATE TABLE sales.q (a INT64)",
        "SELECT nope",
    ):
        try:
            with engine.stream(sql, 30):
                pass
        except DragomanError as error:
            seen["refused"][sql] = str(error)
    seen["left"] = next(iter(writer.query("SELECT count(*) FROM sales.p").result()))[0]
    engine.close()
    return seen


main()
