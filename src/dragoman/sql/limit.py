"""Caps the rows of a query in its text."""

from __future__ import annotations

from sqlglot import exp

from dragoman.sql.parse import parse
from dragoman.sql.statements import first_statement

_FETCH = frozenset({"oracle", "db2", "teradata"})


def limit_rows(sql: str, rows: int, dialect: str) -> str:
    """The query with at most `rows` rows, by LIMIT, TOP or FETCH as the dialect has it; semicolons are stripped.

    A query that already asks for no more stays as it is, and so does one that cannot be capped in its text without
    changing what it means (EXPLAIN, VALUES on SQLite, a limit that is not a number, LIMIT BY, WITH TIES): reading
    only so many rows from the cursor is what holds then. All but the cap is as it was written. Raises `Unreadable`.
    """
    if rows < 0:
        raise ValueError("rows must not be negative")
    text = first_statement(sql, dialect)
    tree = parse(text, dialect)
    if not isinstance(tree, exp.Query) or any(tree.args.get(key) for key in ("settings", "format", "for_", "options")):
        return text
    limit = tree.args.get("limit")
    if limit is not None:
        return _tightened(tree, limit, rows, dialect) or text
    if dialect == "tsql":
        return _top(tree, rows)
    if text.startswith("(") and dialect == "sqlite":
        return text
    if dialect in _FETCH:
        return f"{text}\nFETCH FIRST {rows} ROWS ONLY"
    if tree.args.get("offset") and dialect != "postgres":
        return tree.limit(rows, copy=True).sql(dialect=dialect)
    return f"{text}\nLIMIT {rows}"


def _tightened(tree: exp.Query, limit: exp.Expr, rows: int, dialect: str) -> str | None:
    """The query with its own limit lowered to `rows`, None where it asks for no more or cannot be judged."""
    count = limit.args.get("count") if isinstance(limit, exp.Fetch) else limit.args.get("expression")
    if count is None:
        return None
    plain = isinstance(count, exp.Literal) and not count.is_string and count.name.isdigit()
    options = limit.args.get("limit_options")
    special = limit.args.get("expressions") or (
        options and (options.args.get("percent") or options.args.get("with_ties"))
    )
    if not plain or special or int(count.name) <= rows:
        return None
    copy = tree.copy()
    own = copy.args["limit"]
    own.set("count" if isinstance(own, exp.Fetch) else "expression", exp.Literal.number(rows))
    return copy.sql(dialect=dialect)


def _top(tree: exp.Query, rows: int) -> str:
    """SQL Server: TOP in a SELECT, FETCH behind an OFFSET; a set operation has no place for either."""
    if tree.args.get("offset"):
        copy = tree.copy()
        copy.set("limit", exp.Fetch(direction="FIRST", count=exp.Literal.number(rows)))
        return copy.sql(dialect="tsql")
    if isinstance(tree, exp.Select):
        return tree.limit(rows, copy=True).sql(dialect="tsql")
    return tree.sql(dialect="tsql")
