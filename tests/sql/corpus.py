"""The published corpus of attacks and of legitimate queries, as blocks with a header line."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from dragoman.schema import Column, Schema, Table

DIALECTS = ("sqlite", "duckdb", "postgres", "mysql", "snowflake", "bigquery", "tsql", "clickhouse")
FOLDER = Path(__file__).parent.parent / "fixtures" / "sql"


@dataclass(frozen=True, slots=True)
class Statement:
    """One block. `harm` and `lock2` are "" in the legitimate file."""

    sql: str
    dialect: str
    harm: str = ""
    lock2: str = ""


def corpus(name: str) -> list[Statement]:
    """The statements of `read_only_{name}.sql`; those for several dialects once in each."""
    statements: list[Statement] = []
    for block in f"\n{(FOLDER / f'read_only_{name}.sql').read_text(encoding='utf-8')}".split("\n-- dialect: ")[1:]:
        header, _, sql = block.partition("\n")
        dialect, *labels = (part.strip() for part in header.split("|"))
        fields = dict(label.split(": ", 1) for label in labels)
        dialects = DIALECTS if dialect == "all" else dialect.split(", ")
        statements += [Statement(sql.strip("\n"), each, **fields) for each in dialects]
    return statements


def schema(dialect: str) -> Schema:
    """The schema that the corpus is about."""
    namespace = {"postgres": "public", "tsql": "dbo", "snowflake": "PUBLIC", "bigquery": "dataset"}.get(dialect, "")
    tables = {
        "customers": ("id", "name", "email", "city", "country", "created", "tags"),
        "orders": ("id", "customer_id", "status", "total", "placed", "details"),
    }
    found = (Table(name, tuple(map(Column, columns)), schema=namespace) for name, columns in tables.items())
    return Schema(tuple(found), dialect, "project" if dialect == "bigquery" else "shop", namespace)
