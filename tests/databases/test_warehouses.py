"""Snowflake and BigQuery: what can be shown without an account. What cannot is in the engines' `gaps`."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dragoman.databases.bigquery_schema import bigquery_schema
from dragoman.databases.snowflake_arguments import snowflake_arguments
from dragoman.databases.snowflake_schema import snowflake_schema
from dragoman.databases.url import parse_url
from dragoman.errors import QueryError, SetupError
from dragoman.schema import ForeignKey

ROOT = Path(__file__).resolve().parents[2]

SNOWFLAKE: dict[str, list[dict[str, Any]]] = {
    "SHOW PRIMARY": [
        {"schema_name": "SALES", "table_name": "P", "column_name": name, "key_sequence": place, "constraint_name": "PK"}
        for place, name in ((2, "A"), (1, "b c"))
    ],
    "SHOW UNIQUE": [
        {"schema_name": "SALES", "table_name": "C", "column_name": "X", "key_sequence": 1, "constraint_name": "U"}
    ],
    "SHOW IMPORTED": [
        {
            "fk_schema_name": "SALES",
            "fk_table_name": "C",
            "fk_name": "F",
            "fk_column_name": here,
            "key_sequence": place,
            "pk_schema_name": "SALES",
            "pk_table_name": "P",
            "pk_column_name": there,
        }
        for place, here, there in ((1, "X", "b c"), (2, "Y", "A"))
    ],
    "information_schema.tables": [
        {"table_schema": "SALES", "table_name": "C", "table_type": "BASE TABLE", "comment": None, "row_count": 7},
        {
            "table_schema": "SALES",
            "table_name": "M",
            "table_type": "MATERIALIZED VIEW",
            "comment": "",
            "row_count": None,
        },
        {
            "table_schema": "SALES",
            "table_name": "P",
            "table_type": "EXTERNAL TABLE",
            "comment": "outside",
            "row_count": 0,
        },
    ],
    "information_schema.columns": [
        {
            "table_schema": "SALES",
            "table_name": table,
            "column_name": name,
            "data_type": kind,
            "is_nullable": null,
            "comment": about,
            "column_default": default,
        }
        for table, name, kind, null, about, default in (
            ("C", "X", "NUMBER(38,0)", "NO", "about x", "3"),
            ("C", "Y", "VARIANT", "YES", None, None),
            ("P", "A", "OBJECT(k NUMBER, l ARRAY(TEXT))", "YES", None, None),
            ("P", "b c", "TEXT", "NO", None, None),
        )
    ],
    "current_schema": [{"name": "SALES"}],
}


def answering(rows: dict[str, list[dict[str, Any]]]) -> Callable[[str], list[dict[str, Any]]]:
    """The rows whose key stands in a query; a key that is missing is a refusal."""

    def fetch(query: str) -> list[dict[str, Any]]:
        for key, found in rows.items():
            if key in query:
                return found
        raise QueryError("not allowed")

    return fetch


def test_snowflakes_catalogue_becomes_a_schema() -> None:
    schema = snowflake_schema(answering(SNOWFLAKE), "SHOP")
    child, view, parent = schema.tables
    assert (schema.dialect, schema.name, schema.default_schema, schema.hidden) == ("snowflake", "SHOP", "SALES", ())
    assert (child.rows, child.kind, view.kind, parent.kind, parent.comment) == (
        7,
        "table",
        "materialized view",
        "external",
        "outside",
    )
    assert parent.primary_key == ("b c", "A")
    assert child.unique == (("X",),)
    assert child.foreign_keys == (ForeignKey(("X", "Y"), "P", ("b c", "A")),)
    x, y = child.columns
    assert (x.nullable, x.comment, x.default, y.default) == (False, "about x", "3", None)
    assert parent.columns[0].nested == (("k", "NUMBER"), ("l", "ARRAY(TEXT)"))


def test_keys_that_may_not_be_read_are_reported() -> None:
    schema = snowflake_schema(answering({k: v for k, v in SNOWFLAKE.items() if "SHOW" not in k}), "SHOP")
    assert len(schema.tables) == 3
    assert [name for name, _ in schema.hidden] == ["primary keys", "unique keys", "imported keys"]


def test_snowflakes_driver_gets_every_part_of_the_url(monkeypatch: pytest.MonkeyPatch) -> None:
    given = snowflake_arguments(parse_url("snowflake://me:p%40ss@acme-x1/SHOP/SALES?warehouse=w&role=reader"))
    assert given["session_parameters"]["MULTI_STATEMENT_COUNT"] == "1"
    parts = ("account", "user", "password", "database", "schema", "warehouse", "role")
    assert [given[part] for part in parts] == ["acme-x1", "me", "p@ss", "SHOP", "SALES", "w", "reader"]
    monkeypatch.setenv("SNOWFLAKE_PASSWORD", "from the environment")
    assert snowflake_arguments(parse_url("snowflake://me@acme/SHOP"))["password"] == "from the environment"
    assert "password" not in snowflake_arguments(parse_url("snowflake://me@acme/SHOP?authenticator=externalbrowser"))
    with pytest.raises(SetupError, match="names the account"):
        snowflake_arguments(parse_url("snowflake:///SHOP"))


BIGQUERY: dict[str, list[dict[str, Any]]] = {
    "TABLE_OPTIONS": [
        {
            "table_schema": "d",
            "table_name": "c",
            "table_type": "BASE TABLE",
            "comment": '"say \\"hi\\""',
            "row_count": None,
        },
        {"table_schema": "d", "table_name": "v", "table_type": "VIEW", "comment": None, "row_count": None},
    ],
    "COLUMN_FIELD_PATHS": [{"table_schema": "d", "table_name": "c", "column_name": "x", "description": "about x"}],
    "INFORMATION_SCHEMA.COLUMNS": [
        {
            "table_schema": "d",
            "table_name": "c",
            "column_name": "x",
            "data_type": "INT64",
            "is_nullable": "NO",
            "column_default": "NULL",
            "ordinal_position": 1,
        },
        {
            "table_schema": "d",
            "table_name": "c",
            "column_name": "s",
            "data_type": "ARRAY<STRUCT<a INT64>>",
            "is_nullable": "YES",
            "column_default": None,
            "ordinal_position": 2,
        },
    ],
    "KEY_COLUMN_USAGE": [
        {
            "table_schema": "d",
            "table_name": "c",
            "constraint_name": "c.pk",
            "column_name": "x",
            "ordinal_position": 1,
            "constraint_type": "PRIMARY KEY",
            "target_schema": None,
            "target": None,
            "target_column": None,
        },
        {
            "table_schema": "d",
            "table_name": "c",
            "constraint_name": "c.fk",
            "column_name": "x",
            "ordinal_position": 1,
            "constraint_type": "FOREIGN KEY",
            "target_schema": "other",
            "target": "p",
            "target_column": "y",
        },
    ],
}


def test_bigquerys_catalogue_becomes_a_schema() -> None:
    schema = bigquery_schema(answering(BIGQUERY), "my-project", ["d"], "d")
    child, view = schema.tables
    assert (schema.default_schema, child.comment, child.kind, view.kind) == ("d", 'say "hi"', "table", "view")
    x, s = child.columns
    assert (x.primary_key, x.comment, x.default, x.nullable) == (1, "about x", None, False)
    assert s.nested == (("[].a", "INT64"),)
    assert child.foreign_keys == (ForeignKey(("x",), "p", ("y",), "other"),)
    reader = bigquery_schema(answering({k: v for k, v in BIGQUERY.items() if "KEY" not in k}), "p", ["d"], "d")
    assert [name for name, _ in reader.hidden] == ["keys"]


def test_datasets_are_asked_together_and_quoted() -> None:
    asked: list[str] = []

    def fetch(query: str) -> list[dict[str, Any]]:
        asked.append(query)
        return []

    bigquery_schema(fetch, "my`project", ["a", "b"], "x")
    assert len(asked) == 4
    assert all(query.count("UNION ALL") == 1 for query in asked)
    assert r"`my\`project`.`b`.INFORMATION_SCHEMA" in asked[0]
    assert bigquery_schema(fetch, "p", [], "x").tables == ()


def observed(engine: str, script: str) -> Any:
    python = ROOT / f".venv-{engine}" / "bin" / "python"
    if not python.exists():
        pytest.skip(f"no stand-in; tests/databases/standins/{script} says which packages .venv-{engine} needs")
    script = str(ROOT / "tests" / "databases" / "standins" / script)
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    run = subprocess.run([python, script], env=environment, capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stderr[-2000:]
    return json.loads(run.stdout.splitlines()[-1])


@pytest.mark.slow
def test_snowflakes_engine_against_a_stand_in() -> None:
    seen = observed("snowflake", "with_fakesnow.py")
    assert seen["tables"]["P"][0] == "table"
    assert [column[0] for column in seen["tables"]["P"][1]] == ["ID", "NAME", "AMOUNT", "V"]
    assert seen["rows"] == [["ID", "NAME", "AMOUNT"], [[1, "x%", "1.10"], [2, None, None]]]
    assert set(seen["refused"]) == {"DELETE FROM p", "CALL x()", "SELECT nope FROM p"}


@pytest.mark.slow
def test_bigquerys_engine_against_a_stand_in() -> None:
    seen = observed("bigquery", "with_bqemulator.py")
    assert "at most 1000000 bytes billed" in seen["enforced"]
    kind, columns = seen["tables"]["p"]
    assert (kind, seen["tables"]["v"][0]) == ("table", "view")
    assert [column[0] for column in columns] == ["id", "name", "tags", "amount"]
    assert columns[2][3] == [["[].k", "STRING"], ["[].v", "INT64"]]
    assert seen["rows"][1][0][:3] == [1, "x%", [{"k": "a", "v": 1}]]
    assert len(seen["refused"]) == 4
    assert seen["left"] == 1
