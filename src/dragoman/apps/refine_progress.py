"""How far a refinement has come, on standard error."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TextIO

from rich.console import Console

from dragoman.refine.refine import Tell

SENTENCES = {
    "gold": "Running the gold queries",
    "baseline": "Asking under the old names",
    "screen": "Screening names",
    "propose": "Proposing names",
    "verify": "Verifying names",
    "bundles": "Trying cryptic tables as a whole",
    "joint check": "Trying all names together",
    "gold queries": "Comparing the gold queries on the views",
}
OFTEN, SELDOM, LONG = 10.0, 60.0, 120.0
"""Seconds between two plain lines of one stage: the first until the run has taken `LONG` seconds, the second after."""


@contextmanager
def refining() -> Iterator[Tell]:
    """A line that follows the run on a terminal; elsewhere a line at every stage and now and then within one."""
    console = Console(stderr=True, highlight=False)
    if not sys.stderr.isatty():
        yield PlainLines(sys.stderr).tell
        return
    with console.status("Refining...") as status:
        said = _Said()

        def shown(stage: str, done: int, of: int) -> None:
            said.hear(stage, done, of)
            status.update(f"{said}...")

        yield shown


class PlainLines:
    """Says to `out` what stage a run is in, how far, how many answers are known and how long it has taken."""

    def __init__(self, out: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock` gives seconds."""
        self._out, self._clock = out, clock
        self._begun = self._last = clock()
        self._said = _Said()

    def tell(self, stage: str, done: int, of: int) -> None:
        """Hear of a step; a line is written where a stage begins, or enough time has passed since the last one."""
        begins = self._said.hear(stage, done, of)
        now = self._clock()
        if begins or now - self._last >= (OFTEN if now - self._begun < LONG else SELDOM):
            minutes, seconds = divmod(int(now - self._begun), 60)
            print(f"[{minutes}:{seconds:02d}] {self._said}...", file=self._out, flush=True)
            self._last = now


class _Said:
    """The sentence on where a run is."""

    def __init__(self) -> None:
        self._stage, self._part, self._answers = "", "", ""

    def hear(self, stage: str, done: int, of: int) -> bool:
        """Take a step in; whether a stage begins with it."""
        if stage not in SENTENCES:
            self._answers = f" ({done} answer{'s' if done != 1 else ''} known)"
            return False
        begins = stage != self._stage
        self._stage, self._part = stage, f", {done + 1} of {of}" if of > 1 else ""
        return begins

    def __str__(self) -> str:
        return f"{SENTENCES.get(self._stage, 'Refining')}{self._part}{self._answers}"
