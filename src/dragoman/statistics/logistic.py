"""Logistic regression with a ridge, for few features."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp
from statistics import fmean, pstdev

STEPS = 50
CLOSE = 1e-8


@dataclass(frozen=True, slots=True)
class Logistic:
    """A weight for each feature and a constant, in log odds. Called with a row it gives a probability."""

    weights: tuple[float, ...]
    constant: float

    def __call__(self, row: Sequence[float]) -> float:
        odds = self.constant + sum(w * x for w, x in zip(self.weights, row, strict=True))
        return 1 / (1 + exp(-odds)) if odds >= 0 else exp(odds) / (1 + exp(odds))


def logistic(rows: Sequence[Sequence[float]], right: Sequence[bool], ridge: float = 1.0) -> Logistic:
    """Weights of least log loss, by Newton's method.

    Features are scaled to a standard deviation of 1 for the fit; `ridge` times half the squared weights is added to
    the loss, the constant left free. A feature that never varies gets no weight.
    """
    if not rows:
        raise ValueError("nothing to fit")
    width = len(rows[0])
    means = [fmean(row[f] for row in rows) for f in range(width)]
    scales = [pstdev([row[f] for row in rows]) for f in range(width)]
    scaled = [[1.0, *((row[f] - means[f]) / scales[f] if scales[f] > 0 else 0.0 for f in range(width))] for row in rows]
    weights = [0.0] * (width + 1)
    penalties = [1e-6, *[max(ridge, 1e-6)] * width]
    for _ in range(STEPS):
        step = _newton(scaled, right, weights, penalties)
        weights = [w + s for w, s in zip(weights, step, strict=True)]
        if max(map(abs, step)) < CLOSE:
            break
    plain = [w / s if s > 0 else 0.0 for w, s in zip(weights[1:], scales, strict=True)]
    return Logistic(tuple(plain), weights[0] - sum(w * m for w, m in zip(plain, means, strict=True)))


def _newton(
    rows: Sequence[Sequence[float]], right: Sequence[bool], weights: Sequence[float], penalties: Sequence[float]
) -> list[float]:
    """The step to the least of the quadratic that touches the loss at `weights`."""
    width = len(weights)
    model = Logistic(tuple(weights), 0.0)
    slope = [-p * w for p, w in zip(penalties, weights, strict=True)]
    bend = [[penalties[i] if i == j else 0.0 for j in range(width)] for i in range(width)]
    for row, y in zip(rows, right, strict=True):
        chance = model(row)
        curve = max(chance * (1 - chance), 1e-9)
        for i, x in enumerate(row):
            slope[i] += (y - chance) * x
            line, scaled = bend[i], curve * x
            for j in range(i + 1):
                line[j] += scaled * row[j]
    for i in range(width):
        for j in range(i):
            bend[j][i] = bend[i][j]
    return _solve(bend, slope)


def _solve(matrix: list[list[float]], target: list[float]) -> list[float]:
    """Gaussian elimination with pivots; the matrix is positive definite."""
    rows = [[*line, value] for line, value in zip(matrix, target, strict=True)]
    size = len(rows)
    for i in range(size):
        pivot = max(range(i, size), key=lambda r: abs(rows[r][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for r in range(i + 1, size):
            factor = rows[r][i] / rows[i][i]
            rows[r] = [x - factor * y for x, y in zip(rows[r], rows[i], strict=True)]
    found = [0.0] * size
    for i in reversed(range(size)):
        found[i] = (rows[i][-1] - sum(rows[i][j] * found[j] for j in range(i + 1, size))) / rows[i][i]
    return found
