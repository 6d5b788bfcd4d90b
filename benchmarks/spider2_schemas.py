"""Schemas and gold queries of Spider 2.0-Lite as published: DDL.csv files, gold SQL, daily tables of ga360 as JSON.

The folder has `spider2-lite.jsonl`, `evaluation_suite/gold/sql`, `resource/databases/<engine>/<database>/...` and
`ga360_tables`. It is found through DRAGOMAN_SHARED (`data/spider2_schemas` below it) or beside the checkout.
"""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from dragoman.databases.nested_paths import nested_paths
from dragoman.schema import Column, ForeignKey, Schema, Table

ENGINES = {"bq": "bigquery", "ga": "bigquery", "sf": "snowflake", "local": "sqlite"}
csv.field_size_limit(2**30)


@dataclass(frozen=True, slots=True)
class GoldQuery:
    """A question with its gold SQL, of the database `database`."""

    identity: str
    database: str
    question: str
    sql: str


def folder() -> Path:
    """Where the data lie; `SystemExit` where they are not."""
    shared = os.environ.get("DRAGOMAN_SHARED") or Path(__file__).resolve().parents[2] / "shared"
    path = Path(shared) / "data" / "spider2_schemas"
    if not path.is_dir():
        raise SystemExit("The schemas of Spider 2.0 are absent; set DRAGOMAN_SHARED to the folder that holds them.")
    return path


def schemas() -> Iterator[Schema]:
    """All databases, by engine and name."""
    for engine in ("bigquery", "snowflake", "sqlite"):
        for path in sorted((folder() / "resource" / "databases" / engine).iterdir()):
            yield read_schema(path, engine)


def schema(database: str) -> Schema | None:
    """The database of that name, None if its schema is not there."""
    for engine in ("bigquery", "snowflake", "sqlite"):
        path = folder() / "resource" / "databases" / engine / database
        if path.is_dir():
            return read_schema(path, engine)
    return None


def read_schema(path: Path, engine: str) -> Schema:
    """The schema in the DDL.csv files below `path`, one for each namespace."""
    tables: dict[tuple[str, str], Table] = {}
    for file in sorted(path.rglob("DDL.csv")):
        below = file.parent.relative_to(path).as_posix()
        namespace = "" if below == "." else f"{path.name}.{below}" if engine == "snowflake" else below
        with file.open(encoding="utf-8-sig", newline="") as lines:
            for record in csv.DictReader(lines):
                table = _table(record, namespace, engine)
                tables.setdefault((namespace, table.name), table)
    return Schema(tuple(tables.values()), engine, path.name)


def ga360() -> Schema:
    """The 366 daily tables as one schema, with the descriptions that the JSON files give."""
    return Schema(tuple(_from_json(path) for path in sorted((folder() / "ga360_tables").glob("*.json"))), "bigquery")


def gold_queries() -> tuple[list[GoldQuery], list[str]]:
    """(gold queries whose question is known, ids of those without question)."""
    lines = (folder() / "spider2-lite.jsonl").read_text("utf-8").splitlines()
    asked = {record["instance_id"]: record for record in map(json.loads, filter(None, lines))}
    found, lost = [], []
    for path in sorted((folder() / "evaluation_suite" / "gold" / "sql").glob("*.sql")):
        record = asked.get(path.stem)
        if record is None:
            lost.append(path.stem)
        else:
            found.append(GoldQuery(path.stem, record["db"], record["question"], path.read_text("utf-8-sig")))
    return found, lost


def engine_of(identity: str) -> str:
    """sqlglot's name of the dialect that a question's id stands for."""
    return next(dialect for prefix, dialect in ENGINES.items() if identity.startswith(prefix))


