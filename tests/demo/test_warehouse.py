from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest

from dragoman.databases import Database, Limits, connect
from dragoman.demo import locate
from dragoman.demo.warehouse.__main__ import main
from dragoman.demo.warehouse.build import EDITION
from dragoman.demo.warehouse.fill import Filled, fill
from dragoman.demo.warehouse.load_postgres import load_postgres
from dragoman.demo.warehouse.read_tables import daily_tables, period, read_tables
from dragoman.errors import SetupError
from dragoman.linking.group_tables import group_tables, ungroup
from dragoman.linking.name_ranges import expand_names
from dragoman.linking.schema_text import schema_text
from dragoman.linking.table_text import names_of
from dragoman.schema import Schema
from tests.databases.places import Place

DIGEST = "b21302cfeaebb85338ccd1dd77669fbbadd9c5e75c03923bf2f43c033d40abb4"
"""Of the rows of edition 1. When the content has to change, raise EDITION and write the new digest here."""


def digest(filled: Filled) -> str:
    found = hashlib.sha256()
    for spec, rows in filled.items():
        found.update(repr((spec.name, spec.columns, spec.comment)).encode())
        for row in rows:
            found.update(json.dumps(row, default=str, sort_keys=True).encode())
    return found.hexdigest()


@pytest.fixture(scope="module")
def warehouse(warehouse_path: Path) -> Iterator[Database]:
    with closing(connect(str(warehouse_path))) as database:
        yield database


@pytest.fixture(scope="module")
def schema(warehouse: Database) -> Schema:
    return warehouse.schema()


def test_the_rows_are_those_of_this_edition(filled: Filled) -> None:
    assert EDITION == 1
    assert digest(filled) == DIGEST


@pytest.mark.slow
def test_the_rows_are_the_same_at_every_call(filled: Filled) -> None:
    assert digest(fill()) == digest(filled)


def test_size_and_shape(schema: Schema) -> None:
    """Shards counted once, there are still more than 800 columns, and 366 daily tables beside them."""
    daily = [table for table in schema if table.name.startswith("visits_")]
    grouped = group_tables(schema).schema
    assert len(daily) == 366
    assert len({table.schema for table in schema}) == 9
    assert sum(len(table.columns) for table in schema) > 6_000
    assert sum(max(1, len(c.nested)) for table in grouped for c in table.columns) > 800
    nested = {c.name: len(c.nested) for c in daily[0].columns if c.nested}
    assert nested.keys() == {"totals", "traffic", "device", "geo", "custom_dims", "hits"}
    assert sum(nested.values()) > 120
    assert all(table.rows for table in schema)


def test_daily_tables_drift(schema: Schema) -> None:
    """A column added in spring, a type changed in July, a field added in October, and one column for two weeks."""

    def shape(day: str) -> tuple[str, bool, bool, bool]:
        table = schema.table(f"visits_{day}", "web")
        assert table is not None
        start, totals = table.column("visit_start"), table.column("totals")
        assert start is not None
        assert totals is not None
        scored = any(path == "session_score" for path, _ in totals.nested)
        return start.type, table.column("consent") is not None, scored, table.column("exp_arm") is not None

    assert shape("20240407") == ("BIGINT", False, False, False)
    assert shape("20240408") == ("BIGINT", True, False, False)
    assert shape("20240701") == ("TIMESTAMP", True, False, False)
    assert shape("20241001") == ("TIMESTAMP", True, True, False)
    assert shape("20241111") == ("TIMESTAMP", True, True, True)
    assert shape("20241125") == ("TIMESTAMP", True, True, False)


def test_grouping_loses_nothing_and_shows_days_as_ranges(schema: Schema) -> None:
    grouped = group_tables(schema)
    assert ungroup(grouped) == schema
    days = next(table for table in grouped.schema if table.name.startswith("visits_"))
    names = names_of(days, grouped.groups[days.full_name], "duckdb")
    assert names == "visits_{20240101..20241231}"
    assert list(expand_names([names])) == [spec.name.removeprefix("web.") for spec in daily_tables()]
    text = schema_text(grouped).text
    assert "visits_{20240701..20240930} has also consent" in text
    assert "visits_{20241111..20241124} has also" in text


@pytest.mark.slow
def test_grouping_loses_nothing_on_postgres(warehouse_place: Place) -> None:
    with closing(connect(warehouse_place.url)) as database:
        schema = database.schema()
    grouped = group_tables(schema)
    assert ungroup(grouped) == schema
    days = next(table for table in grouped.schema if table.name.startswith("visits_"))
    assert names_of(days, grouped.groups[days.full_name], "postgres") == "visits_{20240101..20241231}"
    assert {c.name for c in days.columns if c.nested} >= {"totals", "traffic", "device", "geo", "custom_dims", "hits"}
    assert sum(len(table.columns) for table in schema) > 6_000


