"""Several choices as several calls, one per sample, so that each is paid, retried and kept on its own."""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Callable, Sequence

from dragoman.models.model import OnText, Reply, Settings, Usage

_SPREAD = 0x9E3779B1  # odd, so that neighbouring seeds lie far apart

Ask = Callable[[Settings, OnText | None], Reply]


def ask_each_sample(ask: Ask, settings: Settings, on_text: OnText | None, parallel: int = 1) -> Reply:
    """Ask for `settings.n` choices one at a time, up to `parallel` of them at once, and join them in order.

    `ask` gets settings with `n` 1 and the sample's own index. Only the first choice is streamed. Usage and cost are
    summed (a cost is None where any is unknown), `seconds` is the sum, or the longest where calls ran in parallel.
    With `parallel` above 1, several choices are asked for, and streamed, in other threads.
    """
    if settings.n < 1:
        raise ValueError(f"n must be at least 1, not {settings.n}")
    draws = [dataclasses.replace(settings, n=1, sample=settings.sample + i) for i in range(settings.n)]
    if len(draws) == 1:
        return ask(draws[0], on_text)
    listeners: list[OnText | None] = [on_text, *[None] * (len(draws) - 1)]
    if parallel <= 1:
        return joined([ask(draw, listen) for draw, listen in zip(draws, listeners, strict=True)])
    return joined(_ask_at_once(ask, draws, listeners, parallel), max)


def joined(replies: Sequence[Reply], seconds: Callable[[list[float]], float] = sum) -> Reply:
    """One reply with all choices; usage and cost are summed (a cost is None where any is unknown)."""
    if len(replies) == 1:
        return replies[0]
    costs = [reply.cost for reply in replies]
    known = [cost for cost in costs if cost is not None]
    return Reply(
        tuple(choice for reply in replies for choice in reply.choices),
        sum((reply.usage for reply in replies), Usage()),
        sum(known) if len(known) == len(costs) else None,
        seconds([reply.seconds for reply in replies]),
        all(reply.stored for reply in replies),
        sum(reply.load_seconds for reply in replies),
    )


def sample_seed(settings: Settings) -> int | None:
    """The seed to send for one sample, from 0 to 2**31 - 1.

    Each sample of each seed has its own, so that a seeded server does not repeat itself.
    """
    return None if settings.seed is None else (_SPREAD * settings.seed + settings.sample) % 2**31


def _ask_at_once(ask: Ask, draws: Sequence[Settings], listeners: Sequence[OnText | None], parallel: int) -> list[Reply]:
    """The replies in order, or the error of the earliest sample that failed, once those that run have ended.

    The threads are daemons: an interrupt does not wait for them.
    """
    lock = threading.Lock()
    waiting = list(range(len(draws)))[::-1]
    replies: dict[int, Reply] = {}
    errors: dict[int, BaseException] = {}

    def work() -> None:
        while True:
            with lock:
                if not waiting:
                    return
                number = waiting.pop()
            try:
                replies[number] = ask(draws[number], listeners[number])
            except BaseException as error:  # raised again below, in the thread that asked
                errors[number] = error
                waiting.clear()

    threads = [threading.Thread(target=work, daemon=True) for _ in range(min(parallel, len(draws)))]
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        waiting.clear()
    if errors:
        raise errors[min(errors)]
    return [replies[number] for number in range(len(draws))]
