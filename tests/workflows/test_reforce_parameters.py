"""The paper's values are the defaults, and arms and options change what they say and nothing else."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from dragoman.errors import SetupError
from dragoman.workflows.reforce import ARMS, Parameters, with_options


def test_the_defaults_are_the_papers() -> None:
    how = Parameters()
    assert (how.votes, how.temperature, how.iterations, how.empties, how.asks) == (8, 1.0, 5, 4, 3)
    assert (how.explore, how.explore_once, how.final_pick, how.self_check, how.answer_format) == (
        "unsure",
        False,
        True,
        False,
        False,
    )
    bounds = how.exploring
    assert (bounds.queries, bounds.fewest, bounds.plans, bounds.rows, bounds.fixes, bounds.failures) == (
        10, 3, 3, 20, 3, 5,
    )  # fmt: skip


@pytest.mark.parametrize("arm", ARMS)
def test_an_arm_changes_what_it_names(arm: str) -> None:
    changed = dataclasses.asdict(with_options(Parameters(), {}, arm))
    different = {name: value for name, value in changed.items() if value != dataclasses.asdict(Parameters())[name]}
    assert different == ARMS[arm]


def test_options_go_over_the_arm() -> None:
    how = with_options(Parameters(), {"votes": 3, "temperature": 0}, "no_vote")
    assert (how.votes, how.temperature) == (3, 0)


@pytest.mark.parametrize(
    ("options", "arm", "said"),
    [
        ({}, "no_such", "has no arm no_such. Choose one of no_compression"),
        ({"voters": 3}, "", "no parameter voters. Choose one of votes"),
        ({"votes": 0}, "", "votes cannot be 0; give a whole number from 1 to 100"),
        ({"votes": "3"}, "", "votes cannot be '3'"),
        ({"votes": True}, "", "votes cannot be True"),
        ({"votes": 2.5}, "", "votes cannot be 2.5"),
        ({"final_pick": 1}, "", "final_pick cannot be 1"),
        ({"temperature": -0.1}, "", "temperature cannot be -0.1"),
        ({"temperature": float("nan")}, "", "temperature cannot be nan"),
        ({"explore": "often"}, "", "explore is one of unsure, always, never, and not 'often'"),
        ({"exploring": {}}, "", "no parameter exploring"),
    ],
)
def test_what_does_not_exist_is_said(options: dict[str, Any], arm: str, said: str) -> None:
    with pytest.raises(SetupError, match=said):
        with_options(Parameters(), options, arm)
