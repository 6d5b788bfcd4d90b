"""A schema told in another order, so that prompts differ where the database does not."""

from __future__ import annotations

import random
from dataclasses import replace

from dragoman.schema import Schema


def shuffled_schema(schema: Schema, seed: int, number: int) -> Schema:
    """Tables and columns in the order that `seed` and `number` draw; the same for the same two."""
    dice = random.Random(f"{seed} {number}")
    tables = [replace(table, columns=tuple(dice.sample(table.columns, len(table.columns)))) for table in schema]
    return replace(schema, tables=tuple(dice.sample(tables, len(tables))))
