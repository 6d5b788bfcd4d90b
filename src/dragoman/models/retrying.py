"""Tries again where another try may help.

`ModelUnavailable` is tried again: a rate limit, a server error, a timeout, a cut connection, a reply that cannot be
read. Everything else (wrong key, wrong name, a rejected request, a spent budget) ends at once. Each sample of a
request is tried on its own.

A stream that broke is not streamed a second time: the text that `on_text` has seen stays, and the finished reply's
text follows it, only its remainder where it continues what was seen, on a line of its own otherwise. The reply that
is returned is always whole.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from dragoman.errors import ModelUnavailable
from dragoman.models.model import Message, Model, OnText, Reply, Settings, Tool
from dragoman.models.request import Request
from dragoman.models.request_key import request_key
from dragoman.models.samples import ask_each_sample
from dragoman.models.traits import parameters_of, price_of


@dataclass(frozen=True, slots=True)
class Backoff:
    """How often and how long to try. Times in seconds.

    The wait doubles from `first` to at most `longest`, each shortened by up to half, as a generator seeded with
    `seed` and the request decides. What the server asks for (Retry-After) is the least that is waited. No wait
    starts that would end later than `seconds` after the first try.
    """

    tries: int = 4
    seconds: float = 120.0
    first: float = 0.5
    longest: float = 30.0
    seed: int = 0

    def waits(self, key: str) -> Iterator[float]:
        """The waits between the tries of the request with that key."""
        generator = random.Random(f"{self.seed} {key}")
        for number in range(self.tries - 1):
            yield min(self.longest, self.first * 2.0**number) * generator.uniform(0.5, 1.0)


class RetryingModel:
    """A model with retries. `clock` and `sleep` count in seconds; `parallel` samples are asked at once."""

    def __init__(
        self,
        model: Model,
        backoff: Backoff = Backoff(),
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        parallel: int = 1,
    ) -> None:
        self.name = model.name
        self.local = model.local
        self.sql_form = model.sql_form
        self.parameters = parameters_of(model)
        self.price = price_of(model)
        self._model = model
        self._backoff = backoff
        self._clock = clock
        self._sleep = sleep
        self._parallel = parallel

    def complete(
        self,
        messages: Sequence[Message],
        tools: Sequence[Tool] = (),
        settings: Settings = Settings(),
        on_text: OnText | None = None,
    ) -> Reply:
        def ask(draw: Settings, listen: OnText | None) -> Reply:
            return self._try(Request(self.name, tuple(messages), tuple(tools), draw), listen)

        return ask_each_sample(ask, settings, on_text, self._parallel)

    def _try(self, request: Request, on_text: OnText | None) -> Reply:
        shown = _Shown(on_text)
        waits = self._backoff.waits(request_key(request))
        start = self._clock()
        for number in range(1, self._backoff.tries + 1):
            listen = shown if on_text and not shown.text else None
            try:
                reply = self._model.complete(request.messages, request.tools, request.settings, listen)
            except ModelUnavailable as error:
                self._wait(error, next(waits, None), start, number)
                continue
            if on_text and listen is None:
                shown.finish(reply.text)
            return reply
        raise AssertionError("the last try returns or raises")

    def _wait(self, error: ModelUnavailable, wait: float | None, start: float, tries: int) -> None:
        if wait is not None:
            wait = max(wait, error.retry_after or 0.0)
            if self._clock() - start + wait <= self._backoff.seconds:
                self._sleep(wait)
                return
        asked = f" The server asks to wait {error.retry_after:.0f} s." if error.retry_after else ""
        times = "once" if tries == 1 else f"{tries} times"
        raise ModelUnavailable(f"{error} Tried {times}.{asked}", error.retry_after) from None


class _Shown:
    """Remembers what a listener has seen."""

    def __init__(self, on_text: OnText | None) -> None:
        self.text = ""
        self._on_text = on_text

    def __call__(self, piece: str) -> None:
        self.text += piece
        if self._on_text:
            self._on_text(piece)

    def finish(self, text: str) -> None:
        continues = text.startswith(self.text)
        self(text[len(self.text) :] if continues else "\n" + text)
