"""A world in which the best pool is known, and an optimiser that improves what it is shown.

A question has a type and a difficulty. A skill spreads a fixed number of points over the types; its chance on a
question is a logistic function of its points there against the difficulty. Points spent on one type are missing on
another, as attention is, so no skill is good at everything and the best pool of K skills covers different types.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations_with_replacement
from math import exp, prod

from dragoman.learn.residual import Place, Role, Turn, residual_optimisation

MINIBATCH = 3
PROPOSALS = 3


@dataclass(frozen=True, slots=True)
class Asked:
    """A question of the world."""

    type: int
    difficulty: float


@dataclass(frozen=True, slots=True)
class Spread:
    """A skill: points by type. `text` tells skills apart that spread alike, as wordings of one strategy do."""

    points: tuple[int, ...]
    text: int = 0

    def chance(self, question: Asked) -> float:
        """Of a right answer in one run."""
        return 1 / (1 + exp(-(self.points[question.type] - question.difficulty) * 2))


@dataclass(frozen=True, slots=True)
class World:
    """`types` of unequal share, `points` for a skill to spread. `skill_noise` is how often a proposal is random."""

    types: int = 4
    points: int = 4
    skill_noise: float = 0.3
    shares: tuple[float, ...] = field(default=(0.4, 0.3, 0.2, 0.1))

    def questions(self, count: int, order: random.Random) -> list[Asked]:
        return [Asked(order.choices(range(self.types), self.shares)[0], order.uniform(0, 3)) for _ in range(count)]

    def skills(self) -> Iterator[Spread]:
        """All of them."""
        return (Spread(points) for points in _spreads(self.points, self.types))

    def coverage(self, pool: Sequence[Spread], questions: Sequence[Asked]) -> float:
        """Mean chance that one run of each skill has a right answer among them."""
        return sum(1 - prod(1 - s.chance(q) for s in pool) for q in questions) / len(questions)

    def best(self, size: int, questions: Sequence[Asked]) -> float:
        """Coverage of the best pool of `size` skills, by trying all."""
        missed: dict[tuple[int, ...], float] = {}

        def misses(kind: int, points: tuple[int, ...]) -> float:
            key = (kind, *sorted(points))
            if key not in missed:
                mine = (q for q in questions if q.type == kind)
                pool = [Spread(tuple(p if t == kind else 0 for t in range(self.types))) for p in points]
                missed[key] = sum(prod(1 - skill.chance(q) for skill in pool) for q in mine)
            return missed[key]

        pools = combinations_with_replacement([skill.points for skill in self.skills()], size)
        least = min(sum(misses(t, tuple(p[t] for p in pool)) for t in range(self.types)) for pool in pools)
        return 1 - least / len(questions)


def _spreads(points: int, types: int) -> Iterator[tuple[int, ...]]:
    if types == 1:
        yield (points,)
        return
    for first in range(points + 1):
        for rest in _spreads(points - first, types - 1):
            yield (first, *rest)


class Optimiser:
    """Proposes by reading failures of a minibatch, tries the proposal on it, and keeps the better one, as gepa does.

    `null` proposes the same skill under a new text. Counts the runs that it and the comparisons make.
    """

    def __init__(self, world: World, order: random.Random, null: bool = False) -> None:
        self.world = world
        self.order = order
        self.null = null
        self.runs = 0
        self._texts = 0

    def answered(self, skill: Spread, questions: Sequence[Asked], place: Place, role: Role) -> list[bool]:
        """Fresh runs."""
        self.runs += len(questions)
        return [self.order.random() < skill.chance(q) for q in questions]

    def improve(self, skill: Spread, questions: Sequence[Asked], place: Place) -> Spread | None:
        best = skill
        for _ in range(PROPOSALS):
            shown = self.order.sample(list(questions), min(MINIBATCH, len(questions)))
            right = self.answered(best, shown, place, "incumbent")
            failed = [q for q, solved in zip(shown, right, strict=True) if not solved]
            if not failed:
                continue
            child = self._proposal(best, failed)
            if sum(self.answered(child, shown, place, "challenger")) > sum(right):
                best = child
        return best if best != skill else None

    def _proposal(self, skill: Spread, failed: Sequence[Asked]) -> Spread:
        self._texts += 1
        if self.null:
            return Spread(skill.points, self._texts)
        aim = Counter(q.type for q in failed).most_common(1)[0][0]
        if self.order.random() < self.world.skill_noise:
            aim = self.order.randrange(self.world.types)
        givers = [t for t in range(self.world.types) if t != aim and skill.points[t] > 0]
        if not givers:
            return Spread(skill.points, self._texts)
        giver = self.order.choice(givers)
        change = {aim: 1, giver: -1}
        return Spread(tuple(p + change.get(t, 0) for t, p in enumerate(skill.points)), self._texts)


@dataclass(frozen=True, slots=True)
class Result:
    """Coverage on questions held out, as a share of the best pool's, and what was accepted and run."""

    ratio: float
    gain: float
    accepted: int
    turns: int
    runs: int


Arm = Callable[[World, random.Random], tuple[list[Spread], list[Spread], Optimiser | None]]


def seeds(world: World, size: int, order: random.Random) -> list[Spread]:
    """Different strategies as people write them: mostly balanced, each with a leaning."""
    pool = []
    for _ in range(size):
        points = [world.points // world.types] * world.types
        for _ in range(world.points - sum(points)):
            points[order.randrange(world.types)] += 1
        taken = order.choice([t for t in range(world.types) if points[t] > 0])
        points[taken] -= 1
        points[order.randrange(world.types)] += 1
        pool.append(Spread(tuple(points)))
    return pool


def simulate(arm: str, seed: int, world: World = World(), size: int = 3, batches: int = 3, batch: int = 40) -> Result:
    """One run of an arm: base (one skill, `size` times), single (one skill optimised, `size` times), seeds, residual,
    or null (residual with the null optimiser). Optimising arms take as many turns as each other."""
    order = random.Random(f"{arm} {seed}")
    start = random.Random(seed)
    held = world.questions(200, start)
    dealt = [world.questions(batch, start) for _ in range(batches)]
    pool = seeds(world, size, start)
    optimiser = Optimiser(world, order, null=arm == "null")
    turns: list[Turn[Spread]] = []
    if arm == "base":
        found: tuple[Spread, ...] = (pool[0],) * size
        before = [pool[0]] * size
    elif arm == "single":
        again = [part for part in dealt for _ in range(size)]
        (one,) = residual_optimisation(pool[:1], again, optimiser.answered, optimiser.improve, turns.append)
        found, before = (one,) * size, [pool[0]] * size
    elif arm == "seeds":
        found, before = tuple(pool), pool
    else:
        found = residual_optimisation(pool, dealt, optimiser.answered, optimiser.improve, turns.append)
        before = pool
    reached = world.coverage(found, held)
    return Result(
        reached / world.best(size, held),
        reached - world.coverage(before, held),
        sum(turn.accepted for turn in turns),
        len(turns),
        optimiser.runs,
    )
