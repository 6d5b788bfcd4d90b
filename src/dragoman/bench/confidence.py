"""Whether a run's confidences can be trusted."""

from __future__ import annotations

from collections.abc import Sequence

from dragoman.bench.accuracy import is_right, is_scored
from dragoman.bench.line import Line
from dragoman.report import Column, Part, Plot, Point, Section, Series, Table
from dragoman.statistics import area_under_risk, calibration_error, reliability, risk_coverage


def confidence_section(lines: Sequence[Line]) -> Section | None:
    """Calibration error, reliability and risk against coverage; None where no answer has a confidence or a share."""
    scored = [line for line in lines if is_scored(line)]
    parts: list[Part] = []
    for name, values in (
        ("confidence", [line.confidence for line in scored]),
        ("share of agreeing candidates", [line.share for line in scored]),
    ):
        known = [(value, is_right(line)) for value, line in zip(values, scored, strict=True) if value is not None]
        if known:
            parts += _parts(name, [value for value, _ in known], [right for _, right in known], len(scored))
    return Section("Confidence", tuple(parts)) if parts else None


def _parts(name: str, values: list[float], right: list[bool], scored: int) -> list[Part]:
    points = risk_coverage(values, right)
    rows = (
        ("Answers with one", len(values) / scored),
        ("Expected calibration error, bins of equal size", calibration_error(values, right)),
        ("Mean risk over coverage", area_under_risk(points)),
    )
    return [
        Table(f"By {name}", (Column("Measure"), Column("Value", ".1%")), rows),
        Plot(
            f"Reliability of the {name}",
            (Series("", tuple(Point(b.confidence, b.accuracy) for b in reliability(values, right))),),
            x_label=name,
            y_label="share right",
            format=".0%",
            limits=(0, 1),
            diagonal=True,
        ),
        Plot(
            f"Risk against coverage by {name}",
            (Series("", tuple(Point(coverage, risk) for coverage, risk in points[:: 1 + len(points) // 50])),),
            x_label="share answered, most certain first",
            y_label="share wrong among them",
            format=".0%",
            note="An answer counts as given where its value reaches the threshold of the point.",
        ),
    ]
