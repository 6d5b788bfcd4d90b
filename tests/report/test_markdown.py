"""The Markdown output."""

from dragoman.report import Column, Report, Section, Table, markdown
from tests.report.example_report import REPORT


def test_tables_and_plots_become_pipe_tables() -> None:
    text = markdown(REPORT)
    assert "| concert_singer | 45 | 71.1% | 56.5% to 82.3% |" in text
    assert "|---|---:|---:|---:|" in text
    assert "| easy | 80% | 85% |" in text


def test_what_markdown_would_read_is_escaped() -> None:
    table = Table("t", (Column("a"),), (("x | y\nz",), ("<b>*_bold_*</b>",)))
    text = markdown(Report("# r", "", (Section("s", (table,)),)))
    assert "| x \\| y z |" in text
    assert "| \\<b\\>\\*\\_bold\\_\\*\\</b\\> |" in text
    assert text.startswith("# \\# r\n")
    assert text.endswith("|\n")
