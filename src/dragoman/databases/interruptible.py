"""Calls into a driver that does not look for signals while it works."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

_Result = TypeVar("_Result")
_LOOK = 0.05


def interruptible(call: Callable[[], _Result], interrupt: Callable[[], None]) -> _Result:
    """What `call` gives; Ctrl-C calls `interrupt`, waits for `call` to end, and goes on as KeyboardInterrupt.

    Signals reach the main thread alone; in any other the call is made as it is.
    """
    if threading.current_thread() is not threading.main_thread():
        return call()
    results: list[_Result] = []
    errors: list[BaseException] = []
    ended = threading.Event()

    def run() -> None:
        try:
            results.append(call())
        except BaseException as error:  # handed to the caller below
            errors.append(error)
        finally:
            ended.set()

    threading.Thread(target=run, name="dragoman-query", daemon=True).start()
    interrupted = False
    while not ended.is_set():  # an interrupted join would take the thread for ended
        try:
            ended.wait(_LOOK)
        except KeyboardInterrupt:
            interrupted = True
            interrupt()
    if interrupted:
        raise KeyboardInterrupt
    if errors:
        raise errors[0]
    return results[0]
