"""`dragoman schema --for`: what a model would see, why, and how many tokens."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from dragoman.apps.cli import run


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("DRAGOMAN_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    with sqlite3.connect(tmp_path / "shop.db") as connection:
        connection.execute("CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT, country TEXT)")
        connection.execute("INSERT INTO customer VALUES (1, 'Ann', 'France')")
        for year in range(2000, 2020):
            connection.execute(f"CREATE TABLE sales_{year} (customer_id INT, total REAL, note TEXT)")
        letters = "abcdefghijklmnopqrst"
        connection.execute(f"CREATE TABLE wide ({', '.join(f'measure{a}{b} REAL' for a in letters for b in letters)})")
    connection.close()
    return str(tmp_path / "shop.db")


def test_what_a_model_would_see(shop: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["schema", "--db", shop, "--for", "Total sales to customers in frnace", "--budget", "300"]) == 0
    captured = capsys.readouterr()
    assert "sales_{2000..2019} -- 20 tables\n  customer_id INT, total REAL, note TEXT\n" in captured.out
    assert "columns and fields are left out." in captured.out
    assert "customer: country = 'France'" in captured.err
    assert "The question may mean customer.country = 'France'." in captured.err
    assert "3 tables named" in captured.err


def test_the_same_as_json(shop: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["schema", "--db", shop, "--for", "Total sales", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["tables"][0]["table"] == "sales_2019"
    assert record["tables"][0]["columns"] == ["customer_id", "total", "note"]
    assert record["tokens"] <= 8000
    assert record["left_out"] == []
    assert "sales_{2000..2019}" in record["text"]
