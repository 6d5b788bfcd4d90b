"""Reports: the same tables and plots as one HTML page, Markdown, or text in the terminal."""

from dragoman.report.html_page import html_page
from dragoman.report.markdown import markdown
from dragoman.report.report import Cell, Column, Part, Plot, Point, Report, Section, Series, Table, text
from dragoman.report.svg_plot import svg_plot
from dragoman.report.terminal import show

__all__ = [
    "Cell",
    "Column",
    "Part",
    "Plot",
    "Point",
    "Report",
    "Section",
    "Series",
    "Table",
    "html_page",
    "markdown",
    "show",
    "svg_plot",
    "text",
]
