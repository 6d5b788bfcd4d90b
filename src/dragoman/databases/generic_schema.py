"""Any database that SQLAlchemy can inspect, as a `Schema`."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

from sqlalchemy.engine import Inspector
from sqlalchemy.engine.reflection import ObjectKind
from sqlalchemy.exc import SQLAlchemyError

from dragoman.schema import Column, ForeignKey, Schema, Table
from dragoman.schema.schema import TableKind

SYSTEM_SCHEMAS = frozenset({
    "information_schema", "pg_catalog", "sys", "guest", "db_owner", "db_accessadmin", "db_securityadmin",
    "db_ddladmin", "db_backupoperator", "db_datareader", "db_datawriter", "db_denydatareader", "db_denydatawriter",
    "mysql", "performance_schema", "system", "runtime", "metadata", "sysibm", "syscat", "sysstat", "systools",
})  # fmt: skip

Place = tuple[str | None, str]


def generic_schema(inspector: Inspector, dialect: str, name: str, only: str = "") -> Schema:
    """Every schema that is not the system's (or `only` that one), with a few bulk queries a schema.

    A schema or a kind of key that cannot be read is reported in `hidden` and does not end the rest.
    """
    default = inspector.default_schema_name or ""
    hidden: list[tuple[str, str]] = []
    try:
        names = [only] if only else [n for n in inspector.get_schema_names() if n.lower() not in SYSTEM_SCHEMAS]
    except (SQLAlchemyError, NotImplementedError):
        names = [default]
    tables: list[Table] = []
    for schema in names:
        try:
            tables += _tables(inspector, schema, hidden)
        except (SQLAlchemyError, NotImplementedError) as error:
            hidden.append((schema, str(error).splitlines()[0]))
    return Schema(tuple(sorted(tables, key=lambda t: t.full_name)), dialect, name, default, tuple(hidden))


def _tables(inspector: Inspector, schema: str, hidden: list[tuple[str, str]]) -> list[Table]:
    with warnings.catch_warnings():  # a type that SQLAlchemy does not know is no reason to write to the terminal
        warnings.simplefilter("ignore")
        columns = inspector.get_multi_columns(schema=schema or None, kind=ObjectKind.ANY)

    def ask(what: str) -> Mapping[Place, Any]:
        try:
            found: Mapping[Place, Any] = getattr(inspector, f"get_multi_{what}")(schema=schema or None)
            return found
        except (SQLAlchemyError, NotImplementedError) as error:
            hidden.append((schema, f"{what.replace('_', ' ')}: {str(error).splitlines()[0]}"))
            return {}

    primary, foreign, unique = ask("pk_constraint"), ask("foreign_keys"), ask("unique_constraints")
    comments = ask("table_comment") if inspector.dialect.supports_comments else {}
    kinds: dict[str, TableKind] = dict.fromkeys(_names(inspector, "view", schema), "view")
    kinds |= dict.fromkeys(_names(inspector, "materialized_view", schema), "materialized view")
    return [
        Table(
            place[1],
            tuple(_column(column, (primary.get(place) or {}).get("constrained_columns") or []) for column in found),
            kinds.get(place[1], "table"),
            schema,
            (comments.get(place) or {}).get("text") or "",
            tuple(_foreign_key(key, schema) for key in foreign.get(place) or ()),
            tuple(tuple(key["column_names"]) for key in unique.get(place) or ()),
        )
        for place, found in columns.items()
    ]


def _names(inspector: Inspector, kind: str, schema: str) -> list[str]:
    try:
        found: list[str] = getattr(inspector, f"get_{kind}_names")(schema=schema or None)
        return found
    except (SQLAlchemyError, NotImplementedError):
        return []


def _column(column: Mapping[str, Any], primary: list[str]) -> Column:
    kind = column["type"]
    default = column.get("default")
    return Column(
        column["name"],
        "" if str(kind) == "NULL" else str(kind),
        bool(column.get("nullable", True)),
        primary.index(column["name"]) + 1 if column["name"] in primary else 0,
        column.get("comment") or "",
        None if default is None else str(default),
        bool(column.get("computed")),
        tuple(map(str, getattr(kind, "enums", ()) or ())),
    )


def _foreign_key(key: Mapping[str, Any], schema: str) -> ForeignKey:
    target = key.get("referred_schema") or ""
    return ForeignKey(
        tuple(key["constrained_columns"]),
        key["referred_table"],
        tuple(key["referred_columns"] or ()),
        "" if target == schema else target,
    )
