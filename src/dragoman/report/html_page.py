"""One self-contained HTML page: nothing in it is fetched, nothing in it runs."""

from __future__ import annotations

from html import escape
from importlib.resources import files
from string import Template

from dragoman.report.report import Part, Plot, Report, Section, Table
from dragoman.report.svg_plot import marker, stroke, svg_plot


def html_page(report: Report) -> str:
    """The report as an HTML document; every text of it is escaped."""
    here = files("dragoman.report")
    links = "".join(f'<a href="#part-{n}">{escape(s.title)}</a>' for n, s in enumerate(report.sections, 1))
    return Template(here.joinpath("page.html").read_text(encoding="utf-8")).substitute(
        title=escape(report.title),
        style=here.joinpath("page.css").read_text(encoding="utf-8").rstrip(),
        summary=f'<p class="summary">{escape(report.summary)}</p>' if report.summary else "",
        contents=f"<nav>{links}</nav>" if len(report.sections) > 1 else "",
        sections="\n".join(_section(section, n) for n, section in enumerate(report.sections, 1)),
    )


def _section(section: Section, number: int) -> str:
    parts = "\n".join(map(_part, section.parts))
    return f'<section>\n<h2 id="part-{number}">{escape(section.title)}</h2>\n{parts}\n</section>'


def _part(part: Part) -> str:
    if isinstance(part, str):
        return f"<p>{escape(part)}</p>"
    if isinstance(part, Table):
        title = f"<h3>{escape(part.title)}</h3>" if part.title else ""
        return f'<section class="table">{title}{_table(part)}{_note(part.note)}</section>'
    return _figure(part)


def _figure(plot: Plot) -> str:
    numbers = "" if plot.tabled else f"<details><summary>The numbers</summary>{_table(plot.table())}</details>"
    return (
        f"<figure><figcaption>{escape(plot.title)}</figcaption>{_legend(plot)}{svg_plot(plot)}"
        f"{_note(plot.note)}{numbers}</figure>"
    )


def _legend(plot: Plot) -> str:
    if len(plot.series) < 2:
        return ""
    entries = []
    for style, series in enumerate(plot.series):
        line = f'<line {stroke(style)} x1="0" x2="28" y1="6" y2="6"/>{marker(style, 14, 6)}'
        block = f'<rect class="s{style % 8} bar" x="4" y="1" width="20" height="10"/>'
        key = block if plot.kind == "bar" else line
        entries.append(f'<li><svg viewBox="0 0 28 12" aria-hidden="true">{key}</svg>{escape(series.name)}</li>')
    return f'<ul class="legend">{"".join(entries)}</ul>'


def _table(table: Table) -> str:
    kinds = [' class="number"' if table.is_numeric(i) else "" for i in range(len(table.columns))]
    head = "".join(f'<th scope="col"{kind}>{escape(c.name)}</th>' for c, kind in zip(table.columns, kinds, strict=True))
    rows = []
    for first, *others in table.texts():
        cells = "".join(f"<td{kind}>{escape(cell)}</td>" for cell, kind in zip(others, kinds[1:], strict=True))
        rows.append(f'<tr><th scope="row">{escape(first)}</th>{cells}</tr>')
    return f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table></div>'


def _note(note: str) -> str:
    return f'<p class="note">{escape(note)}</p>' if note else ""
