"""Ends the work of several threads: whoever has been told to stop makes no further model call."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_STOPS: ContextVar[tuple[threading.Event, ...]] = ContextVar("stops", default=())


class Stopped(BaseException):
    """Raised in a thread whose result nobody waits for any more; no solver takes it for a failed model."""


@contextmanager
def stoppable() -> Iterator[threading.Event]:
    """An event that, once set, stops the calls made in this context and in threads started with a copy of it.

    It is set where the context is left.
    """
    stop = threading.Event()
    token = _STOPS.set((*_STOPS.get(), stop))
    try:
        yield stop
    finally:
        stop.set()
        _STOPS.reset(token)


def raise_if_stopped() -> None:
    """Raise `Stopped` if this context, or one around it, has been told to stop."""
    if any(stop.is_set() for stop in _STOPS.get()):
        raise Stopped
