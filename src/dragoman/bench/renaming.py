"""How a run over renamed schemas went: where names were touched, and whether answers use the new ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dragoman.bench.accuracy import accuracy
from dragoman.bench.line import Line
from dragoman.report import Column, Part, Section, Table


def renaming_section(lines: Sequence[Line], record: Mapping[str, Any]) -> Section | None:
    """Accuracy where the gold touches a renamed name and where not; None for a set without renaming."""
    renamed: Mapping[str, Mapping[str, str]] = record["dataset"].get("renamed", {})
    if not renamed:
        return None
    rows = []
    for name, part in subsets(lines):
        found = accuracy(part)
        rows.append((name, found.scored, found.right, found.share, (found.interval.low, found.interval.high)))
    columns = (Column("Gold"), Column("Examples"), Column("Right"), Column("Accuracy", ".1%"))
    table = Table("By what the gold touches", (*columns, Column("95 % interval", ".1%")), tuple(rows))
    parts: list[Part] = [table, coverage_table(renamed, record["dataset"].get("columns", {}))]
    told = [line.uses for line in lines if line.uses is not None]
    if told:
        parts.append(
            f"{sum(told):,} of {len(told):,} answers that can be read use a renamed name ({sum(told) / len(told):.1%})."
        )
    return Section("Renamed names", tuple(parts))


def subsets(lines: Sequence[Line]) -> list[tuple[str, list[Line]]]:
    """Lines whose gold touches a renamed name, and lines whose gold does not; empty ones left out."""
    parts = [
        ("touches a renamed name", [line for line in lines if line.touches is True]),
        ("touches none", [line for line in lines if line.touches is False]),
    ]
    return [(name, part) for name, part in parts if part]


def coverage_table(renamed: Mapping[str, Mapping[str, str]], columns: Mapping[str, int]) -> Table:
    """Which share of all columns was renamed, by database and over all (EGRefine, section VI-B)."""
    rows: list[tuple[str, int, int | None, float | None]] = []
    for database, names in renamed.items():
        changed, total = sum("." in name for name in names), columns.get(database)
        rows.append((database, changed, total, changed / total if total else None))
    changed = sum(row[1] for row in rows)
    known = [row[2] for row in rows]
    total = None if None in known else sum(n for n in known if n is not None)
    rows.append(("all", changed, total, changed / total if total else None))
    heads = (Column("Database"), Column("Renamed columns"), Column("Columns"), Column("Coverage", ".1%"))
    return Table("Coverage", heads, tuple(rows))
