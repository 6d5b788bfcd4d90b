"""A report as Markdown, plots as tables of their numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dragoman.report.report import Part, Plot, Report, Table

_SPECIAL = re.compile(r"([\\`*{}\[\]<>|#&]|(?<!\w)_|_(?!\w))")


def markdown(report: Report) -> str:
    """GitHub's Markdown. Characters that it gives a meaning are escaped."""
    lines = [f"# {_escape(report.title)}", ""]
    if report.summary:
        lines += [_escape(report.summary), ""]
    for section in report.sections:
        lines += [f"## {_escape(section.title)}", ""]
        for part in section.parts:
            if isinstance(part, Plot) and part.tabled:
                continue
            lines += [*_part(part), ""]
    return "\n".join(lines).rstrip("\n") + "\n"


def _part(part: Part) -> Iterator[str]:
    if isinstance(part, str):
        yield _escape(part)
        return
    table = part.table() if isinstance(part, Plot) else part
    if table.title:
        yield f"**{_escape(table.title)}**"
        yield ""
    yield from _table(table)
    if table.note:
        yield ""
        yield _escape(table.note)


def _table(table: Table) -> Iterator[str]:
    yield _row(column.name for column in table.columns)
    yield _rule(table)
    for row in table.texts():
        yield _row(row)


def _rule(table: Table) -> str:
    return "|" + "|".join("---:" if table.is_numeric(i) else "---" for i in range(len(table.columns))) + "|"


def _row(cells: Iterator[str] | tuple[str, ...]) -> str:
    return "| " + " | ".join(_escape(cell) for cell in cells) + " |"


def _escape(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))
