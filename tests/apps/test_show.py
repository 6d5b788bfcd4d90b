"""What the line under an answer says of where it comes from."""

from __future__ import annotations

import pytest

from dragoman.apps.show import footer_line
from dragoman.models import Usage
from dragoman.solver import Answer, Step


@pytest.mark.parametrize(
    ("model", "share", "says", "does_not"),
    [
        ("embedded", 5 / 7, "vote share 71% · a small model on this machine: check the SQL", "probability"),
        ("embedded", None, "a small model on this machine: check the SQL", "share"),
        ("openai:gpt-x", 1.0, "vote share 100%", "small"),
    ],
)
def test_the_small_model_and_the_vote_are_named(model: str, share: float | None, says: str, does_not: str) -> None:
    answer = Answer("SELECT 1", steps=(Step("model", usage=Usage(1, 90, 10)),), share=share, seconds=1.25)
    line = footer_line(answer, {"model": model})
    assert line.startswith(f"{model} · 1.2 s · 100 tokens · ")
    assert line.endswith(says)
    assert does_not not in line
