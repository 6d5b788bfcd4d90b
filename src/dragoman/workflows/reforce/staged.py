"""Steps that say which stage of the method they belong to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from dragoman.solver import Step


def staged(steps: Iterable[Step], stage: str = "", **where: Any) -> tuple[Step, ...]:
    """The steps with their stage, and with `where` they stand (round, candidate), in their data.

    What a step already says of them stays.
    """
    named = {"stage": stage} if stage else {}
    return tuple(replace(step, data={**named, **where, **step.data}) for step in steps)
