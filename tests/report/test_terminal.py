"""The terminal output."""

from io import StringIO

from rich.console import Console

from dragoman.report import show
from tests.report.example_report import REPORT


def test_shows_every_part_without_reading_markup() -> None:
    out = StringIO()
    show(REPORT, Console(file=out, width=100))
    text = out.getvalue()
    for needle in ("world|1 [red]x[/red]", "71.1%", "Pass@k", "█", "Wilson's interval"):
        assert needle in text
