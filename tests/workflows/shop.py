"""A small shop in SQLite, and a scripted model whose candidates and explorers each say their own lines."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from pathlib import Path

from dragoman.databases import Database, connect
from dragoman.linking.value_index import ValueHint
from dragoman.models import Choice, Reply, Request, ScriptedModel, Usage
from dragoman.questions import Question
from dragoman.workflows import Asking

QUESTION = Question("How many customers are there in France?", id="q1")
RIGHT = "SELECT COUNT(*) FROM customer WHERE country = 'FR'"
EMPTY = "SELECT id FROM customer WHERE country = 'France'"
WRONG = "SELECT total FROM customer"
PROMPT, COMPLETION = 100, 10
"""Tokens of each scripted reply."""


def no_values(question: str) -> tuple[ValueHint, ...]:
    """Nothing is named, but values may be shown."""
    return ()


ASKING = Asking("Sunday, 2026-11-29 (UTC, UTC+0000)", match=no_values)


def shop(folder: Path) -> Database:
    """Three customers, two of them in France, and thirty orders."""
    path = folder / "shop.db"
    with sqlite3.connect(path) as connection:
        connection.executescript(
            "CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT, country TEXT);"
            "CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customer, total INTEGER);"
            "INSERT INTO customer VALUES (1, 'Ann', 'FR'), (2, 'Bob', 'FR'), (3, 'Cy', 'PE');"
        )
        connection.executemany("INSERT INTO orders VALUES (?, ?, ?)", [(n, 1 + n % 3, n) for n in range(30)])
    connection.close()
    return connect(str(path))


def fenced(*queries: str) -> str:
    """A reply that holds the queries, each in a block with a comment."""
    return "\n\n".join(f"```sql\n-- looks at something\n{sql}\n```" for sql in queries)


def cast(
    candidates: Mapping[int, Sequence[str]], explorers: Mapping[int, Sequence[str]] | None = None
) -> ScriptedModel:
    """A model that says, for each sample, its lines in turn; bare SQL is put into a block."""

    def answer(request: Request) -> Reply:
        exploring = request.messages[0].text.startswith("You look into")
        lines = (explorers or {} if exploring else candidates)[request.settings.sample]
        said = lines[sum(message.role == "assistant" for message in request.messages)]
        text = f"```sql\n{said}\n```" if said.startswith("SELECT") else said
        return Reply((Choice(text),), Usage(1, PROMPT, COMPLETION))

    return ScriptedModel(answer)
