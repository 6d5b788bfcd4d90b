"""The terminal output."""

from io import StringIO

from rich.console import Console

from dragoman.report import Column, Report, Section, Table, show
from tests.report.example_report import REPORT


def test_a_narrow_terminal_keeps_names_and_numbers_whole() -> None:
    columns = (Column("Run"), *(Column(f"A long heading of number {n}", ".1%") for n in range(5)), Column("Words"))
    table = Table("t", columns, (("concert_singer", *(0.123,) * 5, "some more words here"),))
    out = StringIO()
    show(Report("r", "", (Section("s", (table,)),)), Console(file=out, width=80))
    assert "concert_singer" in out.getvalue()
    assert out.getvalue().count("12.3%") == 5


def test_shows_every_part_without_reading_markup() -> None:
    out = StringIO()
    show(REPORT, Console(file=out, width=100))
    text = out.getvalue()
    for needle in ("world|1 [red]x[/red]", "71.1%", "Pass@k", "█", "Wilson's interval"):
        assert needle in text
