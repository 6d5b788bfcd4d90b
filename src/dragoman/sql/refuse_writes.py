"""Refuses trees that hold anything but what reads and computes: an allow-list of node types, failing closed."""

from __future__ import annotations

import re

from sqlglot import exp

from dragoman.errors import Refused
from dragoman.sql.parse import Tree
from dragoman.sql.policies import allowed_nodes

_QUERIES = (exp.Select, exp.SetOperation, exp.Subquery, exp.Values, exp.Pivot)
_READ_HINTS = frozenset(
    {"NOLOCK", "READUNCOMMITTED", "READPAST", "READCOMMITTED", "READCOMMITTEDLOCK", "FORCESEEK", "NOEXPAND"}
)
_SEQUENCE_WORDS = frozenset({"nextval", "currval"})
_REFUSED_NODES = {
    "Into": "SELECT INTO writes; only reading is allowed.",
    "Lock": "FOR UPDATE and the like lock rows; only reading is allowed.",
    "Hint": "Hints to the optimizer are not accepted: some of them change settings.",
    "Parameter": "Variables and parameters are not accepted; write the value itself.",
    "SessionParameter": "Settings of the server may not be read.",
    "NextValueFor": "Sequences may not be moved; only reading is allowed.",
    "QueryTransform": "TRANSFORM runs a program; only reading is allowed.",
}
_REFUSED_FUNCTIONS = frozenset({"NextValueFor"})


def refuse_writes(tree: Tree, dialect: str) -> None:
    """Raise `Refused` unless `tree` is SELECT-shaped and holds nothing but what reads and computes."""
    if not isinstance(tree, _QUERIES):
        raise Refused(f"Only queries may run, and this is {_words(tree)}.")
    nodes = allowed_nodes()
    for node in tree.walk():
        kind = type(node).__name__
        if kind in nodes:
            if kind in _CHECKED:
                _CHECKED[kind](node)
            elif kind == "Paren" and isinstance(node.this, exp.Alias) and dialect != "clickhouse":
                raise Refused("Only queries and expressions may stand in brackets.")
        elif not isinstance(node, exp.Func) or kind in _REFUSED_FUNCTIONS:
            raise Refused(_REFUSED_NODES.get(kind) or f"Only reading is allowed, and this query holds {_words(node)}.")


def _words(node: exp.Expr) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(node).__name__).upper()


def _check_rows(node: exp.Expr) -> None:
    if not isinstance(node.this, exp.Func | exp.Query):
        raise Refused("A table may not be named by a text.")


def _check_select(node: exp.Expr) -> None:
    if node.args.get("into") or node.args.get("locks"):
        raise Refused(_REFUSED_NODES["Into" if node.args.get("into") else "Lock"])
    if node.args.get("settings") or node.args.get("hint"):
        raise Refused("Settings and hints of a query are not accepted; they change how the server runs it.")
    if not isinstance(node, exp.Select):
        inner = [node.this, node.args.get("expression")] if isinstance(node, exp.SetOperation) else [node.this]
        if not all(isinstance(part, exp.Query | exp.Values | exp.Table | exp.Pivot) for part in inner):
            raise Refused("Only queries may stand where a query is expected.")


def _check_cte(node: exp.Expr) -> None:
    if not isinstance(node.this, exp.Query | exp.Values | exp.Table | exp.Pivot) and not node.args.get("scalar"):
        raise Refused("Only queries may stand in WITH.")


def _check_table_hint(node: exp.Expr) -> None:
    names = {hint.name.upper() for hint in node.expressions}
    if not names <= _READ_HINTS:
        raise Refused("Table hints that lock are not accepted; only reading is allowed.")


def _check_option(node: exp.Expr) -> None:
    if not isinstance(node.parent, exp.ForClause) and node.name.upper() != "MAXRECURSION":
        raise Refused("Options of the query are not accepted: some of them change settings.")


def _check_placeholder(node: exp.Expr) -> None:
    raise Refused(_REFUSED_NODES["Parameter"])


def _check_column(node: exp.Expr) -> None:
    if node.name.lower() in _SEQUENCE_WORDS and node.args.get("table") and not node.this.args.get("quoted"):
        raise Refused(_REFUSED_NODES["NextValueFor"])


_CHECKED = {
    "Select": _check_select,
    "Union": _check_select,
    "Intersect": _check_select,
    "Except": _check_select,
    "Subquery": _check_select,
    "TableFromRows": _check_rows,
    "CTE": _check_cte,
    "WithTableHint": _check_table_hint,
    "QueryOption": _check_option,
    "Placeholder": _check_placeholder,
    "Column": _check_column,
}
