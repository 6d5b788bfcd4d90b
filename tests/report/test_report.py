"""The values a report is made of."""

import pytest

from dragoman.report import Cell, Column, Plot, Point, Series, Table, text


@pytest.mark.parametrize(
    ("cell", "format", "shown"),
    [
        (None, ".1%", "–"),
        (float("nan"), ".1%", "–"),
        (0.5, ".1%", "50.0%"),
        ((0.25, 0.5), ".0%", "25% to 50%"),
        (1034, "", "1,034"),
        (0.123456, "", "0.1235"),
        ("NULL", ".1%", "NULL"),
    ],
)
def test_text(cell: Cell, format: str, shown: str) -> None:
    assert text(cell, format) == shown


def test_only_columns_of_numbers_are_flush_right() -> None:
    table = Table("", (Column("a"), Column("b"), Column("c")), (("x", 1, None), ("y", None, None)))
    assert [table.is_numeric(i) for i in range(3)] == [False, True, False]


def test_a_plot_gives_its_numbers() -> None:
    lines = Plot("p", (Series("a", (Point(2, 0.5), Point(1, 0.25))), Series("b", (Point(3, 1.0),))), x_label="k")
    assert lines.table().rows == ((1, 0.25, None), (2, 0.5, None), (3, None, 1.0))
    bars = Plot("p", (Series("a", (Point("z", 0.5), Point("a", 1.0))),), "bar")
    assert bars.table().rows == (("z", 0.5), ("a", 1.0))
