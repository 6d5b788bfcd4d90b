from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from dragoman.demo import checksum, open_demo
from dragoman.demo.build import EDITION
from dragoman.demo.company import company
from dragoman.errors import SetupError

CHECKSUM = "858793dd953d0424387d685962735871904905bc03328a329000e08e3c340db7"
"""Of edition 1. When the content has to change, raise EDITION and write the new checksum here."""


def tables(demo: sqlite3.Connection) -> list[str]:
    return [name for (name,) in demo.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]


def test_the_content_is_the_one_of_this_edition(demo_path: Path) -> None:
    assert EDITION == 1
    assert checksum(demo_path) == CHECKSUM


def test_a_fixed_number_stands_for_the_version_of_sqlite(demo_path: Path) -> None:
    header = demo_path.read_bytes()[:100]
    assert int.from_bytes(header[96:100], "big") == 3_040_000
    assert header[18:20] == b"\x01\x01"  # no write-ahead log


def test_size_and_shape(demo: sqlite3.Connection) -> None:
    months = [name for name in tables(demo) if name.startswith("events_2025_")]
    others = [name for name in tables(demo) if name not in months]
    assert len(months) == 12
    assert len(others) >= 14
    rows = sum(demo.execute(f'SELECT COUNT(*) FROM "{name}"').fetchone()[0] for name in tables(demo))
    assert rows >= 100_000
    views = [name for (name,) in demo.execute("SELECT name FROM sqlite_master WHERE type = 'view' ORDER BY name")]
    assert views == ["monthly_revenue", "order_totals", "product_ratings"]


def test_rows_are_made_for_exactly_the_columns_of_each_table(demo: sqlite3.Connection) -> None:
    for name, rows in company().items():
        columns = [column for (column,) in demo.execute("SELECT name FROM pragma_table_info(?)", (name,))]
        assert columns == list(rows[0]._fields), name


def test_integrity(demo: sqlite3.Connection) -> None:
    assert demo.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert demo.execute("PRAGMA foreign_key_check").fetchall() == []


def test_every_table_has_a_primary_key_and_rows(demo: sqlite3.Connection) -> None:
    for name in tables(demo):
        keys = demo.execute("SELECT COUNT(*) FROM pragma_table_info(?) WHERE pk", (name,)).fetchone()[0]
        assert keys >= 1, name
        assert demo.execute(f'SELECT COUNT(*) FROM "{name}"').fetchone()[0] > 0, name


def test_composite_foreign_keys(demo: sqlite3.Connection) -> None:
    for table, target in (("addresses", "regions"), ("refunds", "order_items")):
        keys = demo.execute(f"SELECT id, \"table\" FROM pragma_foreign_key_list('{table}')").fetchall()
        assert sum(name == target for _, name in keys) == 2


def test_one_month_has_a_column_more(demo: sqlite3.Connection) -> None:
    shapes = {
        month: tuple(row[0] for row in demo.execute(f"SELECT name FROM pragma_table_info('events_2025_{month:02d}')"))
        for month in range(1, 13)
    }
    plain = shapes[1]
    assert {month for month, columns in shapes.items() if columns != plain} == {11}
    assert shapes[11] == (*plain, "experiment")


def test_events_lie_in_the_table_of_their_month(demo: sqlite3.Connection) -> None:
    for month in range(1, 13):
        query = f"SELECT DISTINCT substr(occurred_at, 1, 7) FROM events_2025_{month:02d}"
        assert demo.execute(query).fetchall() == [(f"2025-{month:02d}",)]


def test_the_json_column_is_json(demo: sqlite3.Connection) -> None:
    assert demo.execute(
        "SELECT COUNT(*) FROM products WHERE attributes IS NOT NULL AND NOT json_valid(attributes)"
    ).fetchone() == (0,)
    assert demo.execute("SELECT COUNT(*) FROM products WHERE attributes IS NULL").fetchone()[0] > 0


def test_the_story_holds_together(demo: sqlite3.Connection) -> None:
    """Nothing happens before what it follows from."""
    contradictions = {
        "ordered before sign-up": "SELECT COUNT(*) FROM orders JOIN customers USING (customer_id)"
        " WHERE ordered_at < signed_up_at",
        "shipped before ordered": "SELECT COUNT(*) FROM shipments JOIN orders USING (order_id)"
        " WHERE shipped_at < ordered_at",
        "delivered before shipped": "SELECT COUNT(*) FROM shipments WHERE delivered_at < shipped_at",
        "closed before opened": "SELECT COUNT(*) FROM support_tickets WHERE closed_at < opened_at",
        "sold before launch": "SELECT COUNT(*) FROM order_items JOIN orders USING (order_id)"
        " JOIN products USING (product_id) WHERE date(ordered_at) < launched_on",
        "sold after the end": "SELECT COUNT(*) FROM order_items JOIN orders USING (order_id)"
        " JOIN products USING (product_id) WHERE date(ordered_at) >= discontinued_on",
        "paid too much or too little": "SELECT COUNT(*) FROM order_totals AS t JOIN"
        " (SELECT order_id, SUM(amount_cents) AS paid FROM payments WHERE status <> 'failed' GROUP BY order_id) AS p"
        " USING (order_id) WHERE p.paid <> t.total_cents",
        "refunded more than paid": "SELECT COUNT(*) FROM refunds JOIN order_totals USING (order_id)"
        " WHERE amount_cents > total_cents",
        "address of somebody else": "SELECT COUNT(*) FROM orders JOIN addresses USING (address_id)"
        " WHERE orders.customer_id <> addresses.customer_id",
        "time after 2025": "SELECT COUNT(*) FROM orders WHERE date(ordered_at) > '2025-12-31'",
    }
    assert {what: demo.execute(query).fetchone()[0] for what, query in contradictions.items()} == dict.fromkeys(
        contradictions, 0
    )


def test_many_languages_and_scripts(demo: sqlite3.Connection) -> None:
    cities = {city for (city,) in demo.execute("SELECT DISTINCT city FROM addresses")}
    assert {"München", "Saint-Étienne", "Thành phố Hồ Chí Minh", "東京", "القاهرة", "Αθήνα"} <= cities


def test_open_demo_builds_once(tmp_path: Path, demo_path: Path) -> None:
    path = open_demo(tmp_path)
    assert (path.name, path.parent.parent) == ("demo.sqlite", tmp_path)
    assert path.read_bytes() == demo_path.read_bytes()
    assert os.listdir(path.parent) == ["demo.sqlite"]
    before = path.stat().st_mtime_ns
    assert open_demo(tmp_path) == path
    assert path.stat().st_mtime_ns == before


def test_open_demo_mends_a_file_that_was_cut(tmp_path: Path, demo_path: Path) -> None:
    path = tmp_path / f"demo-{EDITION}" / "demo.sqlite"
    path.parent.mkdir()
    path.write_bytes(demo_path.read_bytes()[:40_960])
    assert open_demo(tmp_path).read_bytes() == demo_path.read_bytes()


@pytest.mark.slow
def test_two_processes_at_once(tmp_path: Path, demo_path: Path) -> None:
    code = "import sys, pathlib, dragoman.demo as d; print(d.open_demo(pathlib.Path(sys.argv[1])))"
    running = [
        subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    paths = {process.communicate()[0].strip() for process in running}
    assert len(paths) == 1
    path = Path(paths.pop())
    assert path.read_bytes() == demo_path.read_bytes()
    assert os.listdir(path.parent) == ["demo.sqlite"]


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SetupError, match="Choose another cache folder"):
        open_demo(tmp_path / "file")
