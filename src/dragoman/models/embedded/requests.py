"""Our messages and settings as a request to llama.cpp's server, and its streamed reply as ours."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from dragoman.models.model import Choice, Message, OnText, Reply, Settings, Tool, ToolCall, Usage

USAGE: Mapping[str, Any] = {"stream_options": {"include_usage": True}}
_MOST_TOKENS = 1024
"""Completion tokens where the settings name no limit: a small model that rambles must still end."""


def request_body(messages: Sequence[Message], tools: Sequence[Tool], settings: Settings) -> tuple[bool, dict[str, Any]]:
    """(is it a chat, the request). A single "raw" message becomes a completion, all others a chat.

    Raises `ValueError` for a "raw" message that does not stand alone or comes with tools.
    """
    chat = not any(message.role == "raw" for message in messages)
    if not chat and (len(messages) > 1 or tools):
        raise ValueError("a raw message stands alone, without tools")
    body: dict[str, Any] = {
        "max_tokens": settings.max_tokens or _MOST_TOKENS,
        "temperature": settings.temperature,
        "seed": (0x9E3779B1 * (settings.seed or 0) + settings.sample) % 0xFFFFFFFF,
        **USAGE,
    }
    if settings.stop:
        body["stop"] = list(settings.stop)
    if settings.grammar:
        body["grammar"] = settings.grammar
    if settings.logprobs:
        body |= {"logprobs": True, "top_logprobs": 1} if chat else {"logprobs": 1}
    if settings.json_schema is not None:
        schema = dict(settings.json_schema)
        shape = {"type": "json_schema", "json_schema": {"schema": schema}}
        body |= {"response_format": shape} if chat else {"json_schema": schema}
    if tools:
        body["tools"] = [_tool(tool) for tool in tools]
    return chat, body | ({"messages": [_message(m) for m in messages]} if chat else {"prompt": messages[0].text})


def prompt_text(messages: Sequence[Message], tools: Sequence[Tool]) -> str:
    """A text that begins like another one's as far as the two prompts begin alike."""
    if len(messages) == 1 and messages[0].role == "raw":
        return messages[0].text
    return json.dumps([[_tool(tool) for tool in tools], [_message(message) for message in messages]])


class ReplyText:
    """Gathers the chunks of one streamed reply. `read_tokens` are those of the prompt that had to be read."""

    def __init__(self, on_text: OnText | None) -> None:
        self._on_text = on_text
        self._text: list[str] = []
        self._logprobs: list[tuple[str, float]] = []
        self._calls: dict[int, list[str]] = {}
        self._finish = "stop"
        self._usage = Usage(calls=1)
        self._read_before = 0

    @property
    def read_tokens(self) -> int:
        return _read(self._usage) + self._read_before

    def add(self, chunk: Mapping[str, Any]) -> None:
        """Take one chunk."""
        for choice in chunk.get("choices", ()):
            delta = choice.get("delta", {})
            self._add_text(choice.get("text") or delta.get("content") or "")
            for call in delta.get("tool_calls") or ():
                self._add_call(call)
            for token in (choice.get("logprobs") or {}).get("content") or ():
                self._logprobs.append((str(token["token"]), float(token["logprob"])))
            self._finish = choice.get("finish_reason") or self._finish
        if chunk.get("usage"):
            self._usage = _usage(chunk["usage"], chunk.get("timings", {}))

    def add_read(self, chunk: Mapping[str, Any]) -> None:
        """Take one chunk of a request that only reads the beginning of the prompt."""
        if chunk.get("usage"):
            self._read_before += _read(_usage(chunk["usage"], chunk.get("timings", {})))

    def reply(self, seconds: float) -> Reply:
        """What came together."""
        calls = tuple(ToolCall(identity, name, arguments) for identity, name, arguments in self._calls.values())
        choice = Choice("".join(self._text), calls, tuple(self._logprobs), self._finish)
        usage = replace(self._usage, cached_tokens=self._usage.cached_tokens - self._read_before)
        return Reply((choice,), usage, 0.0, seconds)

    def _add_text(self, text: str) -> None:
        if text:
            self._text.append(text)
            if self._on_text is not None:
                self._on_text(text)

    def _add_call(self, call: Mapping[str, Any]) -> None:
        parts = self._calls.setdefault(int(call.get("index", 0)), ["", "", ""])
        function = call.get("function", {})
        for place, part in enumerate((call.get("id"), function.get("name"), function.get("arguments"))):
            parts[place] += part or ""


def _read(usage: Usage) -> int:
    return usage.prompt_tokens - usage.cached_tokens


def _usage(usage: Mapping[str, Any], timings: Mapping[str, Any]) -> Usage:
    return Usage(1, int(usage["prompt_tokens"]), int(usage["completion_tokens"]), int(timings.get("cache_n", 0)))


def _tool(tool: Tool) -> dict[str, Any]:
    function = {"name": tool.name, "description": tool.description, "parameters": dict(tool.parameters)}
    return {"type": "function", "function": function}


def _message(message: Message) -> dict[str, Any]:
    body: dict[str, Any] = {"role": message.role, "content": message.text}
    if message.tool_calls:
        body["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in message.tool_calls
        ]
    if message.role == "tool":
        body["tool_call_id"] = message.tool_call_id
    return body
