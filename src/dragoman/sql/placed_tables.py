"""Reads tables from where something else stands for them."""

from __future__ import annotations

from collections.abc import Mapping

from dragoman.schema import Schema
from dragoman.sql.edits import Edits
from dragoman.sql.parse import parse
from dragoman.sql.resolve import resolve


def placed_tables(sql: str, schema: Schema, places: Mapping[str, str]) -> str:
    """The query with `FROM orders` written as `FROM place AS orders`, for the tables of `schema` that have a place.

    `places` maps a table, named as references do, to the text that stands for it. Aliases stay, and with them all that
    qualifies columns; CTEs of the same name are left alone. Raises `Unreadable`.
    """
    edits = Edits(sql, schema.dialect)
    for node, _, key in resolve(parse(sql, schema.dialect), schema).tables:
        if key in places:
            last = node.parts[-1]
            alias = "" if node.alias else f" AS {edits.text(last)}"
            edits.set(last, places[key] + alias)
    return edits.apply()
