"""Which results are the same."""

from __future__ import annotations

from collections.abc import Sequence

from dragoman.metrics.digest import Digest, digest_rows, digests_match
from dragoman.metrics.flags import STRICT, Flags
from dragoman.metrics.rows_match import Result, rows_match


def group_results(results: Sequence[Result | Digest | None], flags: Flags = STRICT) -> tuple[int | None, ...]:
    """Number the classes of equal results from 0, in the order of their first members; None for None.

    Classes are the connected components of equality, which is not transitive where a tolerance applies. Give the
    `Digest` of a result, not rows that were cut for display: what is truncated is comparable with nothing and stands
    alone.
    """
    root = list(range(len(results)))
    for i, left in enumerate(results):
        for j in range(i):
            right = results[j]
            if left is None or right is None or _find(root, i) == _find(root, j):
                continue
            if _equal(left, right, flags):
                _join(root, i, j)
    numbers: dict[int, int] = {}
    return tuple(
        None if result is None else numbers.setdefault(_find(root, i), len(numbers)) for i, result in enumerate(results)
    )


def _equal(left: Result | Digest, right: Result | Digest, flags: Flags) -> bool:
    if isinstance(left, Digest) or isinstance(right, Digest):
        a, b = (side if isinstance(side, Digest) else digest_rows(side) for side in (left, right))
        return digests_match(a, b, flags) is True
    return rows_match(left, right, flags)


def _find(root: list[int], node: int) -> int:
    while root[node] != node:
        node = root[node]
    return node


def _join(root: list[int], one: int, other: int) -> None:
    one, other = _find(root, one), _find(root, other)
    root[max(one, other)] = min(one, other)
