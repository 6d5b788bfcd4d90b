"""A scratch schema on the command line: who writes there, what does not see it, and that it is left empty."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from types import FrameType

from dragoman import compose
from dragoman.errors import SetupError
from dragoman.refine.refined_database import How
from dragoman.refine.scratch import Scratch


def how_of(overlay: bool, scratch: str, write_url: str) -> How:
    """How names are tried. Raises `SetupError` for options that do not go together."""
    if bool(scratch) != bool(write_url):
        raise SetupError("A scratch schema needs a login that may write there. Give both --scratch and --write-url.")
    if overlay and scratch:
        raise SetupError("CTEs need no scratch schema. Give either --overlay or --scratch.")
    return Scratch(scratch, write_url) if scratch else "overlay" if overlay else "auto"


def without_scratch(settings: compose.SolverSettings, how: How) -> compose.SolverSettings:
    """The settings under which nobody sees the views of the scratch schema but by their new names."""
    if not isinstance(how, Scratch):
        return settings
    denied = [*settings.access.get("deny_schemas", ()), how.schema]
    return replace(settings, access={**settings.access, "deny_schemas": denied})


@contextmanager
def ended_in_order() -> Iterator[None]:
    """A request to end (SIGTERM) ends the program as an interrupt does, so that views are dropped first."""

    def end(number: int, frame: FrameType | None) -> None:
        sys.exit(128 + number)

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
