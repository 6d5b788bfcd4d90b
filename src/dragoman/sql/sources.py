"""What may stand in FROM beside tables of the schema and queries."""

from __future__ import annotations

import re
from typing import TypeGuard

from sqlglot import exp

from dragoman.sql.binding import Columns

_SEQUENCE = re.compile(r"seq_\d+_to_\d+(_step_\d+)?", re.IGNORECASE)


def is_bracketed_join(node: exp.Expr) -> TypeGuard[exp.Subquery]:
    """Whether the node is a join in brackets, such as `((a JOIN b) JOIN c)`, and not a query in brackets."""
    if not isinstance(node, exp.Subquery):
        return False
    inner = node.this
    if isinstance(inner, exp.Subquery):
        return bool(inner.args.get("alias") or inner.args.get("joins")) or is_bracketed_join(inner)
    return isinstance(inner, exp.Table)


def unlisted_table(name: str, dialect: str) -> Columns | None:
    """The columns of a table that engines have without listing it, None where the name is no such table's.

    DUAL has one row and no column to speak of; MariaDB's `seq_1_to_9` counts.
    """
    if name.lower() == "dual" and dialect in ("mysql", "oracle", "snowflake"):
        return {}
    if dialect == "mysql" and _SEQUENCE.fullmatch(name):
        return {"seq": ("seq", ())}
    return None


def search_columns(clause: exp.With) -> Columns:
    """The columns that SEARCH .. SET and CYCLE .. SET .. USING add to the last query of a WITH."""
    found = [clause.args.get("search"), clause.args.get("cycle")]
    names = [item.args.get(key) for item in found if item is not None for key in ("expression", "using")]
    return {name.name.lower(): (name.name, ()) for name in names if isinstance(name, exp.Identifier)}
