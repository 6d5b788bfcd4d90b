"""Residual skill optimisation: skills that cover what the others miss (DivSkill-SQL)."""

from dragoman.learn.attempts import Attempts, Drawing
from dragoman.learn.learn import Ways, begin_learning, learn
from dragoman.learn.optimise import Effort
from dragoman.learn.reflect import Reflector
from dragoman.learn.split import Sizes, Split, split

__all__ = ["Attempts", "Drawing", "Effort", "Reflector", "Sizes", "Split", "Ways", "begin_learning", "learn", "split"]
