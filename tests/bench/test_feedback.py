"""Feedback becomes questions with gold SQL, and what is not certain counts for nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dragoman.apps.last_answers import KEPT, Answered, recall, remember
from dragoman.bench.datasets.own_workload import own_workload
from dragoman.bench.draft.feedback import record_feedback
from dragoman.databases import connect
from dragoman.errors import SetupError
from dragoman.questions import Question
from tests.agent.conftest import make_database

ASKED = Question("How many customers are there?")
SQL = "SELECT COUNT(*) FROM customer"


def test_right_wrong_and_corrected(tmp_path: Path) -> None:
    database = make_database(tmp_path / "shop.sqlite")
    file = tmp_path / "w" / "workload.jsonl"
    assert record_feedback(ASKED, SQL, "right", database, file)["sql"] == SQL
    other = Question("How many orders are there?", "An order is a row.")
    assert record_feedback(other, SQL, "wrong", database, file)["confirmed"] is False
    found = own_workload(file, str(tmp_path / "shop.sqlite"))
    assert [example.sql for example in found.examples] == [SQL]
    assert "1 question" in found.note
    better = "SELECT COUNT(*) FROM orders"
    record_feedback(other, SQL, better, database, file)
    found = own_workload(file, str(tmp_path / "shop.sqlite"))
    assert [example.sql for example in found.examples] == [SQL, better]
    assert found.examples[1].question.evidence == "An order is a row."


def test_nothing_is_lost_where_feedback_cannot_be_taken(tmp_path: Path) -> None:
    database = make_database(tmp_path / "shop.sqlite")
    file = tmp_path / "workload.jsonl"
    file.write_text(json.dumps({"question": "Mine?", "sql": "SELECT 1", "id": "mine"}) + "\n", "utf-8")
    before = file.read_bytes()
    for said in ("SELECT nothing FROM customer", "DELETE FROM customer", "rightt"):
        with pytest.raises(SetupError, match="Nothing was written"):
            record_feedback(ASKED, SQL, said, database, file)
    with pytest.raises(SetupError, match="no SQL to confirm"):
        record_feedback(ASKED, "", "right", database, file)
    assert file.read_bytes() == before
    record_feedback(ASKED, SQL, "right", connect(str(tmp_path / "shop.sqlite")), file)
    assert next(json.loads(line)["id"] for line in file.read_text("utf-8").splitlines()) == "mine"
    file.write_text("no json\n", "utf-8")
    with pytest.raises(SetupError):
        record_feedback(ASKED, SQL, "right", database, file)


def test_the_last_answers_are_remembered(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match="Ask first"):
        recall(tmp_path)
    for number in range(KEPT + 5):
        remember(Answered(f"Question {number}?", "", f"SELECT {number}", "shop"), tmp_path)
    assert recall(tmp_path).sql == f"SELECT {KEPT + 4}"
    assert recall(tmp_path, "Question 50?").sql == "SELECT 50"
    with pytest.raises(SetupError, match="Question 1"):
        recall(tmp_path, "Question 1?")
