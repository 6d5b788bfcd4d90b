"""One run of one skill on one question, as learning sees it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from dragoman.agent.skills import Skill
from dragoman.models.model import Usage
from dragoman.questions import Example


@dataclass(frozen=True, slots=True)
class Rollout:
    """What came of it. `right` is execution correctness, the only reward; `verdict` is one of `metrics.Verdict`.

    `skill` is the id of the skill's text, `sample` tells draws apart. `reason` says in what the result differs,
    without the gold SQL. `actions` are those of `agent.trajectory`, `trace` what was done, condensed. `cost` is in US
    dollars, None if unknown.
    """

    skill: str
    example: str
    sample: int
    right: bool
    verdict: str
    sql: str = ""
    reason: str = ""
    actions: tuple[str, ...] = ()
    trace: str = ""
    usage: Usage = Usage()
    cost: float | None = 0.0

    @property
    def key(self) -> tuple[str, str, int]:
        return self.skill, self.example, self.sample


Attempt = Callable[[Skill, Sequence[Example], int], Sequence[Rollout]]
"""Runs of a skill on questions, one each, as the given sample; in the order of the questions."""


def rollout_record(rollout: Rollout) -> dict[str, Any]:
    """As JSON values; `read_rollout` gives it back."""
    return asdict(rollout)


def read_rollout(record: Mapping[str, Any]) -> Rollout:
    """Raises KeyError or TypeError where the record is not a rollout."""
    return Rollout(**{**record, "actions": tuple(record["actions"]), "usage": Usage(**record["usage"])})
