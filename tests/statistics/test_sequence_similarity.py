from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from dragoman.statistics import pair_similarities, similarity, similarity_matrix

SEQUENCES = st.lists(st.sampled_from("abc"), max_size=8).map(tuple)


@given(SEQUENCES, SEQUENCES)
def test_similarity_is_symmetric_and_1_for_equal_sequences_alone(a: tuple[str, ...], b: tuple[str, ...]) -> None:
    assert similarity(a, b) == similarity(b, a)
    assert 0 <= similarity(a, b) <= 1
    assert (similarity(a, b) == 1) == (a == b)


def test_a_run_is_compared_on_the_questions_that_both_answered() -> None:
    one, other = {"q1": ("a", "b"), "q2": ("a",)}, {"q1": ("a", "c"), "q3": ("a",)}
    assert pair_similarities(one, other) == (0.5,)
    matrix = similarity_matrix({"one": one, "other": other, "none": {}})
    assert matrix[0][:2] == (1.0, 0.5)
    assert all(map(math.isnan, matrix[2]))
