from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dragoman.databases import Rows
from dragoman.metrics.digest import Bound, digest_rows
from dragoman.metrics.flags import Flags
from dragoman.metrics.groups import group_results
from dragoman.metrics.rows_match import rows_match
from tests.metrics.results import results, rows


def test_classes_are_numbered_in_candidate_order_and_failures_have_none() -> None:
    a, b = rows((1, "x")), rows((2, "y"))
    assert group_results([None, b, a, b, None, a]) == (None, 0, 1, 0, None, 1)
    assert group_results([]) == ()


def test_classes_are_connected_components_for_tolerance_is_not_transitive() -> None:
    near = Flags(relative=0, absolute=1.0)
    ends_first = [rows((0.5,)), rows((2.25,)), rows((9.5,)), rows((1.25,))]
    assert group_results(ends_first, near) == (0, 0, 1, 0)
    assert group_results([*ends_first[:3]], near) == (0, 1, 2)


def test_what_is_truncated_stands_alone() -> None:
    cut = rows((1,), truncated=True)
    assert group_results([cut, cut, rows((1,)), rows((1,))]) == (0, 1, 2, 2)


@given(st.lists(results(most_rows=2) | st.none(), max_size=5))
def test_digests_and_rows_give_the_same_classes(found: list[Rows | None]) -> None:
    classes = group_results(found)
    digests = [None if result is None else digest_rows(result) for result in found]
    assert group_results(digests) == classes
    mixed = [d if i % 2 else result for i, (d, result) in enumerate(zip(digests, found, strict=True))]
    assert group_results(mixed) == classes
    for i, left in enumerate(found):
        for j, right in enumerate(found):
            if left is not None and right is not None and rows_match(left, right):
                assert classes[i] == classes[j]


def test_identical_large_results_fall_into_one_class_without_their_rows() -> None:
    large = digest_rows(rows(*((i, f"name {i}", i * 0.37) for i in range(2000))), Bound(keep=1000))
    assert large.kept is None
    assert group_results([large] * 8) == (0,) * 8
