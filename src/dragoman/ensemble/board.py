"""The wins of a tournament."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from dragoman.ensemble.at_once import at_once
from dragoman.ensemble.judge import Comparison, Judge, Judgement
from dragoman.ensemble.pool import Pool
from dragoman.errors import BudgetSpent
from dragoman.solver import Step

Game = tuple[int, int]
"""Two classes, the one that the judge sees first before the other."""


class Board:
    """Judgements over the classes of a pool, which are numbered from the strongest before any judgement.

    A larger class comes first; of equally large ones that with the shorter query, then the earlier one. A judgement is
    one win, an undecided one half a win each; of equal wins the lower number leads. `spent` says why the budget allows
    no more judgements, "" while it does.
    """

    def __init__(self, pool: Pool, judge: Judge) -> None:
        classes = sorted(pool.classes, key=lambda c: (-c.size, pool.length(c.standing), c.standing))
        self.places = tuple(c.standing for c in classes)
        self.wins = [0.0] * len(classes)
        self.open = {(a, b) for a in range(len(classes)) for b in range(len(classes)) if a != b}
        self.steps: list[Step] = []
        self.spent = ""
        self._pool = pool
        self._judge = judge

    @property
    def open_ends(self) -> tuple[Step, ...]:
        """A step that says so where judging ended with the budget."""
        return (Step("budget", self.spent, data={"judgements": len(self.steps), "open": len(self.open)}),) * bool(
            self.spent
        )

    @property
    def leader(self) -> int:
        """The class with the most wins; where the budget is spent, an open game counts as half a win each."""
        half = 0.5 if self.spent else 0.0
        return min(
            range(len(self.wins)), key=lambda c: (-self.wins[c] - half * sum(c in game for game in self.open), c)
        )

    def reach(self, one: int) -> tuple[float, int]:
        """The wins that a class would have if it won all its open games, and its rank among equals."""
        return self.wins[one] + sum(one in game for game in self.open), -one

    @property
    def alive(self) -> list[int]:
        """The leader, and the classes that could still pass it."""
        leader = self.leader
        least = self.wins[leader], -leader
        return [c for c in range(len(self.wins)) if c == leader or self.reach(c) > least]

    def play(self, games: Sequence[Game], workers: int = 1) -> None:
        """Judge these games and count their wins, in this order whatever the number of threads.

        Where the budget is spent, what was judged counts, and the others stay open.
        """
        judged = at_once([partial(self._judged, game) for game in games], workers)
        for game, judgement in zip(games, judged, strict=True):
            if judgement is not None:
                self._count(game, judgement)

    def _judged(self, game: Game) -> Judgement | None:
        """None where the budget is spent."""
        if self.spent:
            return None
        first, second = (self._pool.answers[self.places[c]] for c in game)
        try:
            return self._judge(Comparison(self._pool.question, first, second, self._pool.draw))
        except BudgetSpent as error:
            self.spent = str(error)
            return None

    def _count(self, game: Game, judgement: Judgement) -> None:
        self.open.discard(game)
        for one, name in zip(game, ("first", "second"), strict=True):
            self.wins[one] += 0.5 if judgement.winner == "undecided" else float(judgement.winner == name)
        first, second = (self.places[c] for c in game)
        told = {**judgement.step.data, "first": first, "second": second, "winner": judgement.winner}
        self.steps.append(replace(judgement.step, data=told))
