"""The name of a CTE as its dialect compares names."""

from __future__ import annotations

from sqlglot import exp

_CASELESS = frozenset({"sqlite", "duckdb", "tsql", "bigquery", "mysql"})
_UPPER = frozenset({"snowflake", "oracle"})


def cte_name(node: exp.Expr, dialect: str) -> str:
    """The folded name of an identifier: two are the same CTE exactly where these are equal.

    Where a dialect folds names that stand without quotes, quotes keep the case: WITH "T" does not hide the table t.
    """
    if dialect in _CASELESS:
        return node.name.lower()
    if node.args.get("quoted"):
        return node.name
    return node.name.upper() if dialect in _UPPER else node.name.lower()
