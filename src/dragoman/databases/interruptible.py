"""Calls into a driver that does not look for signals while it works, and may not look for interrupts either."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TypeVar

_Result = TypeVar("_Result")
_LOOK = 0.05
GRACE = 2.0
"""Seconds in which an interrupted call may end."""


class Abandoned(Exception):
    """A call was interrupted and did not end; it goes on in a thread of its own. `by_user` after Ctrl-C."""

    def __init__(self, by_user: bool) -> None:
        super().__init__("The call did not end.")
        self.by_user = by_user


def interruptible(
    call: Callable[[], _Result],
    interrupt: Callable[[], None],
    seconds: float | None = None,
    after: Callable[[], object] = lambda: None,
) -> _Result:
    """What `call` gives; Ctrl-C calls `interrupt`, waits for `call` to end, and goes on as KeyboardInterrupt.

    Signals reach the main thread alone; in any other, and without a limit in `seconds`, the call is made as it is.
    A call that has not ended `GRACE` after Ctrl-C or after its limit is left behind: that raises `Abandoned`, and
    `after` is called in the call's own thread when it ends. Whoever sets a limit interrupts the call.
    """
    in_main = threading.current_thread() is threading.main_thread()
    if seconds is None and not in_main:
        return call()
    results: list[_Result] = []
    errors: list[BaseException] = []
    ended, left = threading.Event(), threading.Event()
    lock = threading.Lock()

    def run() -> None:
        try:
            results.append(call())
        except BaseException as error:  # handed to the caller below
            errors.append(error)
        with lock:
            ended.set()
        if left.is_set():
            after()

    threading.Thread(target=run, name="dragoman-query", daemon=True).start()
    end = None if seconds is None else time.monotonic() + seconds + GRACE
    interrupted = False
    while not ended.is_set():  # an interrupted join would take the thread for ended
        try:
            ended.wait(_LOOK if in_main or end is None else max(0.0, end - time.monotonic()))
            if end is not None and time.monotonic() > end:
                with lock:
                    if not ended.is_set():
                        left.set()
                        raise Abandoned(interrupted)
        except KeyboardInterrupt:
            interrupted = True
            end = min(end or time.monotonic() + GRACE, time.monotonic() + GRACE)
            interrupt()
    if interrupted:
        raise KeyboardInterrupt
    if errors:
        raise errors[0]
    return results[0]
