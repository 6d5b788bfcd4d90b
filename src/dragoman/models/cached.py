"""A model that never pays twice for the same request."""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Sequence
from pathlib import Path

from dragoman.models.model import Message, Model, OnText, Reply, Settings, Tool
from dragoman.models.reply_cache import ReplyCache
from dragoman.models.request import Request
from dragoman.models.request_key import request_key
from dragoman.models.samples import ask_each_sample
from dragoman.models.traits import parameters_of, price_of


class CachedModel:
    """`model` with its replies kept in `cache`, a `ReplyCache` or the path of its file.

    Each sample is a request of its own. A kept reply comes back with `stored` set, its usage as it was, and cost 0;
    `saved` sums in US dollars what such replies had cost (unknown costs left out), and `original_cost` looks one up.
    Models that share a `ReplyCache` also share calls that run at the same time. `parallel` samples are asked at once.
    """

    def __init__(self, model: Model, cache: ReplyCache | Path | str, parallel: int = 1) -> None:
        self.name = model.name
        self.local = model.local
        self.sql_form = model.sql_form
        self.parameters = parameters_of(model)
        self.price = price_of(model)
        self.saved = 0.0
        self._model = model
        self._cache = cache if isinstance(cache, ReplyCache) else ReplyCache(cache)
        self._parallel = parallel
        self._lock = threading.Lock()

    def complete(
        self,
        messages: Sequence[Message],
        tools: Sequence[Tool] = (),
        settings: Settings = Settings(),
        on_text: OnText | None = None,
    ) -> Reply:
        def ask(draw: Settings, listen: OnText | None) -> Reply:
            return self._ask(self._request(messages, tools, draw), listen)

        return ask_each_sample(ask, settings, on_text, self._parallel)

    def original_cost(
        self, messages: Sequence[Message], tools: Sequence[Tool] = (), settings: Settings = Settings()
    ) -> float | None:
        """US dollars that the kept reply to this request (of one sample) had cost; None if unknown or not kept."""
        kept = self._cache.get(request_key(self._request(messages, tools, settings)))
        return kept.cost if kept else None

    def _ask(self, request: Request, on_text: OnText | None) -> Reply:
        def pay() -> Reply:
            return self._model.complete(request.messages, request.tools, request.settings, on_text)

        reply, paid = self._cache.get_or_pay(request_key(request), self.name, pay)
        if paid:
            return reply
        if on_text:
            on_text(reply.text)
        with self._lock:
            self.saved += reply.cost or 0.0
        return dataclasses.replace(reply, cost=0.0, seconds=0.0, stored=True)

    def _request(self, messages: Sequence[Message], tools: Sequence[Tool], settings: Settings) -> Request:
        return Request(self.name, tuple(messages), tuple(tools), settings, self.parameters)
