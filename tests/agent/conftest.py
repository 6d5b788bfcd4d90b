from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from dragoman.databases import Database, connect
from dragoman.demo import build

SHOP = """
CREATE TABLE customer (customer_id INTEGER PRIMARY KEY, name TEXT NOT NULL, country TEXT);
CREATE TABLE orders (
  order_id INTEGER PRIMARY KEY,
  customer_id INTEGER NOT NULL REFERENCES customer (customer_id),
  amount INTEGER NOT NULL, -- euro cents
  ordered_on DATE NOT NULL
);
INSERT INTO customer VALUES (1, 'Ann', 'FR'), (2, 'Bo', 'DE'), (3, 'Cy', NULL);
INSERT INTO orders VALUES (1, 1, 500, '2025-01-02'), (2, 1, 700, '2025-02-03'), (3, 2, 900, '2025-02-04');
"""


def make_database(path: Path, script: str = SHOP) -> Database:
    """A database in a new file."""
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(script)
    return connect(str(path))


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Database]:
    """Two tables and six rows."""
    database = make_database(tmp_path / "shop.sqlite")
    yield database
    database.close()


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """The demo database, built once for these tests."""
    path = tmp_path_factory.mktemp("demo") / "demo.sqlite"
    build(path)
    database = connect(str(path))
    yield database
    database.close()
