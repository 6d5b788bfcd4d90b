"""Progress of long work on standard error: a bar on a terminal, a plain line elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TransferSpeedColumn

from dragoman import compose
from dragoman.models import embedded


def install_if_used(settings: compose.SolverSettings) -> None:
    """Fetch the weights of the embedded model, once, if these settings need them."""
    if compose.uses_embedded(settings) and not embedded.status().sound:
        with installing() as progress:
            embedded.install(progress)


@contextmanager
def thinking(shown: bool) -> Iterator[None]:
    """A sign of life on the terminal while a model works; nothing elsewhere."""
    if shown and sys.stderr.isatty():
        with Console(stderr=True).status("Thinking..."):
            yield
    else:
        yield


@contextmanager
def installing(quiet: bool = False) -> Iterator[embedded.Progress | None]:
    """A callback (bytes so far, bytes in all) for `embedded.install` that shows the download while it lasts."""
    title = "Fetching the embedded model (once)"
    if not sys.stderr.isatty():
        said: list[str] = []

        def plain(done: int, total: int) -> None:
            if not said and not quiet:
                said.append(title)
                print(f"{title}, {total / 1e6:.0f} MB...", file=sys.stderr, flush=True)

        yield plain
        return
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=None, visible=False)

        def shown(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total, visible=True)

        yield shown
