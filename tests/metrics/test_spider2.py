from __future__ import annotations

from typing import Any

import pytest

from dragoman.metrics.csv_column import csv_column
from dragoman.metrics.spider2 import tables_match, vectors_match
from tests.metrics.results import rows

ACCEPTED = [
    ([(1, 2), (3, 4)], [(1, 4), (3, 2)]),
    ([(5, 5)], [(5, 6)]),
    ([(None,)], [(0,)]),
    ([(0.0,)], [(0.009,)]),
    ([(1e9,)], [(1e9 + 0.5,)]),
    ([("a", 1)], [(1, "b", "a")]),
    ([(7,)], [("007",)]),
    ([(None,)], [("NA",)]),
    ([(1,)], [("1.0",)]),
]
REJECTED = [
    ([(10.001,), (10.5,)], [(9.999,), (10.5,)]),
    ([(100.001,), (5,)], [(99.999,), (5,)]),
    ([("2020-01-01",)], [("2020-01-01 00:00:00",)]),
    ([("Rome",)], [("rome",)]),
    ([(1,), (1,)], [(1,)]),
    ([(1, 2)], [(1,)]),
]


@pytest.mark.parametrize(("gold", "predicted"), ACCEPTED)
def test_what_the_published_comparer_accepts(gold: list[tuple[Any, ...]], predicted: list[tuple[Any, ...]]) -> None:
    assert tables_match(rows(*gold), rows(*predicted))


@pytest.mark.parametrize(("gold", "predicted"), REJECTED)
def test_what_the_published_comparer_rejects(gold: list[tuple[Any, ...]], predicted: list[tuple[Any, ...]]) -> None:
    assert not tables_match(rows(*gold), rows(*predicted))


def test_only_the_condition_columns_count() -> None:
    gold, predicted = rows((1, "x"), (2, "y")), rows((2,), (1,))
    assert tables_match(gold, predicted, [0])
    assert not tables_match(gold, predicted, [0, 1])
    assert not tables_match(gold, predicted, [0], ignore_order=False)
    assert vectors_match([1, 2], [2, 1])


@pytest.mark.parametrize(
    ("values", "read"),
    [
        ([1, 2], [1, 2]),
        ([1, None], [1.0, None]),
        (["007", " 8"], [7, 8]),
        (["1_000"], ["1_000"]),
        ([1, 2.5], [1.0, 2.5]),
        (["1e3", ".5", "inf"], [1000.0, 0.5, float("inf")]),
        (["True", "false"], [True, False]),
        (["True", None], [True, None]),
        (["a", "NULL", "None", ""], ["a", None, None, None]),
        ([2**70], [str(2**70)]),
        ([float("nan")], [None]),
        ([], []),
    ],
)
def test_types_are_inferred_for_the_whole_column(values: list[Any], read: list[Any]) -> None:
    found = csv_column(values)
    assert found == read
    assert [type(value) for value in found] == [type(value) for value in read]
