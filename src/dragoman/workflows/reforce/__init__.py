"""ReFoRCE, whole: see `reforce`."""

from dragoman.workflows.reforce.parameters import ARMS, Parameters, with_options
from dragoman.workflows.reforce.reforce import GoldSql, reforce

__all__ = ["ARMS", "GoldSql", "Parameters", "reforce", "with_options"]
