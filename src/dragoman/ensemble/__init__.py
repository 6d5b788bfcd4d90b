"""Several answers, one kept."""

from dragoman.ensemble.candidates import candidates, draws
from dragoman.ensemble.vote import Voting, elect, vote, whole

__all__ = ["Voting", "candidates", "draws", "elect", "vote", "whole"]
