"""A question finds the values it names, whatever their case and accents."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from dragoman.databases import connect
from dragoman.linking.value_index import ValueIndex, build_value_index

VALUES = ["France", "São Paulo", "Ho Chi Minh City", "東京", "the", "US", "x" * 80, "O'Brien & Sons", "new\nline"]


@pytest.fixture
def index(tmp_path: Path) -> ValueIndex:
    path = tmp_path / "shop.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute('CREATE TABLE "my city" ("the name" TEXT, size INT, code VARCHAR(3))')
        connection.executemany('INSERT INTO "my city" VALUES (?, 1, NULL)', [(value,) for value in VALUES])
        connection.execute('CREATE VIEW v AS SELECT * FROM "my city"')
    connection.close()
    return build_value_index(connect(str(path)), tmp_path / "deep" / "index.sqlite")


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("How many people live in france?", ["France"]),
        ("customers of SAO PAULO", ["São Paulo"]),
        ("is Ho Chi Minh City larger than São Paulo?", ["Ho Chi Minh City", "São Paulo"]),
        ("東京 の人口", ["東京"]),
        ("orders by O'Brien & Sons", ["O'Brien & Sons"]),
        ("the", []),
        ("people in the US", ["US"]),
        ("", []),
        ("nothing of this is there", []),
        ('"; DROP TABLE named_value; --', []),
    ],
)
def test_values_are_found(index: ValueIndex, question: str, found: list[str]) -> None:
    hints = index.match(question)
    assert [hint.value for hint in hints] == found
    assert all((hint.table, hint.column) == ("my city", "the name") for hint in hints)


def test_an_index_is_written_whole_and_reopened(index: ValueIndex) -> None:
    assert [p.name for p in index.path.parent.iterdir()] == ["index.sqlite"]
    assert ValueIndex(index.path).match("france")[0].value == "France"
