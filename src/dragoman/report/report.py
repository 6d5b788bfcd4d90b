"""What a report is made of, as values: sections of tables, plots and text. Each output draws from these alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import isnan
from typing import Literal

Cell = str | int | float | tuple[float, float] | None
"""A pair is an interval from low to high; None is "not known" or "does not apply"."""

MISSING = "–"


@dataclass(frozen=True, slots=True)
class Column:
    """A column's heading; `format` is Python's format specification for its numbers, "" for as they are."""

    name: str
    format: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells under columns. The first column names the row. `note` says how to read it."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""

    def texts(self) -> Iterator[tuple[str, ...]]:
        """The rows as the reader sees them."""
        for row in self.rows:
            yield tuple(text(cell, column.format) for cell, column in zip(row, self.columns, strict=True))

    def is_numeric(self, index: int) -> bool:
        """True where the column holds numbers, which are set flush right."""
        return all(not isinstance(row[index], str) for row in self.rows) and any(
            row[index] is not None for row in self.rows
        )


@dataclass(frozen=True, slots=True)
class Point:
    """`x` is a number in a line plot and a category in a bar plot; `low` and `high` bound `y` where known."""

    x: float | str
    y: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Series:
    """Points under one name."""

    name: str
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Plot:
    """One or more series on the same axes: "line" over numbers, "bar" over categories (drawn sideways).

    `format` is for values of `y`; `limits` fixes the ends of the `y` axis; `diagonal` draws y = x for reference.
    `tabled` says that a table beside it holds the same numbers: outputs without drawings then leave the plot out.
    """

    title: str
    series: tuple[Series, ...]
    kind: Literal["line", "bar"] = "line"
    x_label: str = ""
    y_label: str = ""
    format: str = ""
    limits: tuple[float, float] | None = None
    diagonal: bool = False
    tabled: bool = False
    note: str = ""

    def table(self) -> Table:
        """The plotted numbers, for readers who cannot see the drawing."""
        xs = tuple(dict.fromkeys(point.x for series in self.series for point in series.points))
        if self.kind == "line":
            xs = tuple(sorted(xs, key=float))
        values = [{point.x: point.y for point in series.points} for series in self.series]
        columns = (
            Column(self.x_label or " ", "" if self.kind == "bar" else ".3g"),
            *(Column(series.name or self.y_label, self.format) for series in self.series),
        )
        return Table(self.title, columns, tuple((x, *(column.get(x) for column in values)) for x in xs), self.note)


Part = str | Table | Plot
"""A string is a paragraph."""


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with what stands under it, in order."""

    title: str
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """A page: `summary` is the one sentence to remember."""

    title: str
    summary: str = ""
    sections: tuple[Section, ...] = ()


def text(cell: Cell, format: str = "") -> str:
    """A cell as the reader sees it: "–" for None and nan, "low to high" for an interval."""
    if cell is None or (isinstance(cell, float) and isnan(cell)):
        return MISSING
    if isinstance(cell, tuple):
        low, high = (text(end, format) for end in cell)
        return f"{low} to {high}"
    if isinstance(cell, str):
        return cell
    if not format and isinstance(cell, int):
        return f"{cell:,}"
    return f"{cell:{format or '.4g'}}"
