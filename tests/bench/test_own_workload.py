"""A user's own workload."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.bench.datasets.own_workload import own_workload, read_csv_workload
from dragoman.errors import SetupError
from dragoman.questions import Example, Question, write_workload
from tests.bench.shop import shop

CELLS = st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=20).map(str.strip)


def jsonl(path: Path, *records: dict[str, object]) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


ONE: dict[str, object] = {"question": "How many?", "sql": "SELECT count(*) FROM customers"}


def test_one_database(tmp_path: Path) -> None:
    dataset = own_workload(jsonl(tmp_path / "w.jsonl", ONE, {**ONE, "db_id": "shop"}), "sqlite:///shop.db")
    assert dataset.databases == {"shop": "sqlite:///shop.db"}
    assert [example.database for example in dataset.examples] == ["shop", "shop"]


def test_a_folder_of_databases(tmp_path: Path) -> None:
    shop(tmp_path / "databases", 2)
    file = jsonl(tmp_path / "w.jsonl", {**ONE, "db_id": "shop_0"}, {**ONE, "database": "shop_1"})
    dataset = own_workload(file, databases=tmp_path / "databases")
    assert [len(dataset.open(example.database).schema().tables) for example in dataset.examples] == [1, 1]
    with pytest.raises(SetupError, match=r"question 1 names 'shop_9', and .*shop_9/shop_9.sqlite is absent"):
        own_workload(jsonl(tmp_path / "x.jsonl", {**ONE, "db_id": "shop_9"}), databases=tmp_path / "databases")


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_csv(tmp_path: Path, separator: str) -> None:
    file = tmp_path / "w.csv"
    lines = [("Question", "SQL", "db_id", "Difficulty"), ("How many?", "SELECT 1", "shop", "easy")]
    file.write_text("\ufeff" + "".join(separator.join(line) + "\r\n" for line in lines), encoding="utf-8")
    assert read_csv_workload(file).examples == (Example(Question("How many?", id="1"), "SELECT 1", "shop", "easy"),)


@given(st.lists(st.tuples(CELLS.filter(bool), CELLS, CELLS), min_size=1, max_size=5))
def test_csv_keeps_every_text(rows: list[tuple[str, str, str]]) -> None:
    import csv
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "w.csv"
        with file.open("w", encoding="utf-8", newline="") as out:
            csv.writer(out).writerows([("question", "sql", "evidence"), *rows])
        found = [(e.question.text, e.sql, e.question.evidence) for e in read_csv_workload(file)]
    assert found == rows


def test_drafts_are_left_out_until_they_are_confirmed(tmp_path: Path) -> None:
    file = jsonl(tmp_path / "w.jsonl", {**ONE, "confirmed": False}, {**ONE, "confirmed": True}, ONE)
    dataset = own_workload(file, "shop.db")
    assert len(dataset) == 2
    assert dataset.note == "1 questions that nobody has confirmed were left out."
    with pytest.raises(SetupError, match='"confirmed": true'):
        own_workload(jsonl(tmp_path / "x.jsonl", {**ONE, "confirmed": False}), "shop.db")


def test_what_is_wrong_is_said(tmp_path: Path) -> None:
    file = jsonl(tmp_path / "w.jsonl", ONE)
    with pytest.raises(SetupError, match="either --db URL or --databases FOLDER"):
        own_workload(file)
    with pytest.raises(SetupError, match="id a occurs twice"):
        own_workload(jsonl(tmp_path / "t.jsonl", {**ONE, "id": "a"}, {**ONE, "id": "a"}), "shop.db")
    with pytest.raises(SetupError, match="names 2 databases"):
        own_workload(jsonl(tmp_path / "n.jsonl", {**ONE, "db_id": "a"}, {**ONE, "db_id": "b"}), "shop.db")
    with pytest.raises(SetupError, match="no questions"):
        own_workload(jsonl(tmp_path / "e.jsonl"), "shop.db")
    (tmp_path / "c.csv").write_text("frage,sql\na,b\n")
    with pytest.raises(SetupError, match="needs question and sql"):
        own_workload(tmp_path / "c.csv", "shop.db")
    (tmp_path / "c.csv").write_text("question,sql\n,b\n")
    with pytest.raises(SetupError, match="row 1 has no question"):
        own_workload(tmp_path / "c.csv", "shop.db")
    with pytest.raises(SetupError, match="Check the path"):
        own_workload(tmp_path / "absent.csv", "shop.db")


def test_what_write_workload_writes_is_read(tmp_path: Path) -> None:
    examples = shop(tmp_path, 1).examples
    write_workload(examples, tmp_path / "w.jsonl")
    assert own_workload(tmp_path / "w.jsonl", databases=tmp_path).examples == examples
