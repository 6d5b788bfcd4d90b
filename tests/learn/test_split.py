"""Nothing held out is trained on."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.errors import SetupError
from dragoman.learn import Sizes, split
from dragoman.questions import Example, Question


def examples(count: int, databases: int) -> list[Example]:
    return [Example(Question(f"{n}?", id=f"q{n}"), f"SELECT {n}", f"d{n % databases}") for n in range(count)]


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


def test_nothing_left_to_train_on_is_said() -> None:
    with pytest.raises(SetupError, match="Lower --held-out"):
        split(examples(6, 1), Sizes(1, 1, 1, 80))


@given(st.integers(0, 99))
def test_a_question_in_other_words_is_not_trained_on(seed: int) -> None:
    twice = [replace(e, question=Question(f"{e.question.text} again", id=f"{e.question.id}b")) for e in examples(20, 1)]
    found = split([*examples(20, 1), *twice], seed=seed)
    held = {e.sql for e in found.held_out}
    assert not held & {item.example.sql for batch in found.batches for item in batch}


@given(st.integers(0, 99))
def test_the_database_with_most_of_the_questions_is_trained_on(seed: int) -> None:
    few = [replace(e, database=f"few{n % 2}") for n, e in enumerate(examples(20, 1))]
    found = split([*examples(280, 1), *few], seed=seed)
    assert {e.database for e in found.held_out} == {"few0", "few1"}
    assert {len(batch) for batch in found.batches} >= {78}
