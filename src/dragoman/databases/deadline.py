"""A deadline that interrupts a running query from another thread."""

from __future__ import annotations

import threading
from collections.abc import Callable
from types import TracebackType

from dragoman.errors import QueryTimeout


class Deadline:
    """While this context is open, `cancel` is called once after `seconds` (never for None).

    `passed` is True from then on. On leaving, no call of `cancel` is pending or running, so it cannot reach the
    next statement. `cancel` runs in its own thread and must not raise.
    """

    def __init__(self, seconds: float | None, cancel: Callable[[], None]) -> None:
        self.seconds = seconds
        self.passed = False
        self._cancel = cancel
        self._timer = None if seconds is None else threading.Timer(seconds, self._fire)

    def __enter__(self) -> Deadline:
        if self._timer is not None:
            self._timer.daemon = True
            self._timer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer.join()

    def check(self) -> None:
        """Raise `QueryTimeout` if the deadline has passed."""
        if self.passed:
            raise self.timeout()

    def timeout(self) -> QueryTimeout:
        """The exception that says so."""
        limit = "its limit" if self.seconds is None else f"{self.seconds:g} s"
        return QueryTimeout(f"The query ran longer than {limit} and was interrupted.")

    def _fire(self) -> None:
        self.passed = True
        self._cancel()
