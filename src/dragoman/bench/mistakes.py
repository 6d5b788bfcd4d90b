"""The answers of a run that are not right, each with the gold query and why."""

from __future__ import annotations

from collections.abc import Sequence

from dragoman.bench.accuracy import is_right
from dragoman.bench.line import Line
from dragoman.report import Column, Section, Table

_MOST = 30
"""Answers that a report shows; a page of hundreds would hide what stands around it."""


def mistakes_section(lines: Sequence[Line]) -> Section | None:
    """The first answers of the first repeat that are not right, in the order of the run; None where all are."""
    found = [line for line in lines if line.repeat == 0 and not is_right(line)]
    if not found:
        return None
    left_out = f"The first {_MOST} of {len(found):,}. " if len(found) > _MOST else ""
    columns = (Column("Question"), Column("Gold"), Column("Answer"), Column("Why"))
    rows = tuple((line.question, line.gold, line.sql or line.text, _why(line)) for line in found[:_MOST])
    return Section("What is not right", (Table("", columns, rows, f"{left_out}All are in results.jsonl."),))


def _why(line: Line) -> str:
    verdict = line.verdict.replace("_", " ")
    if not line.reason:
        return verdict
    return line.reason if verdict == "wrong" else f"{verdict}: {line.reason}"
