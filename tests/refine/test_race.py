"""The race decides as the exhaustive schedule does, and asks nothing twice or in vain."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from dragoman.refine.race import BEHIND, TOO_FEW, TOO_MANY_BROKEN, exhaustive, race

Table = list[list[bool | None]]


def tables() -> st.SearchStrategy[Table]:
    cells = st.integers(0, 14)
    verdict = st.sampled_from([True, False] * 12 + [None])
    return cells.flatmap(lambda n: st.lists(st.lists(verdict, min_size=n, max_size=n), min_size=1, max_size=5))


class Book:
    """Answers from a table, and what was asked."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.asked: Counter[tuple[int, int]] = Counter()

    def __call__(self, name: int, cells: Sequence[int]) -> list[bool | None]:
        self.asked.update((name, cell) for cell in cells)
        return [self.table[name][cell] for cell in cells]


@given(tables(), st.integers(1, 6), st.sampled_from([1, 1, 3, 8]))
def test_the_decision_is_the_exhaustive_one(table: Table, need: int, at_once: int) -> None:
    names, cells = range(1, len(table)), len(table[0])
    book, every = Book(table), Book(table)
    outcome = race(names, cells, need, book, at_once)
    assert outcome.winner == exhaustive(names, cells, need, every)
    assert max(book.asked.values(), default=1) == 1
    assert book.asked.total() <= every.asked.total()
    for name, standing in outcome.standings.items():
        assert standing.answers.items() <= {c: a for c, a in enumerate(table[name]) if a is not None}.items()
    if outcome.winner:
        won = outcome.standings[outcome.winner]
        assert len(won.answers) == cells
        assert won.gain == sum(map(bool, table[outcome.winner])) - sum(map(bool, table[0])) >= need
        assert [n for n in names if not outcome.standings[n].lost] == [outcome.winner]


@given(tables(), st.integers(1, 4))
def test_the_second_best_is_found_when_the_best_is_left_out(table: Table, need: int) -> None:
    names, cells = range(1, len(table)), len(table[0])
    first = race(names, cells, need, Book(table)).winner
    rest = [name for name in names if name != first]
    assert race(rest, cells, need, Book(table)).winner == exhaustive(rest, cells, need, Book(table))


def test_a_name_that_cannot_repair_enough_is_not_asked_what_the_original_knows() -> None:
    table = Book([[True] * 6 + [False] * 4, [True] * 6 + [False] * 4])
    outcome = race([1], 10, 2, table)
    assert outcome.winner == 0
    assert outcome.standings[1].lost == TOO_FEW
    assert outcome.asked == 10 + 3


def test_why_a_name_lost_is_told() -> None:
    original = [True] * 5 + [False] * 5
    breaks = [False] * 4 + [True] + [True] * 5
    good = [True] * 5 + [True] * 3 + [False] * 2
    better = [True] * 10
    outcome = race([1, 2, 3], 10, 2, Book([original, breaks, good, better]))
    assert outcome.winner == 3
    assert [outcome.standings[n].lost for n in (1, 2, 3)] == [BEHIND, BEHIND, ""]
    assert race([1], 10, 2, Book([original, breaks])).standings[1].lost == TOO_MANY_BROKEN
    assert race([1, 2], 10, 2, Book([original, breaks, good])).winner == 2


def test_nothing_is_asked_where_the_original_leaves_too_little_room() -> None:
    outcome = race([1, 2], 4, 2, Book([[True, True, True, False], [True] * 4, [True] * 4]))
    assert (outcome.winner, outcome.asked) == (0, 4)
