"""Worked examples over a small database of our own, for the methods that show some before they ask."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Literal

from dragoman.errors import Unreadable
from dragoman.schema import Column, ForeignKey, Schema, Table
from dragoman.sql.translate import translate

WRITTEN_IN = "sqlite"
"""The dialect of the SQL in the file of examples."""

Difficulty = Literal["EASY", "NON-NESTED", "NESTED"]


@dataclass(frozen=True, slots=True)
class WorkedExample:
    """A question with its query and the ways that lead to it.

    `links` are what of the schema it speaks of, `thought` and `why` the reasoning for them and for the difficulty,
    `sub` (question, query) pairs that it is taken apart into, `intermediate` the query without its joins, `steps` how
    an engine carries it out.
    """

    question: str
    difficulty: Difficulty
    links: tuple[str, ...]
    thought: str
    why: str
    steps: tuple[str, ...]
    sql: str
    sub: tuple[tuple[str, str], ...] = ()
    intermediate: str = ""


@cache
def worked_examples(dialect: str) -> tuple[WorkedExample, ...]:
    """All examples, with their SQL in that dialect; those that it has no words for are left out."""
    found = (_example(record, dialect) for record in _data()["example"])
    return tuple(example for example in found if example is not None)


@cache
def example_schema(dialect: str) -> Schema:
    """The schema of the database that the examples are about."""
    return Schema(tuple(_table(record) for record in _data()["table"]), dialect, "tool_library")


def _example(record: Mapping[str, Any], dialect: str) -> WorkedExample | None:
    try:
        return WorkedExample(
            record["question"],
            record["difficulty"],
            tuple(record["links"]),
            record["thought"],
            record["why"],
            tuple(record["steps"]),
            _in(dialect, record["sql"]),
            tuple((sub["question"], _in(dialect, sub["sql"])) for sub in record.get("sub", ())),
            record.get("intermediate", ""),
        )
    except Unreadable:
        return None


def _in(dialect: str, sql: str) -> str:
    return sql if dialect == WRITTEN_IN else translate(sql, WRITTEN_IN, dialect)


def _table(record: Mapping[str, Any]) -> Table:
    """The first column of a table is its key; foreign keys refer to columns of the same name."""
    columns = tuple(Column(name, type_, primary_key=int(i == 0)) for i, (name, type_) in enumerate(record["columns"]))
    keys = tuple(ForeignKey((name,), target, (name,)) for name, target in record.get("refers", {}).items())
    return Table(record["name"], columns, foreign_keys=keys)


@cache
def _data() -> Mapping[str, Any]:
    return tomllib.loads(
        resources.files("dragoman.workflows").joinpath("exemplars/tool_library.toml").read_text("utf-8")
    )
