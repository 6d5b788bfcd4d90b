"""Pools of candidates."""

import pytest

from dragoman.bench.line import Line
from dragoman.bench.pools import Slips, pools, slips
from tests.bench.lines import line, pool

COUNTS = {0: 116, 1: 38, 2: 58, 4: 68, 6: 267}
"""Right candidates -> pools, as DivSkill-SQL's Table 9 has them for its own method."""


def divskill() -> list[Line]:
    """547 pools whose selected answer is right 355 times, as in the paper (64.90 %)."""
    rights = [right for right, times in COUNTS.items() for _ in range(times)]
    return [
        line(str(i), "correct" if right and i >= 192 else "wrong", slots=pool(right)) for i, right in enumerate(rights)
    ]


def test_published_figures_follow_from_their_counts() -> None:
    """Pass@8 78.79, selected 64.90, gap 13.89, density 21.21 / 6.95 / 10.60 / 12.43 / 48.81 (Tables 9 and text)."""
    found = pools(divskill())
    assert found is not None
    assert (found.size, found.pools) == (8, 547)
    assert round(100 * found.oracle, 2) == 78.79
    assert round(100 * found.selected, 2) == 64.90
    assert round(100 * found.gap, 2) == 13.89
    assert [round(100 * share, 2) for share in found.density.values()] == [21.21, 6.95, 10.60, 12.43, 48.81]
    assert found.pass_at_1 == pytest.approx(sum(r * n for r, n in COUNTS.items()) / (8 * 547))


def test_slips_count_pools_solvable_pools_and_slots() -> None:
    lines = [
        line("a", slots=pool(2, 8, invalid=3)),
        line("b", "wrong", slots=pool(0, 8, invalid=1)),
        line("c", slots=pool(8)),
        line("d", "unscored", slots=pool(0, 8, invalid=5)),
    ]
    assert slips(lines, lambda slot: slot.invalid_reference) == Slips(2, 1, 4)
    assert slips(lines, lambda slot: slot.missing_function) == Slips(0, 0, 0)


def test_an_answer_without_candidates_is_a_pool_of_one() -> None:
    found = pools([line("a"), line("b", "wrong"), line("c", "unscored")])
    assert found is not None
    assert (found.size, found.pools, found.curve, found.selected) == (1, 2, (0.5,), 0.5)
    assert pools([line("c", "unscored")]) is None


def test_repeated_slots() -> None:
    twice = pool(1, 2) * 2
    found = pools([line("a", slots=twice)])
    assert found is not None
    assert found.repeated_slots == 0.5
