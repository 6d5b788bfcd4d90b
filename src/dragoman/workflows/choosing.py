"""The ways to choose among candidates, by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from dragoman.databases import Database
from dragoman.ensemble import HYBRID, Select, Tournament, by_likelihood, by_vote
from dragoman.ensemble.selector import learned, read_selector
from dragoman.models import ModelsByRole
from dragoman.workflows.several_agents import Selecting, judged
from dragoman.workflows.zero_shot import Asking

WAYS = ("likelihood", "vote", "tournament", "hybrid", "learned")
"""likelihood: the class that the model gives most probability, where it tells, else the vote. vote: the largest class.
tournament: a judge compares every two classes in both orders. hybrid: a majority wins, else a judge is asked as little
as the winner allows. learned: the class that a trained selector thinks most likely."""

PLAIN: Mapping[str, Select] = {"likelihood": by_likelihood, "vote": by_vote}
"""The ways that need neither a model nor a file."""


def choosing(way: str, selector: Path | None = None, workers: int = 1) -> Selecting:
    """The way of that name in `WAYS`. `selector` is a file, None for the one that comes along.

    `workers` judgements are made at the same time.
    """

    def bind(database: Database, models: ModelsByRole, asking: Asking) -> Select:
        if way in PLAIN:
            return PLAIN[way]
        if way == "learned":
            return learned(read_selector(selector))
        how = Tournament() if way == "tournament" else HYBRID
        return judged(database, models, asking, replace(how, workers=workers))

    return bind
