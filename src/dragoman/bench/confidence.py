"""Whether a run's confidences can be trusted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dragoman.bench.accuracy import is_right, is_scored
from dragoman.bench.calibrate import held_out_confidence, unseen
from dragoman.bench.line import Key, Line
from dragoman.ensemble.selector import read_selector
from dragoman.report import Column, Part, Plot, Point, Section, Series, Table
from dragoman.statistics import accuracy_at, area_under_risk, calibration_error, reliability, risk_coverage


def confidence_section(lines: Sequence[Line]) -> Section | None:
    """Calibration error, reliability and risk against coverage; None where no answer has a confidence or a share.

    Where candidates were kept, also of a confidence that is fitted here to the databases of the other folds; lines of
    databases that the selector was trained on have none.
    """
    scored = [line for line in lines if is_scored(line)]
    fitted = _fitted(scored) if any(len(line.slots) > 1 for line in scored) else {}
    parts: list[Part] = []
    for name, values in (
        ("confidence", [line.confidence for line in scored]),
        ("share of agreeing candidates", [line.share for line in scored]),
        ("confidence fitted to other databases", [fitted.get(line.key) for line in scored]),
    ):
        known = [(value, is_right(line)) for value, line in zip(values, scored, strict=True) if value is not None]
        if known:
            parts += _parts(name, [value for value, _ in known], [right for _, right in known], len(scored))
    return Section("Confidence", tuple(parts)) if parts else None


def _fitted(scored: Sequence[Line]) -> Mapping[Key, float]:
    selector = read_selector()
    return held_out_confidence(unseen(scored, selector), selector)


def _parts(name: str, values: list[float], right: list[bool], scored: int) -> list[Part]:
    points = risk_coverage(values, right)
    accuracy = sum(right) / len(right)
    rows = (
        ("Answers with one", len(values) / scored),
        ("Expected calibration error, 10 bins of equal size", calibration_error(values, right)),
        ("Mean risk over coverage", area_under_risk(points)),
        ("Right at full coverage", accuracy),
        ("Right at half coverage", accuracy_at(values, right, 0.5)),
        ("Right at half coverage, ideal order", min(1.0, accuracy / 0.5)),
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
