"""What schema linking without a model shows of the warehouse: python benchmarks/warehouse_linking.py [--out FILE]

Over the questions of the warehouse's workload, for 2,000, 4,000 and 8,000 tokens by the embedded model's tokenizer.
A gold table counts when it is named within the budget, a daily table or another shard when its group is; a gold column
when it is seen (nested ones by their top column). `--postgres URL` measures the schema of a loaded PostgreSQL too.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from datetime import date
from pathlib import Path

from embedded_tokens import EmbeddedTokens
from spider2_schemas import GoldQuery

from dragoman.compose import cache_folder
from dragoman.databases import connect
from dragoman.demo import locate
from dragoman.demo.warehouse import needs_exploration, workload
from dragoman.demo.warehouse.ddl import Dialect
from dragoman.linking.group_tables import GroupedSchema, group_tables
from dragoman.linking.schema_text import schema_text
from dragoman.linking.token_estimate import estimate_tokens
from dragoman.schema import Schema
from linking import LONGEST_ESTIMATED, Count, Seen, needed, ours, row

BUDGETS = (2000, 4000, 8000)


def page(schema: Schema, count: Count) -> Iterator[str]:
    """The lines of one engine's part of the result."""
    grouped = group_tables(schema)
    dialect: Dialect = "duckdb" if schema.dialect == "duckdb" else "postgres"
    asked = [GoldQuery(e.question.id, "warehouse", e.question.text, e.sql) for e in workload(dialect)]
    known = [needed(schema, grouped, query) for query in asked]
    unread = [f"{q.identity}: {why}" for q, why in zip(asked, known, strict=True) if isinstance(why, str)]
    queries = [query for query in known if not isinstance(query, str)]
    columns = sum(len(table.columns) for table in schema)
    paths = sum(len(table.columns) + sum(len(c.nested) for c in table.columns) for table in grouped.schema)
    every = count(schema_text(GroupedSchema(schema, {}, tuple(range(len(schema.tables))))).text)
    yield f"## {schema.dialect}: {len(schema.tables)} tables with {columns:,} columns"
    yield ""
    yield f"In groups: {len(grouped.schema.tables)} tables, {paths:,} columns and fields. Every table takes {every:,}"
    yield f"tokens, the whole schema in groups {count(schema_text(grouped).text):,}. {len(queries)} questions."
    yield ""
    yield "| questions | budget | tables named % | with columns % | all columns % | columns % | tokens, median |"
    yield "|---|---|---|---|---|---|---|"
    explored = needs_exploration()
    for budget in BUDGETS:
        started = time.perf_counter()
        seen = list(ours(grouped, queries, budget, count))
        spent = (time.perf_counter() - started) / len(queries)
        yield row("all", budget, seen)
        yield row("need exploration", budget, [s for s in seen if s.query.query.identity in explored])
        lost = [_lost(s) for s in seen if s.lacking]
        print(f"{schema.dialect} {budget}: {1000 * spent:.0f} ms a question; not seen: {lost}", file=sys.stderr)
    yield ""
    yield from (f"- not counted: {line}" for line in unread)


def _lost(seen: Seen) -> str:
    lost = {
        ".".join(name): sorted(columns - seen.columns.get(name, frozenset()))
        for name, columns in seen.query.tables.items()
    }
    return f"{seen.query.query.identity} { ({name: found for name, found in lost.items() if found}) }"


def main() -> None:
    """Measure, and print a page of results."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--machine", default="2 cores x86_64")
    arguments.add_argument("--postgres", metavar="URL")
    arguments.add_argument("--out", type=Path)
    given = arguments.parse_args()
    lines = ["# Schema linking without a model, on the warehouse", ""]
    lines.append(
        f"{date.today()}, {given.machine}, Python {sys.version.split()[0]}: `benchmarks/warehouse_linking.py`."
    )
    lines.append("Per cent of questions all of whose gold tables are named, are seen with columns, all of whose gold")
    lines.append("columns are seen, and per cent of all gold columns. Tokens by the embedded model's tokenizer.")
    lines.append("")
    with EmbeddedTokens() as exact:
        for url in filter(None, (locate("warehouse", cache_folder()), given.postgres)):
            database = connect(url)
            lines += page(
                database.schema(), lambda text: exact(text) if len(text) > LONGEST_ESTIMATED else estimate_tokens(text)
            )
            database.close()
    text = "\n".join(lines) + "\n"
    print(text)
    if given.out:
        given.out.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
