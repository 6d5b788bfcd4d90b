"""Spider's own description of a schema gives the same prompt text as the database itself."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from dragoman.models.embedded.sql_form import schema_text
from tests.shared_data import shared_data
from tests.training import conftest  # noqa: F401  (puts training/ on the path)


@pytest.mark.parametrize("name", ["concert_singer", "car_1", "pets_1", "flight_2", "department_management", "farm"])
def test_a_schema_from_tables_json_is_that_of_the_database(name: str, tmp_path: Path) -> None:
    from spider import Spider, tables_json_schema

    folder = shared_data("data", "spider")
    record = next(r for r in json.loads((folder / "tables.json").read_text("utf-8")) if r["db_id"] == name)
    described = set(schema_text(tables_json_schema(record)).splitlines())
    found = set(schema_text(Spider(folder, tmp_path).schema(name)).splitlines())
    assert names(described) == names(found)
    assert len(described & found) >= len(found) - 1, described ^ found


def test_a_database_that_is_missing_still_has_a_schema(tmp_path: Path) -> None:
    from spider import Spider

    spider = Spider(shared_data("data", "spider"), tmp_path)
    assert spider.database("soccer_1") is None
    assert spider.schema("soccer_1").table("Player_Attributes") is not None


def names(lines: set[str]) -> set[str]:
    """Lines without types: tables with their columns and foreign keys."""
    return {re.sub(r" (num|date|bool)\b", "", line) for line in lines}
