"""Several answers, one kept."""

from dragoman.ensemble.candidates import candidates, draws
from dragoman.ensemble.ensemble import ensemble
from dragoman.ensemble.entrants import Entrant, Gather, side_by_side
from dragoman.ensemble.judge import Comparison, Judge, Judgement, Winner
from dragoman.ensemble.pool import Choice, Class, Pool, Select, pool_of, settle
from dragoman.ensemble.tournament import HYBRID, Tournament, tournament
from dragoman.ensemble.vote import Voting, by_likelihood, by_vote, elect, masses, samples, vote

__all__ = [
    "HYBRID",
    "Choice",
    "Class",
    "Comparison",
    "Entrant",
    "Gather",
    "Judge",
    "Judgement",
    "Pool",
    "Select",
    "Tournament",
    "Voting",
    "Winner",
    "by_likelihood",
    "by_vote",
    "candidates",
    "draws",
    "elect",
    "ensemble",
    "masses",
    "pool_of",
    "samples",
    "settle",
    "side_by_side",
    "tournament",
    "vote",
]