def _table(record: dict[str, str], namespace: str, engine: str) -> Table:
    text = record.get("ddl") or record.get("DDL") or ""
    name, comment = record["table_name"].split(".")[-1], record.get("description") or ""
    tree = _parsed(text, engine) if text.strip() else None
    if tree is None:
        return Table(name, schema=namespace, comment=comment)
    defined = tree.this.expressions if isinstance(tree.this, exp.Schema) else []
    columns = tuple(_column(node, engine) for node in defined if isinstance(node, exp.ColumnDef | exp.Identifier))
    keys = {key for node in tree.find_all(exp.PrimaryKey) for key in _names(node.expressions)}
    columns = tuple(_keyed(column, keys) for column in columns)
    foreign = tuple(_foreign(node) for node in tree.find_all(exp.ForeignKey))
    options = tree.args.get("properties")
    comment = comment or (_description(options) if options else "")
    kind = "view" if tree.kind == "VIEW" else "table"
    return Table(name, columns, kind, namespace, comment, tuple(key for key in foreign if key.target))  # type: ignore[arg-type]


@cache
def _parsed(text: str, engine: str) -> exp.Create | None:
    try:
        tree = sqlglot.parse(text, dialect=engine)[0]
    except (SqlglotError, RecursionError):
        return None
    return tree if isinstance(tree, exp.Create) else None


def _column(node: exp.ColumnDef | exp.Identifier, engine: str) -> Column:
    if isinstance(node, exp.Identifier):
        return Column(node.name)
    type_ = node.args["kind"].sql(engine) if node.args.get("kind") else ""
    constraints = [constraint.args.get("kind") for constraint in node.constraints]
    required = any(isinstance(c, exp.NotNullColumnConstraint) and not c.args.get("allow_null") for c in constraints)
    comment = next(filter(None, (_description(c) for c in constraints if isinstance(c, exp.Expression))), "")
    return Column(node.name, _plain(type_), not required, comment=comment, nested=nested_paths(_plain(type_)))


def _plain(type_: str) -> str:
    """The type without the descriptions of its fields."""
    plain, position = list[str](), 0
    while position < len(type_):
        if type_.startswith("OPTIONS", position) and (end := _closing(type_, position)) > 0:
            position = end
            while plain and plain[-1] == " ":
                plain.pop()
            continue
        plain.append(type_[position])
        position += 1
    return "".join(plain)


def _closing(text: str, position: int) -> int:
    """The end of `OPTIONS (...)` that starts at `position`, 0 if there is none."""
    start = text.find("(", position)
    if start < 0 or text[position + len("OPTIONS") : start].strip():
        return 0
    depth, quote = 0, ""
    while start < len(text):
        character = text[start]
        if quote:
            if character == "\\":
                start += 1
            elif character == quote:
                quote = ""
        elif character in "\"'":
            quote = character
        elif character in "()":
            depth += 1 if character == "(" else -1
            if depth == 0:
                return start + 1
        start += 1
    return 0


def _description(node: exp.Expression) -> str:
    for item in node.find_all(exp.Property, exp.PropertyEQ, exp.EQ):
        if item.name.lower() == "description":
            value = item.args.get("value") or item.args.get("expression")
            return " ".join(value.name.split()) if isinstance(value, exp.Expression) else ""
    return ""


def _keyed(column: Column, keys: set[str]) -> Column:
    return replace(column, primary_key=1) if column.name in keys else column


def _foreign(node: exp.ForeignKey) -> ForeignKey:
    reference = node.args.get("reference")
    target = reference.find(exp.Table) if reference else None
    schema = reference.find(exp.Schema) if reference else None
    return ForeignKey(
        tuple(_names(node.expressions)),
        target.name.split(".")[-1] if target else "",
        tuple(_names(schema.expressions)) if schema else (),
    )


def _names(nodes: list[exp.Expression]) -> list[str]:
    return [node.name for node in nodes]


def _from_json(path: Path) -> Table:
    record = json.loads(path.read_text("utf-8"))
    notes = dict(zip(record["nested_column_names"], record["description"], strict=True))
    columns = tuple(
        Column(name, type_, comment=notes.get(name) or "", nested=nested_paths(type_))
        for name, type_ in zip(record["column_names"], record["column_types"], strict=True)
    )
    *namespace, _ = record["table_fullname"].split(".")
    return Table(record["table_name"], columns, schema=".".join(namespace))
