"""The same small shop on SQLite and on DuckDB, and models that are asked about it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import duckdb

from dragoman.databases import Database, connect
from dragoman.linking.value_index import ValueHint
from dragoman.models import ModelsByRole, ScriptedModel
from dragoman.models.request import Request
from dragoman.models.scripted import Scripted
from dragoman.solver import Answer
from dragoman.workflows import Asking

ENGINES = ("sqlite", "duckdb")
TODAY = "Sunday, 2026-11-29 (UTC, UTC+0000)"
ASKING = Asking(TODAY, values=False)
SHOP = (
    "CREATE TABLE customer (id INTEGER PRIMARY KEY, name VARCHAR(40), age INTEGER, country VARCHAR(40))",
    "CREATE TABLE product (id INTEGER PRIMARY KEY, title VARCHAR(40), price INTEGER)",
    """CREATE TABLE purchase (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customer(id),
       product_id INTEGER REFERENCES product(id), amount INTEGER, note VARCHAR(200))""",
    "INSERT INTO customer VALUES (1, 'Ann', 30, 'France'), (2, 'Bo', 41, 'Peru'), (3, 'Cy', 19, 'Peru')",
    "INSERT INTO product VALUES (1, 'lamp', 20), (2, 'desk', 150)",
    "INSERT INTO purchase VALUES (1, 1, 1, 2, NULL), (2, 2, 2, 1, 'gift'), (3, 2, 1, 1, NULL)",
)


def shop(folder: Path, engine: str) -> Database:
    """The shop on that engine, in a new file of the folder."""
    if engine == "sqlite":
        with sqlite3.connect(folder / "shop.db") as connection:
            for statement in SHOP:
                connection.execute(statement)
        connection.close()
        return connect(str(folder / "shop.db"))
    with duckdb.connect(str(folder / "shop.duckdb")) as file:
        for statement in SHOP:
            file.execute(statement)
    return connect(str(folder / "shop.duckdb"))


def france(question: str) -> list[ValueHint]:
    """The one value that every question names."""
    return [ValueHint("customer", "country", "France")]


def scripted(replies: Sequence[Scripted] | Callable[[Request], Scripted]) -> tuple[ScriptedModel, ModelsByRole]:
    """A model elsewhere with these replies, in every role."""
    model = ScriptedModel(replies, local=False)
    return model, ModelsByRole(model)


def sent(model: ScriptedModel, number: int = -1) -> str:
    """All text of one request."""
    return "\n".join(message.text for message in model.requests[number].messages)


def fenced(sql: str) -> str:
    """A reply with one query."""
    return f"Here it is:\n```sql\n{sql}\n```"


def told(answer: Answer, kind: str) -> list[Mapping[str, Any]]:
    """The data of all steps of a kind."""
    return [step.data for step in answer.steps if step.kind == kind]
