"""Several calls at the same time, which an exception or an interrupt ends cleanly."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextvars import copy_context
from queue import SimpleQueue
from typing import TypeVar

from dragoman.models.stoppable import stoppable

_Result = TypeVar("_Result")


def at_once(calls: Sequence[Callable[[], _Result]], workers: int) -> tuple[_Result, ...]:
    """What each call gives, in their order whatever the number of threads.

    The first exception keeps calls that wait from starting, stops the others at their next model call, and is raised
    when they have ended. An interrupt stops them alike, and waits for none.
    """
    if workers <= 1 or len(calls) <= 1:
        return tuple(call() for call in calls)
    waiting = list(enumerate(calls))[::-1]
    results: dict[int, _Result] = {}
    ended: SimpleQueue[BaseException | None] = SimpleQueue()

    def work() -> None:
        try:
            while True:
                try:
                    number, call = waiting.pop()
                except IndexError:
                    return
                results[number] = call()
                ended.put(None)
        except BaseException as error:  # raised again below, in the thread that asked
            ended.put(error)

    with stoppable() as stop:
        threads = [_started(work) for _ in range(min(workers, len(calls)))]
        try:
            for _ in calls:
                error = ended.get()
                if error is not None:
                    raise error
        except Exception:
            waiting.clear()
            stop.set()
            for thread in threads:
                thread.join()
            raise
        finally:
            waiting.clear()
    return tuple(results[number] for number in range(len(calls)))


def _started(work: Callable[[], None]) -> threading.Thread:
    """A thread that an interrupt does not wait for."""
    thread = threading.Thread(target=copy_context().run, args=(work,), name="dragoman-at-once", daemon=True)
    thread.start()
    return thread
