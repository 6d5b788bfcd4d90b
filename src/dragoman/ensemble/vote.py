"""Vote by result: of the classes of candidates whose queries give the same rows, the largest or the likeliest wins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, inf

from dragoman.databases import Database
from dragoman.ensemble.candidates import candidates, draws
from dragoman.ensemble.ensemble import ensemble
from dragoman.ensemble.entrants import Gather
from dragoman.ensemble.pool import Choice, Pool
from dragoman.ensemble.row_orders import is_ordered
from dragoman.ensemble.signals import Signals
from dragoman.questions import Question
from dragoman.solver import Answer, Draw, Solver, Step


@dataclass(frozen=True, slots=True)
class Voting:
    """How many candidates are drawn: the first as asked for, the others at `temperature`, in `workers` threads."""

    candidates: int = 7
    temperature: float = 0.7
    workers: int = 1


def vote(solver: Solver, database: Database, how: Voting) -> Solver:
    """A solver that draws several answers of `solver` and keeps the one that wins the vote, with its `share`."""
    return ensemble(samples(solver, how), database, by_vote)


def samples(solver: Solver, how: Voting) -> Gather:
    """Several answers of one solver."""

    def gather(question: Question, draw: Draw) -> tuple[Answer, ...]:
        return candidates(solver, question, draws(draw, how.candidates, how.temperature), how.workers)

    return gather


def by_vote(pool: Pool) -> Choice:
    """The candidate of the largest class; of equally large ones that of the class that was found first.

    Failed candidates are set apart, and those whose results have no values (no rows, or NULL alone) stand back behind
    those with some. In its class the first candidate with an ORDER BY is taken, without any the first.
    """
    return _told(pool, None)


def by_likelihood(pool: Pool) -> Choice:
    """The candidate of the class that the model itself gives most probability; else as `by_vote`.

    Each different query of a class counts once, with the probability of its whole text, however often it was drawn:
    how often a likely query comes is chance, its probability is known. Where the model does not tell, it is the vote.
    """
    return _told(pool, masses(pool.signals))


def masses(pool: Sequence[Signals]) -> dict[int, float] | None:
    """The part of each class (0 to 1, together 1) in the probability of all different queries with a result.

    None where the probability of any such query is unknown, or none has a result.
    """
    logs: dict[tuple[int, str], float] = {}
    for one in pool:
        if one.group is None:
            continue
        if one.logprob is None or one.tokens is None:
            return None
        key = one.group, one.sql
        logs[key] = max(logs.get(key, -inf), one.logprob * one.tokens)
    if not logs:
        return None
    most = max(logs.values())
    found: dict[int, float] = dict.fromkeys((group for group, _ in logs), 0.0)
    for (group, _), log in logs.items():
        found[group] += exp(log - most)
    whole = sum(found.values())
    return {group: mass / whole for group, mass in found.items()}


def elect(pool: Sequence[Signals], dialect: str, weights: Mapping[int, float] | None = None) -> int:
    """The place of the candidate that wins the vote, where classes weigh as `weights` say, else by their sizes.

    Where none has a result it is the first, those last that name what is not in the schema.
    """
    sizes = Counter(one.group for one in pool)

    def rank(place: int) -> tuple[bool, bool, bool, float, int, int, bool, int]:
        one = pool[place]
        if one.group is None:
            return True, one.failure == "unresolved", True, 0.0, 0, 0, False, place
        size = sizes[one.group]
        weight = size if weights is None else weights[one.group]
        return False, False, not one.tells, -weight, -size, one.group, not is_ordered(one.sql, dialect), place

    return min(range(len(pool)), key=rank)


def _told(pool: Pool, weights: Mapping[int, float] | None) -> Choice:
    place = elect(pool.signals, pool.dialect, weights)
    group = pool.groups[place]
    votes = 0 if group is None else pool.groups.count(group)
    data: dict[str, object] = {
        "candidates": len(pool.answers),
        "classes": len(pool.classes),
        "votes": votes,
        "decided_by": "votes" if weights is None else "likelihood",
    }
    if weights is not None:
        data["likelihood"] = {str(group): round(weight, 4) for group, weight in weights.items()}
    return Choice(place, (Step("vote", data=data),))
