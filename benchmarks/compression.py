"""Tokens of schemas before and after grouping: python benchmarks/compression.py [--out FILE] [--estimate]

Every database of Spider 2.0-Lite that a gold query uses, and the 366 daily tables of ga360 with their descriptions.
Before: the same rendering of every table, without samples; and for ga360 the published JSON with its sample rows.
After: tables that are alike stand together, and the original schema is rebuilt from it, which is checked. Tokens by
the embedded model's tokenizer, or with --estimate by our own estimate.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from datetime import date
from itertools import pairwise
from pathlib import Path

import spider2_schemas
from embedded_tokens import EmbeddedTokens

from dragoman.linking.group_tables import GroupedSchema, group_tables, ungroup
from dragoman.linking.ranker import Ranker
from dragoman.linking.schema_text import legend, schema_text
from dragoman.linking.table_text import column_lines, heading, items, notes
from dragoman.linking.token_estimate import estimate_tokens
from dragoman.schema import Column, Schema, Table

QUESTION = "How many distinct customers bought in each month of 2017, and for which total?"
ROW = "| {} | {:,} | {:,} | {:,} | {:,} | {:.1f} | {:.2f} |"


def measured(schema: Schema, count: Callable[[str], int]) -> tuple[int, int, int, int, float, float]:
    """(tables, columns, tokens before, tokens after, per cent saved, seconds of grouping and writing)."""
    started = time.perf_counter()
    grouped = group_tables(schema)
    after = schema_text(grouped)
    took = time.perf_counter() - started
    if ungroup(grouped) != schema:
        raise SystemExit(f"{schema.name} is not rebuilt")
    before = sum(map(count, every_table(schema)))
    tokens = count(after.text)
    columns = sum(len(table.columns) for table in schema)
    return len(schema.tables), columns, before, tokens, 100 * (1 - tokens / before), took


def every_table(schema: Schema) -> Iterator[str]:
    """The same rendering with each table in full, by namespace; what names a table apart from its columns."""
    yield legend(GroupedSchema(schema, {}, ()), None)
    namespace = ""
    for table in schema:
        if table.schema != namespace:
            namespace = table.schema
            yield f"In {namespace}:\n"
        yield f"{heading(table, None, schema.dialect)}\n"
        yield "\n".join([*column_lines(items(table, schema.dialect), notes(table, {})), ""])


def wide() -> Schema:
    """3,000 columns in 60 tables of our own making, none of them alike."""
    return Schema(
        tuple(
            Table(f"measure{chr(97 + t % 26)}{chr(97 + t // 26)}", tuple(
                Column(f"reading{t}x{c}", "DOUBLE", comment=f"The reading {c} of instrument {t}, in volts.")
                for c in range(50)
            ))
            for t in range(60)
        ),
        "duckdb",
        "wide",
    )  # fmt: skip


def best_of(schema: Schema, budget: int, times: int = 5) -> tuple[float, float, float, float]:
    """Least seconds of (grouping, indexing for ranking, ranking, writing within the budget)."""
    found: list[tuple[float, float, float, float]] = []
    for _ in range(times):
        marks = [time.perf_counter()]
        grouped = group_tables(schema)
        marks.append(time.perf_counter())
        ranker = Ranker(grouped.schema)
        marks.append(time.perf_counter())
        ranking = ranker.rank(QUESTION)
        marks.append(time.perf_counter())
        schema_text(grouped, budget, ranking)
        marks.append(time.perf_counter())
        found.append(tuple(b - a for a, b in pairwise(marks)))  # type: ignore[arg-type]
    return tuple(min(column) for column in zip(*found, strict=True))  # type: ignore[return-value]


def page(count: Callable[[str], int], by: str, machine: str) -> Iterator[str]:
    """The lines of the result."""
    yield "# Compression of schemas"
    yield ""
    yield f"{date.today()}, {machine}, Python {sys.version.split()[0]}: `benchmarks/compression.py`. Tokens by {by}."
    yield "Before: the same rendering of every table, without samples. After: grouped, lossless (rebuilt and compared)."
    yield "Before is counted table by table, after as one text."
    yield ""
    yield "| database | tables | columns | before | after | saved % | s |"
    yield "|---|---|---|---|---|---|---|"
    total_before = total_after = 0
    for schema in spider2_schemas.schemas():
        tables, columns, before, after, saved, took = measured(schema, count)
        total_before, total_after = total_before + before, total_after + after
        yield ROW.format(schema.name, tables, columns, before, after, saved, took)
    yield f"| all | | | {total_before:,} | {total_after:,} | {100 * (1 - total_after / total_before):.1f} | |"
    yield ""
    daily = spider2_schemas.ga360()
    tables, columns, before, after, saved, took = measured(daily, count)
    published = sorted((spider2_schemas.folder() / "ga360_tables").iterdir())
    raw = sum(count(path.read_text("utf-8")) for path in published)
    yield f"ga360_tables: {tables} tables, {columns:,} columns, {before:,} tokens before, {after:,} after:"
    yield f"**{saved:.2f} % saved** against the same rendering, **{100 * (1 - after / raw):.3f} %** against the raw"
    yield f"JSON with its sample rows ({raw:,} tokens)."
    yield ""
    yield "Time for a question over 3,000 columns (60 tables, none alike, within 8,000 estimated tokens), best of five:"
    parts = best_of(wide(), 8000)
    named = zip(("grouping", "indexing", "ranking", "writing"), parts, strict=True)
    yield ", ".join(f"{name} {seconds:.3f} s" for name, seconds in named) + f"; together {sum(parts):.2f} s."


def main() -> None:
    """Measure, and print a page of results."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--estimate", action="store_true")
    arguments.add_argument("--machine", default="2 cores x86_64")
    arguments.add_argument("--out", type=Path)
    given = arguments.parse_args()
    by = "our estimate" if given.estimate else "the embedded model's tokenizer (SmolLM2)"
    lines = []
    with nullcontext(estimate_tokens) if given.estimate else EmbeddedTokens() as count:
        for line in page(count, by, given.machine):
            print(line, flush=True)
            lines.append(line)
    if given.out:
        given.out.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
