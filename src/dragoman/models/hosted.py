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

from dragoman.models.background_loop import run_in_background
from dragoman.models.base_url import check_base_url, is_loopback
from dragoman.models.model import Message, OnText, Reply, Settings, SqlForm, Tool, Usage
from dragoman.models.provider_names import split_model_name
from dragoman.models.samples import ask_each_sample

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelResponse
    from pydantic_ai.models import Model as ProviderModel

_OPENAI = ("", "openai", "openai-chat")


class HostedModel:
    """The model `spec`: "provider:NAME", or a bare NAME with the `base_url` of an OpenAI-compatible server.

    `timeout` bounds a silence and `deadline` a whole request, both in seconds. `extra` goes into the body of every
    request. The key is held for the client alone. `n` choices are as many calls, four at a time. A grammar goes to
    OpenAI-compatible servers with a base URL (llama.cpp reads it); other providers never see it.
    """

    sql_form: SqlForm | None = None

    def __init__(
        self,
        spec: str,
        base_url: str | None = None,
        api_key: str | None = None,
        timeout: float = 60.0,
        deadline: float = 600.0,
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
        self._times = {"timeout": timeout, "request_timeout": deadline}
        self._lock = threading.Lock()
        self._connected: tuple[int, ProviderModel] | None = None
        self._reached = False

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
        from dragoman.models.provider_messages import from_response, from_usage

        start = time.monotonic()
        response = self._response(messages, tools, settings, on_text)
        usage = from_usage(response)
        return Reply((from_response(response),), usage, self._cost(response, usage), time.monotonic() - start)

    def _response(
        self, messages: Sequence[Message], tools: Sequence[Tool], settings: Settings, on_text: OnText | None
    ) -> ModelResponse:
        from pydantic_ai.direct import model_request, model_request_stream

        from dragoman.models.provider_errors import as_model_error
        from dragoman.models.provider_messages import text_of, to_messages, to_parameters, to_settings

        model = self._connect()
        grammar = self._base_url is not None and self._provider in _OPENAI
        asked = to_messages(messages, self.name)
        request: dict[str, Any] = {
            "model_settings": {**to_settings(settings, grammar, self.parameters), **self._times},
            "model_request_parameters": to_parameters(tools, settings, model.profile, grammar),
        }

        async def work(show: OnText) -> ModelResponse:
            try:
                if on_text is None:
                    return await model_request(model, asked, **request)
                async with model_request_stream(model, asked, **request) as stream:
                    async for event in stream:
                        show(text_of(event))
                    return stream.get()
            except Exception as error:  # whatever a client makes of what a server sends is that server's failure
                raise as_model_error(error, self.name, self._key, self._reached) from None

        response = run_in_background(work, on_text)
        self._reached = True
        return response

    def _cost(self, response: ModelResponse, usage: Usage) -> float | None:
        if self._base_url or not usage.prompt_tokens:
            return self.price(usage) if usage.prompt_tokens else None
        try:
            return float(response.cost().total_price)
        except (LookupError, ValueError):
            return None

    def _connect(self) -> ProviderModel:
        from dragoman.models.provider_connection import connect_provider

        with self._lock:
            if self._connected is None or self._connected[0] != os.getpid():  # connections do not outlive a fork
                model = connect_provider(self._provider, self._name, self._base_url, self._key)
                self._connected = os.getpid(), model
            return self._connected[1]
