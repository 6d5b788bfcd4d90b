"""pydantic-ai's side of a hosted model: one request, streamed or not, and its end. Imported when it is first needed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic_ai.direct import model_request, model_request_stream
from pydantic_ai.exceptions import UnexpectedModelBehavior
from pydantic_ai.messages import ModelResponse

from dragoman.models.background_loop import run_in_background
from dragoman.models.model import Choice, Message, OnText, Settings, Tool, Usage
from dragoman.models.provider_connection import connect_provider
from dragoman.models.provider_errors import as_model_error
from dragoman.models.provider_messages import (
    from_response,
    from_usage,
    text_of,
    to_messages,
    to_parameters,
    to_settings,
)


class Provider:
    """One model of a provider, which errors call `label`.

    `address` is provider, name and base URL; `times` bound a silence and a whole request, in seconds.
    """

    def __init__(self, label: str, address: tuple[str, str, str | None], key: str, times: tuple[float, float]) -> None:
        provider, name, base_url = address
        self._label = label
        self._key = key
        self._model = connect_provider(provider, name, base_url, key)
        self._takes_grammar = base_url is not None and provider in ("", "openai", "openai-chat")
        self._times = {"timeout": times[0], "request_timeout": times[1]}
        self._reached = False

    def ask(
        self,
        messages: Sequence[Message],
        tools: Sequence[Tool],
        settings: Settings,
        extra: Mapping[str, Any],
        on_text: OnText | None,
    ) -> tuple[Choice, Usage, float | None]:
        """One sample: the choice, its usage, and the US dollars that the provider's price list makes of it.

        Raises the errors listed in `provider_errors`, and `SetupError` for a raw prompt.
        """
        asked = to_messages(messages, self._label)
        request: dict[str, Any] = {
            "model_settings": {**to_settings(settings, self._takes_grammar, extra), **self._times},
            "model_request_parameters": to_parameters(tools, settings, self._model.profile, self._takes_grammar),
        }

        async def respond(show: OnText) -> ModelResponse:
            if on_text is None:
                return await model_request(self._model, asked, **request)
            async with model_request_stream(self._model, asked, **request) as stream:
                async for event in stream:
                    show(text_of(event))
                return stream.get()

        async def work(show: OnText) -> ModelResponse:
            try:
                response = await respond(show)
                if _was_cut(response, on_text is not None):
                    raise UnexpectedModelBehavior("the stream ended before the reply did")
                return response
            except Exception as error:  # whatever a client makes of what a server sends is that server's failure
                raise as_model_error(error, self._label, self._key, self._reached) from None

        response = run_in_background(work, on_text)
        self._reached = True
        return from_response(response), from_usage(response), _cost(response)


def _cost(response: ModelResponse) -> float | None:
    try:
        return float(response.cost().total_price)
    except (LookupError, ValueError, AssertionError):
        return None


def _was_cut(response: ModelResponse, streamed: bool) -> bool:
    """Whether the stream closed in good form but without its end. Anthropic's client also streams unasked."""
    if "finish_reason" in (response.provider_details or {}):
        return False
    return response.provider_name == "anthropic" or (streamed and response.usage.unmeasured_requests > 0)
