from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from dragoman.databases import Database, connect

SHOP = """
CREATE TABLE customer (customer_id INTEGER PRIMARY KEY, name TEXT NOT NULL, country TEXT);
CREATE TABLE orders (
  order_id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customer (customer_id), amount INTEGER
);
CREATE TABLE visit (visit_id INTEGER PRIMARY KEY, page TEXT);
INSERT INTO customer VALUES (1, 'Ann', 'FR'), (2, 'Bo', 'DE'), (3, 'Cy', NULL);
INSERT INTO orders VALUES (1, 1, 500), (2, 1, 700), (3, 2, 900);
"""


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Database]:
    """Three tables, six rows."""
    with closing(sqlite3.connect(tmp_path / "shop.sqlite")) as connection:
        connection.executescript(SHOP)
    database = connect(str(tmp_path / "shop.sqlite"))
    yield database
    database.close()
