"""Drafting a workload."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from dragoman.bench.datasets.own_workload import own_workload
from dragoman.bench.draft import draft_with_model, draft_with_templates, write_draft
from dragoman.bench.draft.with_model import hidden, read_questions
from dragoman.databases import Database, connect
from dragoman.demo import open_demo
from dragoman.errors import SetupError
from dragoman.models import Request, ScriptedModel
from tests.bench.shop import shop


@pytest.fixture
def database(tmp_path: Path) -> Database:
    return connect(shop(tmp_path, 1).databases["shop_0"])


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Database:
    return connect(str(open_demo(tmp_path_factory.mktemp("demo"))))


SQL = {
    "How many customers live in Oslo?": "```sql\nSELECT count(*) FROM customers WHERE city = 'Oslo'\n```",
    "How old is the oldest one?": "SELECT max(age) FROM customers",
    "Who is the youngest?": "SELECT name FROM customers ORDER BY age LIMIT 1",
    "Which cities are there on Mars?": "SELECT city FROM customers WHERE city = 'Mars'",
    "What is the sum?": "SELECT sum(amount) FROM orders",
    "How many are over thirty?": "SELECT count(*) FROM customers WHERE age > 30",
}
REPLY = """1. How many customers live in Oslo?
2) How old is the oldest one?
- Who is the youngest?
What is the average of c4?
Which cities are there on Mars?
What is the sum?
How many customers live in Oslo?
Sure
How many are over thirty?"""


def answer(request: Request) -> str:
    if len(request.messages) == 1:
        return REPLY
    return SQL[request.messages[1].text]


def test_questions_are_written_without_sight_of_any_name(database: Database) -> None:
    model = ScriptedModel(answer)
    draft = draft_with_model(database, model, 3)
    assert draft.kept == (
        ("How many customers live in Oslo?", "SELECT count(*) FROM customers WHERE city = 'Oslo'"),
        ("How old is the oldest one?", "SELECT max(age) FROM customers"),
        ("How many are over thirty?", "SELECT count(*) FROM customers WHERE age > 30"),
    )
    assert dict(draft.dropped) == {"decided by a tie": 1, "gives nothing": 1, "does not run": 1}
    asked, *written = model.requests
    data = asked.messages[0].text.split(" data>\n")[1]
    assert not [name for name in ("customers", "name", "city", "age") if name in data.replace("Name ", "")]
    assert "'Oslo'" in data
    assert all("CREATE TABLE" in request.messages[0].text for request in written)


def test_without_values_no_cell_is_shown(database: Database) -> None:
    assert "Oslo" not in hidden(database, database.schema(), values=False)
    model = ScriptedModel(answer)
    draft_with_model(database, model, 3, values=False)
    assert "'Oslo'" not in model.requests[0].messages[0].text


def test_foreign_keys_are_told_by_number(demo: Database) -> None:
    text = hidden(demo, demo.schema())
    assert " refers to t" in text
    names = {name for table in demo.schema() for name in (table.name, *(column.name for column in table.columns))}
    assert not [name for name in names if "_" in name and name in text]


def test_questions_are_read_line_by_line() -> None:
    assert read_questions('1. What is it?\n* List all of them.\nOK\nWhat is t1 about?\n\n"Who is it there?"') == [
        "What is it?",
        "List all of them.",
        "Who is it there?",
    ]


def test_templates_hold_up(demo: Database) -> None:
    draft = draft_with_templates(demo, 30, Random(3))
    assert len(draft.kept) == 30
    assert draft == draft_with_templates(demo, 30, Random(3))
    assert len({question for question, _ in draft.kept}) == len({sql for _, sql in draft.kept}) == 30
    for question, sql in draft.kept:
        assert "{" not in question
        assert 1 <= len(demo.execute(sql)) <= 1000


def test_drafts_are_unconfirmed(database: Database, tmp_path: Path) -> None:
    draft = draft_with_templates(database, 5, Random(0))
    write_draft(draft, "shop_0", tmp_path / "drafts.jsonl")
    records = [json.loads(line) for line in (tmp_path / "drafts.jsonl").read_text().splitlines()]
    assert len(records) == 5
    assert all(record["confirmed"] is False for record in records)
    with pytest.raises(SetupError, match="drafts only"):
        own_workload(tmp_path / "drafts.jsonl", "shop.db")
    confirmed = (tmp_path / "drafts.jsonl").read_text().replace("false", "true")
    (tmp_path / "drafts.jsonl").write_text(confirmed)
    assert len(own_workload(tmp_path / "drafts.jsonl", "shop.db")) == 5
