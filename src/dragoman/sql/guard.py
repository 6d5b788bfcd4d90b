"""The first lock of the read-only guard: policy on the tree, failing closed."""

from __future__ import annotations

from sqlglot import exp

from dragoman.errors import Refused
from dragoman.schema import Schema
from dragoman.sql.parse import Tree, parse

_QUERIES = (exp.Select, exp.SetOperation, exp.Subquery, exp.Values)
_FORBIDDEN = (
    exp.DDL,
    exp.DML,
    exp.Command,
    exp.Into,
    exp.Lock,
    exp.Set,
    exp.Use,
    exp.Pragma,
    exp.Attach,
    exp.Detach,
    exp.Transaction,
    exp.Commit,
    exp.Rollback,
    exp.Kill,
    exp.Copy,
)


def guard(sql: str, schema: Schema, dialect: str) -> None:
    """Return if `sql` is one query that only reads; raise `Refused` with the reason in one sentence if not."""
    tree = parse(sql, dialect)
    if isinstance(tree, exp.Describe):
        if tree.args.get("style"):
            raise Refused("EXPLAIN ANALYZE runs the query; use EXPLAIN.")
        tree = tree.this
    refuse_writes(tree)


def refuse_writes(tree: Tree) -> None:
    """Raise `Refused` unless `tree` is SELECT-shaped and nothing in it writes or locks."""
    if not isinstance(tree, _QUERIES):
        raise Refused(f"Only queries may run, and this is {type(tree).__name__.upper()}.")
    for node in tree.walk():
        if isinstance(node, _FORBIDDEN) and not isinstance(node, exp.Query):
            raise Refused(f"Only reading is allowed, and this statement holds {type(node).__name__.upper()}.")
