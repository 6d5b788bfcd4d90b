"""EXPLAIN in front of a query, which sqlglot does not read the same way in every dialect."""

from __future__ import annotations

import re
from dataclasses import dataclass

_GAP = r"(?:\s|--[^\n]*(?:\n|\Z)|/\*.*?\*/)"
_OPTION = (
    r"(?:ANALY[ZS]E|VERBOSE|QUERY\s+PLAN|QUERY\s+TREE|EXTENDED|PARTITIONS|PLAN|AST|SYNTAX|PIPELINE|ESTIMATE|LOGICAL|DISTRIBUTED"
    r"|USING\s+\w+|FORMAT\s*=?\s*\w+|TYPE\s+\w+)"
)
_LIST = (
    r"\(\s*(?:ANALY[ZS]E|VERBOSE|COSTS|SETTINGS|GENERIC_PLAN|BUFFERS|WAL|TIMING|SUMMARY|MEMORY|SERIALIZE|FORMAT|TYPE)\b"
    r"[\w\s,]*\)"
)
_EXPLAIN = re.compile(
    rf"(?P<lead>\ufeff?(?:{_GAP}|;)*+)(?P<explain>EXPLAIN\b(?:{_GAP}++(?:{_OPTION}\b|{_LIST})|{_GAP}*+{_LIST})*+){_GAP}*+",
    re.IGNORECASE | re.DOTALL,
)
_RUNS = re.compile(r"\bANALY[ZS]E\b(?!\s+(?:OFF|FALSE|0)\b)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Explain:
    """Where EXPLAIN starts and where the query after it does; `runs` for ANALYZE, which executes the query."""

    start: int
    end: int
    runs: bool


def explain(sql: str) -> Explain | None:
    """The EXPLAIN with its options that the text begins with, None where it begins otherwise."""
    match = _EXPLAIN.match(sql)
    if match is None:
        return None
    return Explain(match.start("explain"), match.end(), bool(_RUNS.search(match["explain"])))
