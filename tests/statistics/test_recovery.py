"""Recovery of what abbreviation cost."""

import pytest

from dragoman.statistics import recovery


@pytest.mark.parametrize(
    ("clean", "degraded", "refined", "percent"),
    [(72.77, 70.87, 73.43, 134.7), (80.41, 76.73, 79.21, 67.4), (63.79, 59.59, 60.22, 15.0)],
)
def test_table_ii(clean: float, degraded: float, refined: float, percent: float) -> None:
    """EGRefine, Table II: C3, DIN-SQL, MAC-SQL."""
    share = recovery(degraded, refined, clean)
    assert share is not None
    assert round(100 * share, 1) == percent


def test_nothing_lost_nothing_to_recover() -> None:
    assert recovery(0.5, 0.6, 0.5) is None
