"""A deadline that interrupts a running query from another thread."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from types import TracebackType

from dragoman.errors import QueryTimeout


class Deadline:
    """While this context is open, `cancel` is called once after `seconds` (never for None).

    With `again`, it is called again after so many seconds for as long as the context is open: for engines that forget
    an interrupt which arrives between two statements. `passed` is True from the first call on. On leaving, no call of
    `cancel` is pending or running, so it cannot reach the next statement. `cancel` runs in its own thread and must not
    raise.
    """

    def __init__(self, seconds: float | None, cancel: Callable[[], None], again: float | None = None) -> None:
        self.seconds = seconds
        self.passed = False
        self._cancel = cancel
        self._again = again
        self._ended = threading.Event()
        self._end = 0.0
        self._watch = None if seconds is None else threading.Thread(target=self._wait, args=(seconds,), daemon=True)

    def __enter__(self) -> Deadline:
        if self.seconds is not None and self._watch is not None:
            self._end = time.monotonic() + self.seconds
            self._watch.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._watch is not None:
            self._ended.set()
            self._watch.join()

    @property
    def left(self) -> float | None:
        """Seconds until it passes, at least 0; None if it never does."""
        return None if self.seconds is None else max(0.0, self._end - time.monotonic())

    def check(self) -> None:
        """Raise `QueryTimeout` if the deadline has passed."""
        if self.passed:
            raise self.timeout()

    def timeout(self) -> QueryTimeout:
        """The exception that says so."""
        limit = "its limit" if self.seconds is None else f"{self.seconds:g} s"
        return QueryTimeout(f"The query ran longer than {limit} and was interrupted.")

    def _wait(self, seconds: float) -> None:
        if self._ended.wait(seconds):
            return
        self.passed = True
        self._cancel()
        while self._again is not None and not self._ended.wait(self._again):
            self._cancel()
