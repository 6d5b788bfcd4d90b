"""One mapping of values, the same everywhere, and without loss where the format can carry it."""

from __future__ import annotations

import csv
import datetime
import io
import json
import uuid
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.databases.values import to_csv, to_json, to_markdown, to_text, unique_names

ZONE = datetime.timezone(datetime.timedelta(hours=5, minutes=30))
CASES: list[tuple[Any, str, Any]] = [
    (None, "NULL", None),
    ("", "", ""),
    ("NULL", "NULL", "NULL"),
    (True, "true", True),
    (7, "7", 7),
    (2**53, str(2**53), 2**53),
    (2**53 + 1, str(2**53 + 1), str(2**53 + 1)),
    (-(2**80), str(-(2**80)), str(-(2**80))),
    (0.1, "0.1", 0.1),
    (float("nan"), "NaN", "NaN"),
    (float("inf"), "Infinity", "Infinity"),
    (float("-inf"), "-Infinity", "-Infinity"),
    (Decimal("1E+3"), "1000", "1000"),
    (Decimal("12345678901234567890.10"), "12345678901234567890.10", "12345678901234567890.10"),
    (Decimal("NaN"), "NaN", "NaN"),
    (Decimal("sNaN"), "NaN", "NaN"),
    (Decimal("-Infinity"), "-Infinity", "-Infinity"),
    (b"\x00\xff", "x'00ff'", {"hex": "00ff"}),
    (datetime.date(2025, 2, 28), "2025-02-28", "2025-02-28"),
    (
        datetime.datetime(2025, 2, 28, 1, 2, 3, 4, ZONE),
        "2025-02-28T01:02:03.000004+05:30",
        "2025-02-28T01:02:03.000004+05:30",
    ),
    (datetime.time(1, 2), "01:02:00", "01:02:00"),
    (datetime.timedelta(days=1, seconds=3723, microseconds=500000), "P1DT1H2M3.5S", "P1DT1H2M3.5S"),
    (datetime.timedelta(seconds=-1), "-P0DT0H0M1S", "-P0DT0H0M1S"),
    (uuid.UUID(int=1), "00000000-0000-0000-0000-000000000001", "00000000-0000-0000-0000-000000000001"),
    ([1, None, "a"], '[1, null, "a"]', [1, None, "a"]),
    ({"k": Decimal("1.50")}, '{"k": "1.50"}', {"k": "1.50"}),
    ("f\udcfcr", "f�r", "f�r"),
]


@pytest.mark.parametrize(("value", "text", "plain"), CASES)
def test_the_documented_mapping(value: Any, text: str, plain: Any) -> None:
    assert to_text(value) == text
    assert to_json(value) == plain
    json.dumps(to_json(value), allow_nan=False).encode("utf-8")


@given(st.lists(st.sampled_from(["id", "id_2", "name", "id_3", ""]), max_size=8))
def test_names_are_kept_apart(columns: list[str]) -> None:
    names = unique_names(columns)
    assert len(set(names)) == len(columns)
    firsts = {c: columns.index(c) for c in columns}
    assert all(names[i] == c for c, i in firsts.items())


@given(
    st.lists(st.lists(st.one_of(st.none(), st.text(st.characters(exclude_categories=["Cs"]))), min_size=2, max_size=2))
)
def test_csv_reads_back_and_tells_null_from_empty(rows: list[list[str | None]]) -> None:
    text = to_csv(["a", "b"], rows)
    read = list(csv.reader(io.StringIO(text, newline="")))[1:]
    assert read == [[value or "" for value in row] for row in rows]
    if rows == [[None, ""]]:
        assert text == 'a,b\n,""\n'


@given(st.lists(st.lists(st.text(st.characters(exclude_categories=["Cs"])), min_size=1, max_size=1), max_size=5))
def test_a_markdown_cell_stays_in_its_row(rows: list[list[str]]) -> None:
    assert to_markdown(["a|b"], rows).count("\n") >= len(rows) + 2
    for line in to_markdown(["a"], [[r[0].replace("\v", "").replace("\f", "")] for r in rows]).split("\n")[:-1]:
        assert line.startswith("| ")
        assert line.endswith(" |")
