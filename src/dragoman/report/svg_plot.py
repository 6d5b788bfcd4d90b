"""Draws a plot as SVG text. Colours are CSS variables of the page; shape and dash tell series apart without them."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from dragoman.report.axis import ticks
from dragoman.report.report import Plot, Point, text

WIDTH = 400.0
"""Units of the drawing. It is scaled to the page; on a phone one unit is a little less than one pixel."""

STYLES = 8
_LETTER = 6.0
_DASHES = ("", "6 3", "2 3", "8 3 2 3", "", "6 3", "2 3", "8 3 2 3")
_BAR = 13.0


def svg_plot(plot: Plot) -> str:
    """The drawing, with its title and text for screen readers. Every text in it is escaped."""
    body, height = (_bars if plot.kind == "bar" else _lines)(plot)
    return (
        f'<svg viewBox="0 0 {WIDTH:g} {height:g}" role="img" xmlns="http://www.w3.org/2000/svg">'
        f"<title>{escape(plot.title)}</title>{''.join(body)}</svg>"
    )


def marker(style: int, x: float, y: float) -> str:
    """The small shape that stands for series number `style`."""
    kind = style % 4
    name = f'class="s{style % STYLES} mark"'
    if kind == 0:
        return f'<circle {name} cx="{x:.1f}" cy="{y:.1f}" r="3.2"/>'
    if kind == 1:
        return f'<rect {name} x="{x - 3:.1f}" y="{y - 3:.1f}" width="6" height="6"/>'
    corners = ((0, -4), (4, 3), (-4, 3)) if kind == 2 else ((0, -4.4), (4.4, 0), (0, 4.4), (-4.4, 0))
    return f'<polygon {name} points="{" ".join(f"{x + dx:.1f},{y + dy:.1f}" for dx, dy in corners)}"/>'


def stroke(style: int) -> str:
    """Attributes of the line of series number `style`."""
    dash = _DASHES[style % STYLES]
    return f'class="s{style % STYLES} line"' + (f' stroke-dasharray="{dash}"' if dash else "")


def _lines(plot: Plot) -> tuple[list[str], float]:
    height, top, bottom = 250.0, 10.0, 208.0
    points = [point for series in plot.series for point in series.points]
    x_ticks = ticks(*_span([float(p.x) for p in points]))
    y_ticks = ticks(*(plot.limits or _span([v for p in points for v in (p.y, p.low, p.high) if v is not None])))
    left = 30 + _LETTER * max(len(text(tick, plot.format)) for tick in y_ticks)
    right = WIDTH - 14

    def x_at(value: float) -> float:
        return left + (right - left) * (value - x_ticks[0]) / (x_ticks[-1] - x_ticks[0])

    def y_at(value: float) -> float:
        return bottom - (bottom - top) * (value - y_ticks[0]) / (y_ticks[-1] - y_ticks[0])

    body = []
    for tick in y_ticks:
        y = y_at(tick)
        body.append(f'<line class="grid" x1="{left:.1f}" x2="{right:.1f}" y1="{y:.1f}" y2="{y:.1f}"/>')
        body.append(_label(left - 5, y + 4, text(tick, plot.format), "end"))
    for tick in x_ticks:
        body.append(f'<line class="axis" x1="{x_at(tick):.1f}" x2="{x_at(tick):.1f}" y1="{bottom}" y2="{bottom + 4}"/>')
        body.append(_label(x_at(tick), bottom + 17, f"{tick:g}"))
    body.append(f'<line class="axis" x1="{left:.1f}" x2="{right:.1f}" y1="{bottom}" y2="{bottom}"/>')
    if plot.diagonal:
        start, end = max(x_ticks[0], y_ticks[0]), min(x_ticks[-1], y_ticks[-1])
        ends = f'x1="{x_at(start):.1f}" y1="{y_at(start):.1f}" x2="{x_at(end):.1f}" y2="{y_at(end):.1f}"'
        body.append(f'<line class="axis" stroke-dasharray="1 3" {ends}/>')
    for style, series in enumerate(plot.series):
        placed = sorted(((x_at(float(p.x)), y_at(p.y), p) for p in series.points), key=lambda place: place[0])
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y, _ in placed)
        body.append(f'<polyline {stroke(style)} points="{path}"/>')
        for x, y, point in placed:
            if point.low is not None and point.high is not None:
                body.append(
                    f'<line class="s{style % STYLES} bound" x1="{x:.1f}" x2="{x:.1f}" '
                    f'y1="{y_at(point.low):.1f}" y2="{y_at(point.high):.1f}"/>'
                )
            body.append(f"<g>{_hint(series.name, point, plot)}{marker(style, x, y)}</g>")
    body.append(_label((left + right) / 2, bottom + 34, plot.x_label))
    middle = (top + bottom) / 2
    body.append(
        f'<text transform="rotate(-90 11 {middle})" x="11" y="{middle}" '
        f'text-anchor="middle">{escape(plot.y_label)}</text>'
    )
    return body, height


def _bars(plot: Plot) -> tuple[list[str], float]:
    categories = list(dict.fromkeys(str(point.x) for series in plot.series for point in series.points))
    points = [point for series in plot.series for point in series.points]
    axis = ticks(*(plot.limits or _span([0.0, *(v for p in points for v in (p.y, p.low, p.high) if v is not None)])))
    most = max((len(text(p.y, plot.format)) for p in points), default=1)
    left = min(0.42 * WIDTH, 16 + 1.05 * _LETTER * max(map(len, categories), default=1))
    right = WIDTH - 14 - _LETTER * most
    group = _BAR * len(plot.series) + 7
    bottom = 6 + group * len(categories)

    def x_at(value: float) -> float:
        return left + (right - left) * (min(max(value, axis[0]), axis[-1]) - axis[0]) / (axis[-1] - axis[0])

    body = []
    for tick in axis:
        x = x_at(tick)
        body.append(f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="4" y2="{bottom:.1f}"/>')
        body.append(_label(x, bottom + 13, text(tick, plot.format)))
    letters = int((left - 8) / _LETTER)
    for row, category in enumerate(categories):
        middle = 6 + group * row + (group - 7) / 2
        shown = category if len(category) <= letters else category[: letters - 1] + "…"
        body.append(_label(left - 5, middle + 4, shown, "end"))
    for style, series in enumerate(plot.series):
        for point in series.points:
            y = 6 + group * categories.index(str(point.x)) + _BAR * style
            body += _bar(point, style, (x_at(max(axis[0], 0.0)), x_at(point.y), y))
            end = x_at(point.y)
            if point.low is not None and point.high is not None:
                end = max(end, x_at(point.high))
                body.append(
                    f'<line class="whisker" x1="{x_at(point.low):.1f}" x2="{x_at(point.high):.1f}" '
                    f'y1="{y + 6:.1f}" y2="{y + 6:.1f}"/>'
                )
            value = _label(end + 4, y + 10, text(point.y, plot.format), "start")
            body.append(f"<g>{_hint(series.name, point, plot)}{value}</g>")
    body.append(f'<line class="axis" x1="{left:.1f}" x2="{left:.1f}" y1="4" y2="{bottom:.1f}"/>')
    body.append(_label((left + right) / 2, bottom + 28, plot.y_label))
    return body, bottom + 34


def _bar(point: Point, style: int, place: tuple[float, float, float]) -> Iterator[str]:
    zero, end, y = place
    yield (
        f'<rect class="s{style % STYLES} bar" x="{min(zero, end):.1f}" y="{y:.1f}" '
        f'width="{max(abs(end - zero), 0.5):.1f}" height="{_BAR - 2}"/>'
    )


def _span(values: list[float]) -> tuple[float, float]:
    return (min(values), max(values)) if values else (0.0, 1.0)


def _label(x: float, y: float, label: str, anchor: str = "middle") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(label)}</text>'


def _hint(name: str, point: Point, plot: Plot) -> str:
    where = point.x if isinstance(point.x, str) else f"{point.x:g}"
    bounds = "" if point.low is None or point.high is None else f" ({text((point.low, point.high), plot.format)})"
    return f"<title>{escape(f'{name} {where}: {text(point.y, plot.format)}{bounds}'.strip())}</title>"
