"""gepa through our adapter: proposals really happen, and are counted as the paper means it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from dragoman.agent.skills import Skill
from dragoman.errors import BudgetSpent, DragomanError, ModelUnavailable
from dragoman.learn.optimise import Effort, Item, optimise
from dragoman.learn.reflect import Failure
from dragoman.learn.rollout import Rollout
from dragoman.questions import Example, Question

SKILL = Skill("balanced", "Look first.", "Always.")
ITEMS = [
    Item(Example(Question(f"Question {n}?", id=f"q{n}"), "SELECT 1"), "train" if n % 10 < 7 else "val")
    for n in range(100)
]


class World:
    """Questions come right, in a mixed order, as the text gets longer; every proposed text is longer by `step`."""

    def __init__(self, step: int, usable: bool = True) -> None:
        self.step = step
        self.usable = usable
        self.seen: list[Failure] = []

    def attempt(self, skill: Skill, examples: Sequence[Example], sample: int) -> list[Rollout]:
        gain = len(skill.body) - len(SKILL.body)
        return [
            Rollout(skill.id, e.question.id, sample, 37 * int(e.question.id[1:]) % 100 < gain, "correct")
            for e in examples
        ]

    def reflect(self, skill: Skill, seen: Sequence[Failure], sample: int) -> Skill | None:
        self.seen += seen
        return Skill(skill.name, skill.body + "." * self.step, version=1, parent=skill.id) if self.usable else None


def test_the_papers_settings_make_three_proposals() -> None:
    world = World(30)
    found = optimise(SKILL, ITEMS, world.attempt, world.reflect, Effort(), 0)
    assert found.proposed >= 3
    assert found.minibatch_calls <= 20
    assert found.validation_calls == 30 * (1 + found.better)
    assert found.skill is not None
    assert len(found.skill.body) > len(SKILL.body)


def test_every_proposed_text_is_kept_with_its_scores_and_parent() -> None:
    world = World(30)
    found = optimise(SKILL, ITEMS, world.attempt, world.reflect, Effort(metric_calls=60), 0)
    assert len(found.trials) == found.proposed
    assert [trial.validation is not None for trial in found.trials].count(True) == found.better
    known = {SKILL.id}
    for trial in found.trials:
        assert trial.of == 3
        assert 0 <= trial.before <= 3
        assert 0 <= trial.after <= 3
        assert trial.skill.parent in known
        known.add(trial.skill.id)
    assert found.validation == 0.0


def test_nothing_better_is_nothing() -> None:
    world = World(0, usable=False)
    found = optimise(SKILL, ITEMS, world.attempt, world.reflect, Effort(), 0)
    assert found.skill is None
    assert (found.proposed, found.rejected) == (0, Effort().iterations)


def test_of_equally_good_texts_the_shortest_wins() -> None:
    found = optimise(SKILL, ITEMS, World(0).attempt, World(500).reflect, Effort(proposals=6, metric_calls=60), 3)
    assert found.skill is not None
    assert len(found.skill.body) == len(SKILL.body) + 500


def test_failures_are_reflected_on_first() -> None:
    world = World(40)
    optimise(SKILL, ITEMS, world.attempt, world.reflect, Effort(), 1)
    assert [failure.rollout.right for failure in world.seen[:3]] == [False] * 3


def test_few_questions_are_enough() -> None:
    world = World(200)
    for items in (ITEMS[:1], ITEMS[8:9], ITEMS[6:9]):
        assert optimise(SKILL, items, world.attempt, world.reflect, Effort(), 0).skill is not None


@pytest.mark.parametrize("error", [ModelUnavailable("The connection was lost."), BudgetSpent("No calls are left.")])
def test_a_reflection_that_cannot_be_made_ends_it_at_once(error: DragomanError) -> None:
    world = World(30)
    asked: list[int] = []

    def lost(skill: Skill, seen: Sequence[Failure], sample: int) -> Skill | None:
        asked.append(sample)
        raise error

    with pytest.raises(type(error)):
        optimise(SKILL, ITEMS, world.attempt, lost, Effort(), 0)
    assert asked == [0]
