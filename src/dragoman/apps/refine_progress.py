"""How far a refinement has come, on standard error."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

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


@contextmanager
def refining() -> Iterator[Tell]:
    """A line that follows the run on a terminal; elsewhere one line a stage."""
    console = Console(stderr=True, highlight=False)
    if not sys.stderr.isatty():
        said: list[str] = []

        def plain(stage: str, done: int, of: int) -> None:
            if stage in SENTENCES and stage not in said:
                said.append(stage)
                print(f"{SENTENCES[stage]}...", file=sys.stderr, flush=True)

        yield plain
        return
    with console.status("Refining...") as status:
        state = {"stage": "", "answers": ""}

        def shown(stage: str, done: int, of: int) -> None:
            if stage in SENTENCES:
                state["stage"] = SENTENCES[stage] + (f", {done + 1} of {of}" if of > 1 else "")
            else:
                state["answers"] = f" ({done} answers known)"
            status.update(f"{state['stage']}...{state['answers']}")

        yield shown
