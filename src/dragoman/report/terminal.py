"""A report in the terminal: tables, and bars made of block characters."""

from __future__ import annotations

from rich.console import Console
from rich.markup import escape
from rich.padding import Padding
from rich.table import Table as RichTable
from rich.text import Text

from dragoman.report.report import Part, Plot, Report, Table

_BAR_WIDTH = 24
_FIRST = 18
"""Letters of its first column that a table keeps however narrow the terminal, and of other columns of text."""
_NARROWEST = 8


def show(report: Report, console: Console) -> None:
    """Print the report. Nothing in it is read as console markup."""
    console.print(Text(report.title, style="bold"))
    if report.summary:
        console.print(Text(report.summary))
    for section in report.sections:
        console.print()
        console.print(Text(section.title, style="bold underline"))
        for part in section.parts:
            if isinstance(part, Plot) and part.tabled:
                continue
            console.print(Padding(_part(part), (1, 0, 0, 0)))


def _part(part: Part) -> RichTable | Text:
    if isinstance(part, str):
        return Text(part)
    if isinstance(part, Table):
        return _table(part)
    return _table(part.table(), _bars(part))


def _table(table: Table, bars: tuple[str, ...] = ()) -> RichTable:
    drawn = RichTable(
        title=escape(table.title) or None,
        caption=escape(table.note) or None,
        title_justify="left",
        caption_justify="left",
        title_style="bold",
    )
    texts = list(table.texts())
    for index, column in enumerate(table.columns):
        number = table.is_numeric(index)
        longest = max((len(row[index]) for row in texts), default=0)
        drawn.add_column(
            escape(column.name),
            justify="right" if number else "left",
            overflow="fold",
            min_width=longest if number else min(longest, _NARROWEST if index else _FIRST),
        )
    if bars:
        drawn.add_column("", no_wrap=True)
    for number_of_row, row in enumerate(texts):
        drawn.add_row(*map(escape, row), *bars[number_of_row : number_of_row + 1])
    return drawn


def _bars(plot: Plot) -> tuple[str, ...]:
    """One bar a row, longest for the top of the axis; none where there are several series or nothing above zero."""
    if len(plot.series) != 1:
        return ()
    values = [point.y for point in plot.series[0].points]
    top = plot.limits[1] if plot.limits else max(values, default=0.0)
    if top <= 0:
        return ()
    return tuple("█" * round(_BAR_WIDTH * max(0.0, min(1.0, value / top))) for value in values)
