"""Models behind an API: OpenAI-compatible servers, OpenAI, Anthropic, Google and every provider of pydantic-ai.

pydantic-ai is imported when the first request is made. Its SDKs' hidden retries are off: `RetryingModel` retries.
How a request can end is told in `provider_errors`; a tool call with broken JSON is a reply like any other.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from dragoman.models.base_url import check_base_url, is_loopback
from dragoman.models.model import Message, OnText, Reply, Settings, SqlForm, Tool, Usage
from dragoman.models.provider_names import split_model_name
from dragoman.models.samples import ask_each_sample

if TYPE_CHECKING:
    from dragoman.models.provider import Provider


class HostedModel:
    """The model `spec`: "provider:NAME", or a bare NAME with the `base_url` of an OpenAI-compatible server.

    `timeout` bounds a silence and `deadline` a whole request, both in seconds; a long reply that is not streamed is a
    long silence. `extra` goes into the body of every
    request. The key is held for the client alone. `n` choices are as many calls, four at a time. A grammar goes to
    OpenAI-compatible servers with a base URL (llama.cpp reads it); other providers never see it.
    """

    sql_form: SqlForm | None = None

    def __init__(
        self,
        spec: str,
        base_url: str | None = None,
        api_key: str | None = None,
        timeout: float = 300.0,
        deadline: float = 900.0,
        extra: Mapping[str, Any] | None = None,
    ) -> None:
        self._provider, self._name = split_model_name(spec, base_url)
        if not base_url and self._provider in ("openai", "anthropic"):
            base_url = os.environ.get(f"{self._provider.upper()}_BASE_URL")
        self._base_url = check_base_url(base_url) if base_url else None
        self.name = f"{spec} at {self._base_url}" if self._base_url else spec
        self.local = bool(self._base_url) and is_loopback(self._base_url or "")
        self.parameters: Mapping[str, Any] = dict(extra or {})
        self._key = api_key or ""
        self._times = timeout, deadline
        self._lock = threading.Lock()
        self._connected: tuple[int, Provider] | None = None

    def __repr__(self) -> str:
        return f"HostedModel({self.name!r})"

    def complete(
        self,
        messages: Sequence[Message],
        tools: Sequence[Tool] = (),
        settings: Settings = Settings(),
        on_text: OnText | None = None,
    ) -> Reply:
        def ask(draw: Settings, listen: OnText | None) -> Reply:
            return self._ask(messages, tools, draw, listen)

        return ask_each_sample(ask, settings, on_text, parallel=4)

    def price(self, usage: Usage) -> float | None:
        """US dollars for that usage by the price list that pydantic-ai brings; None where it knows no price."""
        from genai_prices import Usage as Tokens
        from genai_prices import calc_price

        tokens = Tokens(
            input_tokens=usage.prompt_tokens,
            output_tokens=usage.completion_tokens,
            cache_read_tokens=usage.cached_tokens,
        )
        try:
            if self._base_url:
                found = calc_price(tokens, self._name, provider_api_url=self._base_url)
            else:
                found = calc_price(tokens, self._name, provider_id=self._provider.removesuffix("-chat"))
        except LookupError:
            return None
        return float(found.total_price)

    def _ask(
        self, messages: Sequence[Message], tools: Sequence[Tool], settings: Settings, on_text: OnText | None
    ) -> Reply:
        start = time.monotonic()
        choice, usage, cost = self._connect().ask(messages, tools, settings, self.parameters, on_text)
        if self._base_url:  # somebody else's server may use a well-known name
            cost = self.price(usage) if usage.prompt_tokens else None
        return Reply((choice,), usage, cost, time.monotonic() - start)

    def _connect(self) -> Provider:
        from dragoman.models.provider import Provider  # imports pydantic-ai, which takes seconds

        with self._lock:
            if self._connected is None or self._connected[0] != os.getpid():  # connections do not outlive a fork
                address = self._provider, self._name, self._base_url
                self._connected = os.getpid(), Provider(self.name, address, self._key, self._times)
            return self._connected[1]
