"""CHASE-SQL's selector: every ordered pair of candidates gives a point, and the most points are kept."""

from __future__ import annotations

from dragoman.ensemble.board import Board
from dragoman.ensemble.judge import Judge
from dragoman.ensemble.pool import Choice, Pool, Select
from dragoman.ensemble.vote import elect
from dragoman.solver import Step


def by_points(judge: Judge, workers: int = 1) -> Select:
    """A choice by CHASE-SQL's algorithm 3: of two candidates with equal results the first gets the point, of two others
    the one that the judge says, an undecided one half each; all pairs are counted in both orders.

    One judgement stands for all pairs of candidates of two classes of equal results, in which the shortest queries are
    compared. Equal points go to the earlier candidate. Failed candidates do not take part.
    """

    def select(pool: Pool) -> Choice:
        classes = {c.standing: c for c in pool.classes}
        if not classes:
            return Choice(elect(pool.signals, pool.dialect))
        board = Board(pool, judge)
        board.play(sorted(board.open), workers)
        points = {place: float(c.size - 1) for place, c in classes.items()}
        for step in board.steps:
            first, second, winner = (step.data[key] for key in ("first", "second", "winner"))
            for place, other, name in ((first, second, "first"), (second, first, "second")):
                won = 0.5 if winner == "undecided" else float(winner == name)
                points[place] += won * classes[other].size
        place = min(points, key=lambda place: (-points[place], place))
        told = {str(place): count for place, count in points.items()}
        step = Step("tournament", data={"candidates": len(pool.answers), "classes": len(classes), "points": told})
        return Choice(place, (*board.steps, *board.open_ends, step))

    return select
