"""The pairwise tournament: every two classes are judged in both orders, and the most wins are kept."""

from __future__ import annotations

from dataclasses import dataclass

from dragoman.ensemble.board import Board, Game
from dragoman.ensemble.judge import Judge
from dragoman.ensemble.pool import Choice, Class, Pool, Select
from dragoman.ensemble.vote import elect
from dragoman.solver import Step


@dataclass(frozen=True, slots=True)
class Tournament:
    """`adaptive` judges only what can still change the winner. `workers` threads judge at the same time.

    A class with more than the share `decisive` of all candidates (0 to 1), and with rows, wins without a judge; None
    asks the judge always. Defaults are the paper's (DivSkill-SQL, section 3 and appendix B).
    """

    adaptive: bool = False
    decisive: float | None = None
    workers: int = 1


HYBRID = Tournament(adaptive=True, decisive=0.5)
"""A majority needs no judge, and where there is none the judge is asked as little as the winner allows."""


def tournament(judge: Judge, how: Tournament = Tournament()) -> Select:
    """A choice by a tournament among the classes of equal results.

    Failed candidates do not take part; where no candidate has a result, the first is chosen. One class wins without
    a judge. The last step tells the wins of each class by its candidate's place, the calls, and `margin`: how far the
    winner's share of wins in its games (0 to 1) lies above that of the next class, None where nothing was judged. Where
    the budget is spent the class that leads is chosen, and a step "budget" says so.
    """

    def select(pool: Pool) -> Choice:
        classes = pool.classes
        if not classes:
            return _told(pool, elect(pool.signals, pool.dialect), None, "no result")
        if len(classes) == 1:
            return _told(pool, classes[0].standing, None, "one class")
        largest = max(classes, key=lambda c: c.size)
        if how.decisive is not None and _decides(largest, pool, how.decisive):
            return _told(pool, largest.standing, None, "vote")
        board = Board(pool, judge)
        if how.adaptive:
            _play_until_decided(board)
        else:
            board.play(sorted(board.open, key=lambda game: (sorted(game), game)), how.workers)
        return _told(pool, board.places[board.leader], board, _reason(board))

    return select


def _decides(largest: Class, pool: Pool, share: float) -> bool:
    """A majority without rows is no decision: a condition that nothing meets is the commonest fault of all."""
    return largest.size > share * len(pool.answers) and pool.signals[largest.standing].tells


def _play_until_decided(board: Board) -> None:
    """Judge until nobody can pass the leader, whatever the open judgements would say: the full tournament's winner."""
    while len(board.alive) > 1 and not board.spent:
        board.play([_next(board)])


def _next(board: Board) -> Game:
    """The game between the two that can still win the most, so that one of them loses ground."""
    ranked = sorted(board.alive, key=board.reach, reverse=True)
    for one in ranked:
        others = {c for game in board.open if one in game for c in game if c != one}
        if others:
            other = max(others, key=lambda c: (c in ranked, board.reach(c)))
            return (one, other) if (one, other) in board.open else (other, one)
    raise AssertionError("more than one class can win, and no game is open")


def _reason(board: Board) -> str:
    """What decided between the winner and the next."""
    if board.spent:
        return "budget"
    best, *others = sorted(board.wins, reverse=True)
    return "wins" if not others or best > others[0] else "size, length or order"


def _told(pool: Pool, place: int, board: Board | None, reason: str) -> Choice:
    data: dict[str, object] = {
        "candidates": len(pool.answers),
        "classes": len(pool.classes),
        "chosen": place,
        "decided_by": reason,
        "judgements": len(board.steps) if board else 0,
        "wins": {str(p): wins for p, wins in zip(board.places, board.wins, strict=True)} if board else {},
        "margin": _margin(board) if board else None,
    }
    played = (*board.steps, *board.open_ends) if board else ()
    return Choice(place, (*played, Step("tournament", data=data)))


def _margin(board: Board) -> float:
    games = [2 * (len(board.wins) - 1) - sum(c in game for game in board.open) for c in range(len(board.wins))]
    shares = [wins / max(1, played) for wins, played in zip(board.wins, games, strict=True)]
    winner = board.leader
    return shares[winner] - max(share for c, share in enumerate(shares) if c != winner)
