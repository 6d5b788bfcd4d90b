"""What a statement is, told by DuckDB's own parser."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import duckdb

from dragoman.errors import QueryError

EXPLAIN = re.compile(r"\s*EXPLAIN\s+(?:ANALYZE\s+)?(?:\([^()]*\)\s*)?", re.IGNORECASE)
WRITING = re.compile(r"\b(?:COPY|INSERT|UPDATE|DELETE|MERGE)\b", re.IGNORECASE)
READING_NODES = frozenset({"SELECT_NODE", "SET_OPERATION_NODE", "RECURSIVE_CTE_NODE", "CTE_NODE"})


def check_statement(session: duckdb.DuckDBPyConnection, sql: str) -> None:
    """Raise `QueryError` unless `sql` is one query, or EXPLAIN of one, that writes nowhere inside.

    DuckDB lets INSERT, UPDATE, DELETE and COPY TO stand in a WITH, under a statement that it calls SELECT; the tree
    shows them. A PIVOT without IN has no such tree, so it must not contain those words at all.
    """
    sql.encode()
    statements = session.extract_statements(sql)
    if len(statements) != 1:
        raise QueryError(f"One statement can be run, not {len(statements)}.")
    kind = statements[0].type.name
    explained = EXPLAIN.match(sql)
    if kind == "EXPLAIN" and explained:
        return check_statement(session, sql[explained.end() :])
    if kind == "MULTI" and not WRITING.search(sql):
        return None
    if kind != "SELECT":
        raise QueryError(f"Only queries can be run, not {kind} statements.")
    tree = _tree(session, sql)
    if tree["error"] and WRITING.search(sql):
        raise QueryError("Only queries can be run, and this one has no tree that would show whether it writes.")
    for node in _nodes(tree):
        name = str(node.get("type", ""))
        if name.endswith("_NODE") and name not in READING_NODES:
            raise QueryError(f"Only queries can be run, not {name.split('_')[0]} inside one.")
    return None


def qualify(session: duckdb.DuckDBPyConnection, sql: str) -> str:
    """The query with `schema.table` written as `database.schema.table`, out of reach of temporary views."""
    database = session.execute("SELECT current_database()").fetchall()[0][0]
    tree = _tree(session, sql)
    if tree["error"]:
        raise QueryError(f"DuckDB cannot read this view: {tree.get('error_message', '')}.")
    for node in _nodes(tree):
        path = node.get("qualified_name", {}).get("path", []) if node.get("type") == "BASE_TABLE" else []
        if len(path) == 2:
            path.insert(0, database)
    return str(session.execute("SELECT json_deserialize_sql(?::JSON)", [json.dumps(tree)]).fetchall()[0][0])


def _tree(session: duckdb.DuckDBPyConnection, sql: str) -> Any:
    return json.loads(session.execute("SELECT json_serialize_sql(?)", [sql]).fetchall()[0][0])


def _nodes(tree: Any) -> Iterator[dict[str, Any]]:
    pending = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, dict):
            yield node
            pending.extend(node.values())
        elif isinstance(node, list):
            pending.extend(node)
