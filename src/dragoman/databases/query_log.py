"""An append-only record of queries, as JSON Lines."""

from __future__ import annotations

import contextlib
import datetime
import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any

from dragoman.databases.values import to_json
from dragoman.errors import SetupError

try:
    import fcntl
except ImportError:  # Windows: one write of a line is all there is
    fcntl = None  # type: ignore[assignment]

_ABOUT: ContextVar[tuple[str, str]] = ContextVar("about", default=("", ""))


def _now() -> datetime.datetime:
    return datetime.datetime.now(datetime.UTC)


class QueryLog:
    """A file to which one line is added for each query: never rewritten, readable by its owner alone.

    A line has time, database, question, model, sql, verdict ("ran", or the code of the error), reason, rows,
    truncated, seconds and limits. No value of a result is written unless `values` is True; then `result` has them.
    Several threads and processes may write to one file.
    """

    def __init__(self, path: Path, values: bool = False, clock: Callable[[], datetime.datetime] = _now) -> None:
        """Raises `SetupError` if the file cannot be written."""
        self.path = path
        self.values = values
        self._clock = clock
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            os.close(self._open())
        except OSError as error:
            raise SetupError(f"Cannot write the query log {path}: {error.strerror}. Choose another path.") from None

    def write(self, entry: Mapping[str, Any], result: tuple[tuple[Any, ...], ...] | None = None) -> None:
        """Add one line: the time, what `asking` says of the question, and `entry`."""
        question, model = _ABOUT.get()
        time = self._clock().isoformat(timespec="milliseconds")
        line: dict[str, Any] = {"time": time, "question": question, "model": model, **entry}
        if self.values and result is not None:
            line["result"] = to_json(result)
        data = (json.dumps(line, ensure_ascii=True) + "\n").encode()
        descriptor = self._open()
        try:
            if fcntl is not None:
                fcntl.flock(descriptor, fcntl.LOCK_EX)
            while data:
                data = data[os.write(descriptor, data) :]
        finally:
            os.close(descriptor)

    def _open(self) -> int:
        return os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)


@contextmanager
def asking(question: str, model: str = "") -> Iterator[None]:
    """Queries that run in this context are logged with the question and the model behind them.

    It holds for this thread, and for threads started with a copy of its context (`contextvars.copy_context`).
    """
    token = _ABOUT.set((question, model))
    try:
        yield
    finally:
        with contextlib.suppress(ValueError):  # a generator closed by another thread
            _ABOUT.reset(token)


def read_log(path: Path) -> Iterator[dict[str, Any]]:
    """The lines of a log, oldest first; a line that a crash cut off is left out."""
    with path.open(encoding="utf-8") as file:
        for line in file:
            with contextlib.suppress(ValueError):
                yield json.loads(line)
