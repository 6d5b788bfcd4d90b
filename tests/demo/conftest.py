from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from dragoman.demo import build
from dragoman.demo.warehouse.fill import Filled, fill
from tests.databases.places import Place
from tests.demo.warehouses import warehouse_in_postgres


@pytest.fixture(scope="session")
def demo_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo database, built once for these tests."""
    path = tmp_path_factory.mktemp("demo") / "demo.sqlite"
    build(path)
    return path


@pytest.fixture(scope="session")
def demo(demo_path: Path) -> Iterator[sqlite3.Connection]:
    """A read-only connection to it."""
    with closing(sqlite3.connect(f"{demo_path.as_uri()}?mode=ro", uri=True)) as connection:
        yield connection


@pytest.fixture(scope="session")
def filled() -> Filled:
    """All rows of the warehouse."""
    return fill()


@pytest.fixture(scope="session")
def warehouse_place() -> Iterator[Place]:
    """The warehouse in PostgreSQL, loaded once for these tests."""
    with warehouse_in_postgres() as place:
        yield place
