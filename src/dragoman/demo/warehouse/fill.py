"""All rows of the warehouse, the same at every call."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any

from dragoman.demo.dice import Dice
from dragoman.demo.warehouse.draw import Row, Scene, drawing, value_of
from dragoman.demo.warehouse.read_tables import LOOKUP, TableSpec, daily_tables, period, read_tables
from dragoman.demo.warehouse.visits import visits

Filled = Mapping[TableSpec, Sequence[Row]]


def fill() -> Filled:
    """Rows by table, tables after those that they refer to; values by column, those of structs as dicts."""
    written: Mapping[str, list[list[Any]]] = json.loads(
        files(__package__).joinpath("lookups.json").read_text(encoding="utf-8")
    )
    specs = read_tables()
    tables: dict[str, Sequence[Row]] = {}
    for spec in specs:
        tables[spec.name] = _written(spec, written[spec.name]) if spec.rows == LOOKUP else _drawn(spec, tables)
    daily = daily_tables()
    found = visits(Dice(zlib.crc32(b"visits")), tables)
    return {
        **{spec: tables[spec.name] for spec in specs},
        **{spec: [_fitted(spec, row) for row in found[spec.shard]] for spec in daily},
    }


def _written(spec: TableSpec, rows: Sequence[Sequence[Any]]) -> list[Row]:
    return [
        {column.name: value_of(value, column.type) for column, value in zip(spec.columns, row, strict=True)}
        for row in rows
    ]


def _drawn(spec: TableSpec, tables: Mapping[str, Sequence[Row]]) -> list[Row]:
    """Each table has dice of its own, so that a new one changes no other."""
    scene = Scene(Dice(zlib.crc32(spec.name.encode())), tables, spec.shard, *period(spec.shard))
    draws = [(column.name, drawing(column.rule, column.type, scene)) for column in spec.columns]
    rows: list[Row] = []
    count = int(spec.rows)
    for number in range(scene.dice.between(count * 9 // 10, count * 11 // 10) if spec.shard else count):
        row: Row = {}
        for name, draw in draws:
            row[name] = draw(row, number)
        rows.append(row)
    return rows


def _fitted(spec: TableSpec, row: Row) -> Row:
    """The values of the columns that the day's table has."""
    return {column.name: row.get(column.name) for column in spec.columns}
