"""What counts as equal, one named flag for each question."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from dragoman.metrics.canonical import Cell, Column


@dataclass(frozen=True, slots=True)
class Flags:
    """How two results are compared. The default is the strict rule on results without an order.

    row_order     rows must stand in the same order; False compares them as a multiset
    duplicates    the number of equal rows matters; False keeps one of each
    column_order  columns must stand in the same order; False allows one permutation for the whole result
    relative      two numbers, at least one of them not whole, are equal if they differ by at most this share of
                  the larger one; two whole numbers are always compared exactly, for they may be keys
    absolute      ... or by at most this much
    nulls         "null": NULL equals only NULL; "zero": it equals 0; "empty": it equals the empty text (Oracle)
    dates         "exact": a date and a timestamp differ; "midnight": a date equals the timestamp at its midnight;
                  "day": the time of day is ignored
    """

    row_order: bool = False
    duplicates: bool = True
    column_order: bool = True
    relative: float = 1e-9
    absolute: float = 1e-6
    nulls: Literal["null", "zero", "empty"] = "null"
    dates: Literal["exact", "midnight", "day"] = "exact"

    @property
    def tolerant(self) -> bool:
        """Whether numbers may differ at all."""
        return self.relative > 0 or self.absolute > 0

    @property
    def rewrites(self) -> bool:
        """Whether cells change their value before they are compared."""
        return self.nulls != "null" or self.dates != "exact"


STRICT = Flags()


def rewrite_column(column: Column, flags: Flags) -> Column:
    """A canonical column as `nulls` and `dates` want it read."""
    return tuple(_rewrite(cell, flags) for cell in column) if flags.rewrites else column


def _rewrite(cell: Cell, flags: Flags) -> Cell:
    if cell is None:
        return {"null": None, "zero": 0, "empty": ""}[flags.nulls]
    if isinstance(cell, tuple) and cell[0] in ("timestamp", "instant"):
        whole_day = flags.dates == "day" or (flags.dates == "midnight" and cell[1].endswith("T00:00:00"))
        return ("date", cell[1][:10]) if whole_day else cell
    return cell
