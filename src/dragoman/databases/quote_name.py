"""Names that reach SQL, quoted by dialect."""

from __future__ import annotations

BACKTICKS = frozenset({"mysql", "bigquery", "databricks", "spark", "hive", "clickhouse", "drill"})


def quote_name(name: str, dialect: str) -> str:
    """One identifier, quoted; any character inside stays what it is."""
    if dialect == "tsql":
        return "[" + name.replace("]", "]]") + "]"
    if dialect == "bigquery":
        return "`" + name.replace("\\", "\\\\").replace("`", "\\`") + "`"
    mark = "`" if dialect in BACKTICKS else '"'
    return mark + name.replace(mark, mark * 2) + mark
