"""The HTML page."""

import re
from html.parser import HTMLParser
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from dragoman.report import Column, Plot, Point, Report, Section, Series, Table, html_page, svg_plot
from tests.report.example_report import BARS, CALIBRATION, LINES, REPORT

VOID = {"meta", "br", "line", "rect", "circle", "polygon", "polyline"}
TEXTS = st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=20)
SHARES = st.floats(0, 1)


class Reader(HTMLParser):
    """Checks that elements close in order; collects names, attributes and text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(page)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def test_nothing_is_fetched_and_nothing_runs() -> None:
    page = html_page(REPORT)
    reader = Reader(page)
    tags = {tag for tag, _ in reader.seen}
    assert not tags & {"script", "link", "img", "iframe", "object", "embed", "form", "base"}
    for _, attributes in reader.seen:
        assert not {"src", "srcset", "action"} & attributes.keys()
        assert not any(name.startswith("on") for name in attributes)
        assert (attributes.get("href") or "#").startswith("#")
    assert not re.search(r"url\(|@import|http(?!://www\.w3\.org/2000/svg)", page)


def test_every_value_is_on_the_page() -> None:
    texts = " ".join(Reader(html_page(REPORT)).texts)
    for needle in ("spider dev: zero_shot", "<script>alert(1)</script>", "71.1%", "56.5% to 82.3%", "divskill & co"):
        assert needle in texts


def test_readable_on_a_phone() -> None:
    reader = Reader(html_page(REPORT))
    metas = [attributes for tag, attributes in reader.seen if tag == "meta"]
    assert any(a.get("name") == "viewport" and "width=device-width" in (a.get("content") or "") for a in metas)
    tables = sum(tag == "table" for tag, _ in reader.seen)
    scrolls = sum(attributes.get("class") == "scroll" for _, attributes in reader.seen)
    assert tables == scrolls > 0


@given(TEXTS, TEXTS, st.lists(SHARES, min_size=1, max_size=4))
def test_no_text_breaks_the_markup(name: str, category: str, values: list[float]) -> None:
    points = tuple(Point(f"{category}{i}", value, value / 2, 1.0) for i, value in enumerate(values))
    bars = Plot(name, (Series(name, points), Series(category, points)), "bar", x_label=category, y_label=name)
    table = Table(name, (Column(category), Column(name, ".1%")), ((name, 0.5), (category, None)), category)
    reader = Reader(html_page(Report(name, category, (Section(name, (category, table, bars)),))))
    if name.strip():
        assert name in reader.texts


@given(st.lists(st.tuples(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6)), max_size=6), st.booleans())
def test_any_points_can_be_drawn(pairs: list[tuple[float, float]], diagonal: bool) -> None:
    lines = Plot("p", (Series("a", tuple(Point(x, y) for x, y in pairs)),), diagonal=diagonal)
    bars = Plot("p", (Series("a", tuple(Point(str(x), y) for x, y in pairs)),), "bar")
    for plot in (lines, bars):
        drawing = svg_plot(plot)
        ElementTree.fromstring(drawing)
        assert "nan" not in drawing


def test_bar_length_is_the_value() -> None:
    root = ElementTree.fromstring(svg_plot(BARS))
    widths = [float(e.attrib["width"]) for e in root.iter() if "bar" in e.attrib.get("class", "")]
    values = [point.y for series in BARS.series for point in series.points]
    scale = widths[0] / values[0]
    assert all(abs(width - scale * value) < 0.2 for width, value in zip(widths, values, strict=True))


def test_series_differ_in_more_than_colour() -> None:
    root = ElementTree.fromstring(svg_plot(LINES))
    lines = [e.attrib.get("stroke-dasharray") for e in root.iter() if "polyline" in e.tag]
    assert len(lines) == 5
    assert len(set(lines[:4])) == 4
    shapes = {e.tag for e in root.iter() if "mark" in e.attrib.get("class", "")}
    assert len(shapes) == 3


def test_the_diagonal_lies_where_x_is_y() -> None:
    dashed = [
        e for e in ElementTree.fromstring(svg_plot(CALIBRATION)).iter() if e.attrib.get("stroke-dasharray") == "1 3"
    ]
    assert len(dashed) == 1
