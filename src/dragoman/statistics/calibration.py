"""Does a confidence mean what it says? Error, risk against coverage, and a monotone repair."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from statistics import fmean


@dataclass(frozen=True, slots=True)
class Bin:
    """Examples of similar confidence: how many, their mean confidence and the share that is right."""

    size: int
    confidence: float
    accuracy: float


def reliability(confidences: Sequence[float], correct: Sequence[bool], bins: int = 10) -> tuple[Bin, ...]:
    """At most `bins` bins of (nearly) equal size in ascending confidence; equal confidences stay together."""
    pairs = sorted(zip(confidences, correct, strict=True))
    found: list[list[tuple[float, bool]]] = []
    for _, tied in groupby(pairs, key=lambda pair: pair[0]):
        placed = sum(map(len, found))
        if not found or placed * bins >= len(found) * len(pairs):
            found.append([])
        found[-1] += tied
    return tuple(Bin(len(b), sum(c for c, _ in b) / len(b), sum(right for _, right in b) / len(b)) for b in found)


def calibration_error(confidences: Sequence[float], correct: Sequence[bool], bins: int = 10) -> float:
    """Expected calibration error over bins of equal mass, 0 (perfect) to 1 (Nguyen and O'Connor 2015)."""
    found = reliability(confidences, correct, bins)
    total = sum(b.size for b in found)
    return sum(b.size * abs(b.confidence - b.accuracy) for b in found) / total if total else float("nan")


def risk_coverage(confidences: Sequence[float], correct: Sequence[bool]) -> tuple[tuple[float, float], ...]:
    """(share answered, share wrong among the answered), answering the most confident first.

    One point for each distinct confidence: examples of equal confidence are answered together.
    """
    pairs = sorted(zip(confidences, correct, strict=True), key=lambda pair: -pair[0])
    points, answered, wrong = [], 0, 0
    for _, tied in groupby(pairs, key=lambda pair: pair[0]):
        verdicts = [right for _, right in tied]
        answered += len(verdicts)
        wrong += len(verdicts) - sum(verdicts)
        points.append((answered / len(pairs), wrong / answered))
    return tuple(points)


def accuracy_at(confidences: Sequence[float], correct: Sequence[bool], coverage: float) -> float:
    """The share that is right among the most confident `coverage` (0 to 1) of the answers, nan without any.

    Of answers with equal confidence at the border the mean counts, so that their order does not matter.
    """
    wanted = coverage * len(correct)
    taken = right = 0.0
    for _, tied in groupby(sorted(zip(confidences, correct, strict=True), key=lambda p: -p[0]), key=lambda p: p[0]):
        verdicts = [verdict for _, verdict in tied]
        room = min(len(verdicts), wanted - taken)
        taken += room
        right += room * sum(verdicts) / len(verdicts)
    return right / taken if taken else float("nan")


def area_under_risk(points: Sequence[tuple[float, float]]) -> float:
    """Mean risk over coverage, smaller is better; each point holds for the coverage it adds."""
    area, before = 0.0, 0.0
    for coverage, risk in points:
        area += (coverage - before) * risk
        before = coverage
    return area


@dataclass(frozen=True, slots=True)
class Isotonic:
    """A non-decreasing map from score to probability, linear between `scores` (ascending) and flat outside."""

    scores: tuple[float, ...]
    values: tuple[float, ...]

    def __call__(self, score: float) -> float:
        place = bisect_right(self.scores, score)
        if place == 0:
            return self.values[0]
        if place == len(self.scores):
            return self.values[-1]
        left, right = self.scores[place - 1], self.scores[place]
        below, above = self.values[place - 1], self.values[place]
        return below + (above - below) * (score - left) / (right - left)


def isotonic(scores: Sequence[float], correct: Sequence[bool], least: int = 1, prior: float = 0.0) -> Isotonic:
    """Least-squares non-decreasing fit, by pooling adjacent violators (Ayer et al. 1955; Zadrozny and Elkan 2002).

    Neighbours are pooled from the start into blocks of at least `least` examples, each of which is counted with `prior`
    more that are right and as many that are wrong: with few examples that keeps the fit from chasing them, and
    probabilities from 0 and 1.
    """
    if not scores:
        raise ValueError("nothing to fit")
    blocks: list[tuple[float, float, list[float]]] = []
    for found in _at_least(least, sorted(zip(scores, correct, strict=True))):
        right = float(sum(verdict for _, verdict in found)) + prior
        middle = found[0][0] if found[0][0] == found[-1][0] else fmean(score for score, _ in found)
        block = (right, len(found) + 2 * prior, [middle])
        while blocks and blocks[-1][0] * block[1] >= block[0] * blocks[-1][1]:
            total, size, members = blocks.pop()
            block = (total + block[0], size + block[1], members + block[2])
        blocks.append(block)
    points = {}
    for total, size, members in blocks:
        points[members[0]] = points[members[-1]] = total / size
    return Isotonic(tuple(points), tuple(points.values()))


def _at_least(least: int, pairs: Sequence[tuple[float, bool]]) -> list[list[tuple[float, bool]]]:
    """Ascending pairs in blocks of at least `least`, equal scores together; what is left over joins the last block."""
    found: list[list[tuple[float, bool]]] = []
    for _, tied in groupby(pairs, key=lambda pair: pair[0]):
        if found and len(found[-1]) < least:
            found[-1] += tied
        else:
            found.append(list(tied))
    if len(found) > 1 and len(found[-1]) < least:
        last = found.pop()
        found[-1] += last
    return found
