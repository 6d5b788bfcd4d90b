"""Any other database: SQLite through SQLAlchemy's own driver stands for them."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from dragoman.databases.connect import open_engine
from dragoman.databases.generic import GenericEngine, open_generic
from dragoman.errors import QueryError, QueryTimeout, SetupError
from dragoman.schema import ForeignKey

ENDLESS = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c"


@pytest.fixture
def engine(tmp_path: Path) -> GenericEngine:
    with sqlite3.connect(tmp_path / "shop.db") as writer:
        writer.executescript("""
            CREATE TABLE p (a INT, b TEXT UNIQUE, "c d" NUMERIC DEFAULT 3, PRIMARY KEY (b, a));
            CREATE TABLE t (x TEXT, y INT, FOREIGN KEY (x, y) REFERENCES p (b, a));
            CREATE VIEW v AS SELECT x FROM t;
            INSERT INTO p VALUES (1, '100%', NULL);
        """)
    writer.close()
    return open_generic(f"sqlite:///{tmp_path}/shop.db")


def fetch(engine: GenericEngine, sql: str, seconds: float | None = 20) -> list[tuple[Any, ...]]:
    with engine.stream(sql, seconds) as stream:
        return [row for batch in stream for row in batch]


def test_the_schema_comes_from_sqlalchemys_inspector(engine: GenericEngine) -> None:
    schema = engine.schema()
    assert [(t.name, t.kind) for t in schema] == [("p", "table"), ("t", "table"), ("v", "view")]
    parent, child, _ = schema.tables
    assert parent.primary_key == ("b", "a")
    assert parent.unique == (("b",),)
    assert [(c.name, c.type, c.default) for c in parent.columns][2] == ("c d", "NUMERIC", "3")
    assert child.foreign_keys == (ForeignKey(("x", "y"), "p", ("b", "a")),)
    assert engine.schema() is schema


def test_queries_run_as_they_are_written(engine: GenericEngine) -> None:
    with engine.stream("SELECT a, a, '%s :x {} ?', b FROM p", 20) as stream:
        assert stream.columns == ("a", "a", "'%s :x {} ?'", "b")
        assert list(stream) == [[(1, 1, "%s :x {} ?", "100%")]]
    for sql in ("DELETE FROM p", "SELECT 1; DELETE FROM p", "SELECT nope FROM p", "PRAGMA query_only = OFF", ""):
        with pytest.raises(QueryError):
            fetch(engine, sql)
    assert fetch(engine, "SELECT count(*) FROM p") == [(1,)]


def test_it_says_what_it_enforces_and_what_not(engine: GenericEngine) -> None:
    assert "read-only transaction" in engine.enforced
    assert "cancel at the deadline" in engine.enforced
    assert engine.gaps == ("the server itself sets no time limit",)
    with pytest.raises(QueryTimeout):
        fetch(engine, ENDLESS, 0.3)
    assert fetch(engine, "SELECT 1") == [(1,)]
    with pytest.raises(SetupError):
        engine.with_views([])
    engine.close()
    with pytest.raises(QueryError):
        fetch(engine, "SELECT 1")


@pytest.mark.parametrize("url", ["nosuch://me:secret@host/db", "oracle+nosuch://me:secret@host/db"])
def test_an_unknown_scheme_is_one_sentence(url: str) -> None:
    with pytest.raises(SetupError) as caught:
        open_engine(url)
    assert "Install" in str(caught.value)
    assert "secret" not in str(caught.value)
    assert "\n" not in str(caught.value)
