"""The prompt form of the SQL adapter: what the model reads, and that what it writes means what the gold SQL means."""

from __future__ import annotations

import json
import random
import sqlite3
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.databases.connect import connect
from dragoman.models.embedded.sql_form import Order, SqlForm, question_text, schema_text, type_word
from dragoman.schema import Column, ForeignKey, Schema, Table
from tests.shared_data import shared_data

CONCERTS = Schema(
    (
        Table("Singer", (Column("Id", "INT"), Column("Name", "varchar(30)"), Column("Born In", "DATE"))),
        Table(
            "Concert",
            (Column("Id", "INTEGER"), Column("Singer_Id", "int"), Column("Order", "BOOLEAN")),
            foreign_keys=(ForeignKey(("Singer_Id",), "Singer", ("Id",)),),
        ),
    )
)
PROMPT = """\
singer(id num, name, "born in" date)
concert(id num, singer_id num -> singer.id, "order" bool)

Q: Who sang "Hey" first?
V: singer.name = 'O''Hara'; singer."born in" = '1990'
SQL:"""


def test_the_prompt() -> None:
    values = [("Singer", "Name", "O'Hara"), ("Singer", "Born In", "1990")]
    assert SqlForm().prompt(CONCERTS, ' Who sang  "Hey"\nfirst? ', values) == PROMPT


def test_every_prompt_over_a_schema_begins_with_the_schema() -> None:
    assert SqlForm().prompt(CONCERTS, "Who?", ()) == schema_text(CONCERTS) + question_text("Who?")
    assert SqlForm().size(CONCERTS) == len(schema_text(CONCERTS))


@pytest.mark.parametrize(
    ("order", "completion"),
    [
        ("from", ' FROM singer JOIN concert ON singer.id = concert.singer_id SELECT singer."born in" LIMIT 1'),
        ("select", ' SELECT singer."born in" FROM singer JOIN concert ON singer.id = concert.singer_id LIMIT 1'),
    ],
)
def test_a_completion_and_back(order: Order, completion: str) -> None:
    form = SqlForm(order)
    sql = 'SELECT a."Born In" FROM Singer AS a JOIN Concert AS b ON a.Id = b.Singer_Id LIMIT 1'
    assert form.completion(sql, CONCERTS) == completion
    again = 'SELECT Singer."Born In" FROM Singer JOIN Concert ON Singer.Id = Concert.Singer_Id LIMIT 1'
    assert form.sql(completion, CONCERTS) == again


@given(st.text(max_size=60), st.sampled_from(["from", "select"]))
def test_any_completion_is_read(text: str, order: Order) -> None:
    assert isinstance(SqlForm(order).sql(text, CONCERTS), str)


WORDS = {
    "num": ["INTEGER", "decimal(10,2)", "double precision", "NUMBER(8)"],
    "date": ["timestamp with time zone", "YEAR", "DATETIME"],
    "bool": ["bool", "BIT"],
    "": ["varchar(8)", "TEXT", "", "BLOB"],
}


@pytest.mark.parametrize(("word", "declared"), [(word, name) for word, names in WORDS.items() for name in names])
def test_types_are_reduced_to_few_words(word: str, declared: str) -> None:
    assert type_word(Column("c", declared)) == word


def test_types_agree_with_those_of_spider_s_own_description() -> None:
    spider = shared_data("data", "spider")
    words = {"number": "num", "time": "date", "boolean": "bool"}
    agree: Counter[bool] = Counter()
    for record in json.loads((spider / "tables.json").read_text("utf-8"))[:60]:
        path = spider / "database" / record["db_id"] / f"{record['db_id']}.sqlite"
        schema = connect(str(path)).schema() if path.exists() else Schema()
        for (number, name), declared in zip(record["column_names_original"], record["column_types"], strict=True):
            table = schema.table(record["table_names_original"][number]) if number >= 0 else None
            column = table.column(name) if table else None
            if column:
                agree[type_word(column) == words.get(declared, "")] += 1
    assert agree[True] > 1000
    assert agree[False] <= agree[True] // 100


@pytest.mark.parametrize("split", ["train_spider", "dev"])
@pytest.mark.parametrize("order", ["from", "select"])
def test_gold_queries_return_the_same_after_the_form(split: str, order: Order) -> None:
    spider = shared_data("data", "spider")
    examples = json.loads((spider / f"{split}.json").read_text("utf-8"))
    form = SqlForm(order)
    compared = 0
    for example in random.Random(0).sample(examples, 120):
        path = spider / "database" / example["db_id"] / f"{example['db_id']}.sqlite"
        if not path.exists() or (gold := rows(path, example["query"])) is None:
            continue
        schema = connect(str(path)).schema()
        again = form.sql(form.completion(example["query"], schema), schema)
        assert rows(path, again) == gold, again
        compared += 1
    assert compared > 110


def rows(path: Path, sql: str) -> list[Any] | None:
    """All rows, None where the query cannot run."""
    connection = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)
    connection.text_factory = bytes
    try:
        return connection.execute(sql).fetchall()
    except sqlite3.Error:
        return None
    finally:
        connection.close()
