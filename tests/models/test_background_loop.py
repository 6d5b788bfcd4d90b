"""Asynchronous work for synchronous callers."""

from __future__ import annotations

import asyncio
import threading

import pytest

from dragoman.models.background_loop import run_in_background
from dragoman.models.model import OnText


async def speak(show: OnText) -> str:
    for word in ("one", "", "two"):
        show(word)
        await asyncio.sleep(0)
    return "done"


def test_text_arrives_in_the_calling_thread() -> None:
    heard: list[tuple[str, int]] = []
    assert run_in_background(speak, lambda text: heard.append((text, threading.get_ident()))) == "done"
    assert heard == [("one", threading.get_ident()), ("two", threading.get_ident())]


def test_it_works_inside_a_running_loop_and_from_many_threads() -> None:
    async def within() -> str:
        return run_in_background(speak, None)

    assert asyncio.run(within()) == "done"
    ends: list[str] = []
    threads = [threading.Thread(target=lambda: ends.append(run_in_background(speak, None))) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert ends == ["done"] * 5


def test_an_exception_of_the_work_is_raised() -> None:
    async def fail(show: OnText) -> None:
        raise LookupError("no")

    with pytest.raises(LookupError):
        run_in_background(fail, None)


@pytest.mark.parametrize("kind", [KeyboardInterrupt, ZeroDivisionError])
def test_an_exception_of_the_listener_cancels_the_work(kind: type[BaseException]) -> None:
    cancelled = threading.Event()

    async def endless(show: OnText) -> None:
        try:
            show("one")
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            cancelled.set()
            raise

    def interrupt(text: str) -> None:
        raise kind

    with pytest.raises(kind):
        run_in_background(endless, interrupt)
    assert cancelled.wait(20)
