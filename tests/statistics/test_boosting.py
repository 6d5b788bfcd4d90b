from __future__ import annotations

import json
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.statistics.boosting import Boosted, Boosting, Split, boosted, read_boosted


def made(count: int, seed: int) -> tuple[list[list[float | None]], list[bool]]:
    """Rows that are right where the first feature is high or the second unknown; the third says nothing."""
    random = Random(seed)
    rows: list[list[float | None]] = []
    right = []
    for _ in range(count):
        a, b, noise = random.random(), random.random() if random.random() < 0.7 else None, random.random()
        rows.append([a, b, noise])
        right.append(random.random() < (0.9 if a > 0.6 or b is None else 0.1))
    return rows, right


def test_it_finds_the_threshold_and_what_unknown_means() -> None:
    model = boosted(*made(2000, 0))
    assert model([0.9, 0.5, 0.5]) > 0.8
    assert model([0.1, 0.5, 0.5]) < 0.2
    assert model([0.1, None, 0.5]) > 0.8


def test_probabilities_hold_on_rows_not_seen() -> None:
    rows, right = made(2000, 1)
    model = boosted(*made(2000, 0))
    sure = [y for row, y in zip(rows, right, strict=True) if model(row) > 0.8]
    assert abs(sum(sure) / len(sure) - 0.9) < 0.05


def test_without_anything_to_learn_it_says_how_often_all_are_right() -> None:
    model = boosted([[1.0], [1.0], [1.0], [1.0]], [True, True, True, False])
    assert model([1.0]) == pytest.approx(3 / 4, abs=0.05)
    assert all(not isinstance(tree, Split) for tree in model.trees)
    with pytest.raises(ValueError, match="nothing"):
        boosted([], [])


def test_it_is_deterministic_and_survives_json() -> None:
    rows, right = made(300, 2)
    model = boosted(rows, right, Boosting(rounds=10))
    assert model == boosted(rows, right, Boosting(rounds=10))
    again = read_boosted(json.loads(json.dumps(model.record())), len(rows[0]))
    assert [again(row) for row in rows] == pytest.approx([model(row) for row in rows], abs=1e-4)


@given(
    st.lists(
        st.tuples(st.one_of(st.none(), st.floats(-1e6, 1e6)), st.integers(-3, 3).map(float), st.booleans()), min_size=1
    )
)
def test_any_rows_give_probabilities(found: list[tuple[float | None, float, bool]]) -> None:
    model = boosted([[a, b] for a, b, _ in found], [y for _, _, y in found], Boosting(rounds=3, least=1))
    assert isinstance(model, Boosted)
    assert all(0 <= model([a, b]) <= 1 for a, b, _ in found)
