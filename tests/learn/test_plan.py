"""A plan promises what a run keeps to."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.learn import Effort, Sizes, split
from dragoman.learn.optimise import Optimised, optimise
from dragoman.learn.plan import Amount, plan
from dragoman.learn.rollout import Rollout
from dragoman.models.model import Usage
from dragoman.questions import Example, Question
from tests.learn.test_optimise import ITEMS, SKILL, World

EXAMPLES = [Example(Question(f"{n}?", id=f"q{n}"), f"SELECT {n}", "d") for n in range(500)]


def test_the_papers_settings() -> None:
    found = plan(split(EXAMPLES, Sizes()), 8)
    assert len(found.turns) == 3
    assert found.turns[0][0] == Amount(18, 60, 200, 3)
    assert found.most.comparison == 3 * 8 * 200
    assert found.usage(found.likely) is None


def test_the_use_of_runs_seen_before_is_taken() -> None:
    seen = [Rollout("s", "q", n, True, "correct", usage=Usage(4 + n, 1000, 100, 500)) for n in (0, 2)]
    found = plan(split(EXAMPLES, Sizes()), 2, seen=seen)
    assert found.tokens == Usage(5, 1000, 100, 500)
    used = found.usage(Amount(1, 1, 1, 2))
    assert used == (Usage(15, 3000, 300, 1500), Usage(2, 12_000, 4_000))


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 50), st.booleans(), st.integers(0, 9))
def test_a_turn_stays_within_what_the_plan_promises(step: int, usable: bool, seed: int) -> None:
    found: Optimised = optimise(SKILL, ITEMS, World(step).attempt, World(step, usable).reflect, Effort(), seed)
    most = plan(split(EXAMPLES, Sizes()), 1).most
    assert found.minibatch_calls <= most.minibatch
    assert found.validation_calls <= most.validation
    assert found.proposed + found.rejected <= most.reflections
