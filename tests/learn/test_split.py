"""Nothing held out is trained on."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.errors import SetupError
from dragoman.learn import Sizes, split
from dragoman.questions import Example, Question


def examples(count: int, databases: int) -> list[Example]:
    return [Example(Question(f"{n}?", id=f"q{n}"), "SELECT 1", f"d{n % databases}") for n in range(count)]


@given(st.integers(6, 500), st.integers(1, 12), st.integers(0, 99))
def test_parts_are_disjoint(count: int, databases: int, seed: int) -> None:
    found = split(examples(count, databases), seed=seed)
    trained = [item.example.question.id for batch in found.batches for item in batch]
    held = [example.question.id for example in found.held_out]
    assert held
    assert len({*trained, *held}) == len(trained) + len(held)
    assert all({item.part for item in batch} == {"train", "val"} for batch in found.batches)
    if found.by_database:
        assert not {e.database for e in found.held_out} & {i.example.database for b in found.batches for i in b}


def test_the_papers_sizes() -> None:
    found = split(examples(500, 1), Sizes())
    assert [len(batch) for batch in found.batches] == [100, 100, 100]
    assert [sum(item.part == "val" for item in batch) for batch in found.batches] == [30, 30, 30]
    assert len(found.held_out) == 80


def test_too_little_is_said() -> None:
    with pytest.raises(SetupError, match="learning needs 6"):
        split(examples(5, 1))
