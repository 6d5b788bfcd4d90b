"""One event loop in a thread of its own, on which the asynchronous clients of hosted models run.

So synchronous code in any number of threads shares connections, and works inside a running event loop (a notebook).
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Coroutine
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, TypeVar

from dragoman.models.model import OnText

if TYPE_CHECKING:
    import asyncio

_Result = TypeVar("_Result")
_lock = threading.Lock()
_running: tuple[int, asyncio.AbstractEventLoop] | None = None


def run_in_background(work: Callable[[OnText], Coroutine[Any, Any, _Result]], on_text: OnText | None) -> _Result:
    """Run `work` on the background loop and return its result or raise its exception.

    `work` is given a function that takes pieces of text from it; `on_text` receives them in the calling thread. An
    interrupt, or an exception from `on_text`, cancels the work.
    """
    import asyncio  # takes a while, and most programs that import this room never need it

    pieces: SimpleQueue[str | None] = SimpleQueue()
    future = asyncio.run_coroutine_threadsafe(work(pieces.put), _background_loop())
    future.add_done_callback(lambda _: pieces.put(None))
    try:
        while (piece := pieces.get()) is not None:
            if on_text and piece:
                on_text(piece)
        return future.result()
    except BaseException:
        future.cancel()
        raise


def _background_loop() -> asyncio.AbstractEventLoop:
    import asyncio

    global _running
    with _lock:
        if _running is None or _running[0] != os.getpid():  # a fork takes the loop but not its thread
            loop = asyncio.new_event_loop()
            threading.Thread(target=loop.run_forever, name="dragoman-models", daemon=True).start()
            _running = os.getpid(), loop
        return _running[1]