def test_the_rows_in_duckdb(filled: Filled, warehouse: Database) -> None:
    for spec, rows in filled.items():
        found = warehouse.execute(f"SELECT * FROM {spec.name}", Limits(rows=None, bytes=None)).rows
        assert_same(found, [*map(_values, rows)], spec.name)


@pytest.mark.slow
def test_the_rows_in_postgres(filled: Filled, warehouse_place: Place) -> None:
    with psycopg.connect(warehouse_place.admin_url) as connection:
        for spec, rows in filled.items():
            found = connection.execute(f"SELECT * FROM {spec.name}".encode()).fetchall()
            assert_same(found, [*map(_values, rows)], spec.name)


def test_shards_know_their_days() -> None:
    found = {shard: tuple(map(str, period(shard))) for shard in ("2023", "2024q3", "202402", "2024_12", "20240229", "")}
    assert found == {
        "2023": ("2023-01-01", "2023-12-31"),
        "2024q3": ("2024-07-01", "2024-09-30"),
        "202402": ("2024-02-01", "2024-02-29"),
        "2024_12": ("2024-12-01", "2024-12-31"),
        "20240229": ("2024-02-29", "2024-02-29"),
        "": ("2024-01-01", "2024-12-31"),
    }


def test_the_story_holds_together(filled: Filled) -> None:
    tables = {spec.name: rows for spec, rows in filled.items()}
    orders = {row["ord_no"]: row for row in tables["sales.ord_hdr_2024"]}
    assert all(row["ord_no"] in orders for row in tables["sales.ord_ln_2024"])
    for month in range(1, 13):
        for row in tables[f"logi.shp_2024{month:02d}"]:
            assert orders[row["ord_no"]]["ord_dt"].month == month
    tracked: Counter[str] = Counter()
    for spec in daily_tables():
        for visit in tables[spec.name]:
            bought = [hit["trans"] for hit in visit["hits"] if hit.get("trans")]
            assert len(bought) == (visit["totals"]["orders"] or 0)
            assert sum(trans["revenue"] for trans in bought) == (visit["totals"]["revenue"] or 0)
            for trans in bought:
                assert f"{orders[int(trans['id'])]['ord_dt']:%Y%m%d}" == visit["visit_date"]
                tracked[trans["id"]] += 1
    assert set(tracked.values()) == {1}
    assert len(tracked) > 400


def test_every_code_of_the_orders_is_explained(filled: Filled) -> None:
    tables = {spec.name: rows for spec, rows in filled.items()}
    said = {(row["dom_cd"], row["cd"]) for row in tables["ref.cd_val"]}
    for column, domain in (("st_cd", "ORD_ST"), ("chnl_cd", "ORD_CH"), ("pay_mt", "PAY_MT")):
        assert {(domain, row[column]) for row in tables["sales.ord_hdr_2024"]} <= said
    for spec in read_tables():
        assert spec.rows == "lookup" or int(spec.rows) > 0


def test_it_is_opened_by_name_and_made_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Path] = []

    def write(path: Path) -> None:
        made.append(path)
        path.parent.mkdir()
        path.touch()

    monkeypatch.setattr("dragoman.demo.warehouse.build.build_warehouse", write)
    assert locate("warehouse", tmp_path) == str(tmp_path / f"warehouse-{EDITION}" / "warehouse.duckdb")
    assert locate("warehouse", tmp_path) == str(made[0])
    assert len(made) == 1
    assert locate("shop.sqlite", tmp_path) == "shop.sqlite"


def test_places_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SetupError, match="Choose another cache folder"):
        locate("warehouse", tmp_path / "file")


@pytest.mark.slow
def test_a_postgres_that_has_it_already(warehouse_place: Place) -> None:
    with pytest.raises(SetupError, match="Give an empty database that you own"):
        load_postgres(warehouse_place.admin_url)


def test_the_command_says_what_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setattr("sys.argv", ["warehouse", str(tmp_path / "file" / "warehouse.duckdb")])
    assert main() == 2
    assert "Cannot write the warehouse" in capsys.readouterr().err
    monkeypatch.setattr("sys.argv", ["warehouse", "postgresql://nobody@127.0.0.1:1/nowhere"])
    assert main() == 2
    assert "Give an empty database that you own" in capsys.readouterr().err


def assert_same(found: Sequence[tuple[Any, ...]], wanted: Sequence[tuple[Any, ...]], table: str) -> None:
    assert Counter(map(_canonical, found)) == Counter(map(_canonical, wanted)), table


def _values(row: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(row.values())


def _canonical(row: Sequence[Any]) -> str:
    """Without the fields of structs that are NULL, and JSON read."""
    values = (json.loads(value) if isinstance(value, str) and value[:1] == "{" else value for value in row)
    return json.dumps([_bare(value) for value in values], default=_text, sort_keys=True)


def _text(value: Any) -> str:
    return format(value.normalize(), "f") if hasattr(value, "normalize") else str(value)


def _bare(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _bare(item) for key, item in value.items() if item is not None}
    if isinstance(value, list):
        return [_bare(item) for item in value]
    return str(value) if hasattr(value, "isoformat") else value
