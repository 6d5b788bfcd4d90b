"""What a judge's reply says, in the forms in which models say it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.ensemble.read_verdict import read_verdict


@pytest.mark.parametrize(
    ("reply", "winner"),
    [
        ("Better: A", "first"),
        ("The join in A repeats rows.\n\nBetter: B", "second"),
        ("**Better: B**", "second"),
        ("Better: **A**.", "first"),
        ("`Better: B`", "second"),
        ("BETTER: B", "second"),
        ("Better: Query A", "first"),
        ('{"better": "B"}', "second"),
        ('```json\n{"reason": "A repeats rows", "winner": "A"}\n```', "first"),
        ("Winner: (B)", "second"),
        ("The better query is B.", "second"),
        ("My final answer: A", "first"),
        ("[[B]]", "second"),
        ("Query B is better, because it counts each once.", "second"),
        ("Query A is the correct one.", "first"),
        ("B", "second"),
        ("It comes to this:\nB.", "second"),
        ("(A)", "first"),
        ("<think>Better: A at first sight</think>Better: B", "second"),
        ("Better: A\nNo, the limit decides.\nBetter: B", "second"),
        ("Better: neither", "undecided"),
        ("Verdict: tie", "undecided"),
        ("Better: both", "undecided"),
        ("Better: a query that counts each once", None),
        ("Better: A's join is wrong", None),
        ("A better approach exists.", None),
        ("I cannot tell.", None),
        ("", None),
        ("<think>Better: A", "first"),
        ("Better: Although both run", None),
    ],
)
def test_the_last_word_counts(reply: str, winner: str | None) -> None:
    assert read_verdict(reply) == winner


@given(st.text(), st.sampled_from("AB"))
def test_nothing_before_the_last_word_changes_it(before: str, side: str) -> None:
    assert read_verdict(before) in ("first", "second", "undecided", None)
    assert read_verdict(f"{before}\nBetter: {side}") == {"A": "first", "B": "second"}[side]
