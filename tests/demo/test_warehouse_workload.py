from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from dragoman.bench.dataset import Dataset
from dragoman.bench.workload_check import check_workload
from dragoman.databases import Database, Limits, connect
from dragoman.demo.warehouse import needs_exploration, workload
from dragoman.linking.linker import Linker
from dragoman.metrics.rows_match import rows_match
from dragoman.sql.catalog import catalog_of
from dragoman.sql.parse import parse
from dragoman.sql.references import references, unresolved
from tests.databases.places import Place

EXAMPLES = {dialect: tuple(workload(dialect)) for dialect in ("duckdb", "postgres")}
BUDGET = 4000


@pytest.fixture(scope="module")
def warehouse(warehouse_path: Path) -> Iterator[Database]:
    with closing(connect(str(warehouse_path))) as database:
        yield database


def test_shape() -> None:
    questions = [example.question for example in EXAMPLES["duckdb"]]
    levels = Counter(example.difficulty for example in EXAMPLES["duckdb"])
    assert len(questions) >= 40
    assert questions == [example.question for example in EXAMPLES["postgres"]]
    assert len({question.id for question in questions}) == len(questions)
    assert len(needs_exploration()) >= 12
    assert needs_exploration() < {question.id for question in questions}
    assert all(levels[level] >= 8 for level in ("easy", "medium", "hard", "extra"))


def test_every_schema_is_asked_about() -> None:
    used = " ".join(example.sql for example in EXAMPLES["duckdb"])
    assert all(f"{schema}." in used for schema in ("prod", "sales", "logi", "svc", "fin", "mkt", "hr", "web", "ref"))


def test_gold_is_sound_on_duckdb(warehouse_path: Path) -> None:
    dataset = Dataset("warehouse", "all", EXAMPLES["duckdb"], {"warehouse": str(warehouse_path)})
    assert check_workload(dataset) == ()


def test_gold_names_nothing_unknown(warehouse: Database) -> None:
    schema = warehouse.schema()
    for example in EXAMPLES["duckdb"]:
        assert unresolved(parse(example.sql, "duckdb"), schema) == (), example.question.id


@pytest.mark.slow
def test_gold_gives_the_same_rows_on_both_engines(warehouse: Database, warehouse_place: Place) -> None:
    dataset = Dataset("warehouse", "all", EXAMPLES["postgres"], {"warehouse": warehouse_place.url})
    assert check_workload(dataset) == ()
    with closing(connect(warehouse_place.url)) as postgres:
        for one, other in zip(EXAMPLES["duckdb"], EXAMPLES["postgres"], strict=True):
            rows = [base.execute(e.sql, Limits(rows=None)) for base, e in ((warehouse, one), (postgres, other))]
            assert rows_match(rows[0], rows[1]), one.question.id


def test_a_linked_schema_of_few_tokens_names_all_gold_tables(warehouse: Database) -> None:
    schema = warehouse.schema()
    linker = Linker(schema)
    group_of = {
        (table.schema, name): table.full_name
        for table in linker.grouped.schema
        for name in (table.members or (table.name,))
    }
    by_key = {catalog_of(schema).key(table): table for table in schema}
    for example in EXAMPLES["duckdb"]:
        text = linker.link(example.question.text, BUDGET).text
        gold = {by_key[key] for key, _ in references(parse(example.sql, "duckdb"), schema)}
        assert text.tokens <= BUDGET
        assert {group_of[table.schema, table.name] for table in gold} <= set(text.named), example.question.id
        shown = {table.full_name for table in text.shown}
        assert {group_of[table.schema, table.name] for table in gold} <= shown, example.question.id
