"""Our messages and settings as a request to llama.cpp's server, and its streamed reply as ours."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from dragoman.models.model import Choice, Message, OnText, Reply, Settings, Tool, ToolCall, Usage

USAGE: Mapping[str, Any] = {"stream_options": {"include_usage": True}}
_MOST_TOKENS = 1024
"""Completion tokens where the settings name no limit: a small model that rambles must still end."""
_SEEDS = 1 << 31
"""Seeds below it are the first sample's. Choice i of a request gets the i-th seed after that of the request."""


def request_body(messages: Sequence[Message], tools: Sequence[Tool], settings: Settings) -> tuple[bool, dict[str, Any]]:
    """(is it a chat, the request). A single "raw" message becomes a completion, all others a chat.

    `settings.n` choices of one request are the samples that as many requests of one choice give.

    Raises `ValueError` for a "raw" message that does not stand alone or comes with tools.
    """
    chat = not any(message.role == "raw" for message in messages)
    if not chat and (len(messages) > 1 or tools):
        raise ValueError("a raw message stands alone, without tools")
    body: dict[str, Any] = {
        "max_tokens": settings.max_tokens or _MOST_TOKENS,
        "temperature": settings.temperature,
        "seed": (0x9E3779B1 * (settings.seed or 0)) % _SEEDS + settings.sample,
        **USAGE,
    }
    if settings.n > 1:
        body["n"] = settings.n
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


@dataclass
class _Choice:
    """One choice as far as it is known."""

    text: list[str] = field(default_factory=list)
    logprobs: list[tuple[str, float]] = field(default_factory=list)
    calls: dict[int, list[str]] = field(default_factory=dict)
    finish: str = "stop"

    def add(self, choice: Mapping[str, Any]) -> str:
        """Take a piece and return its text."""
        delta = choice.get("delta", {})
        text = str(choice.get("text") or delta.get("content") or "")
        self.text.append(text)
        for call in delta.get("tool_calls") or ():
            parts = self.calls.setdefault(int(call.get("index", 0)), ["", "", ""])
            function = call.get("function", {})
            for place, part in enumerate((call.get("id"), function.get("name"), function.get("arguments"))):
                parts[place] += part or ""
        for token in (choice.get("logprobs") or {}).get("content") or ():
            self.logprobs.append((str(token["token"]), float(token["logprob"])))
        self.finish = choice.get("finish_reason") or self.finish
        return text

    def whole(self) -> Choice:
        calls = tuple(ToolCall(identity, name, arguments) for identity, name, arguments in self.calls.values())
        return Choice("".join(self.text), calls, tuple(self.logprobs), self.finish)


class ReplyText:
    """Gathers the chunks of one streamed reply. `read_tokens` are those of the prompt that had to be read.

    The first choice goes to `on_text` as it streams.
    """

    def __init__(self, on_text: OnText | None) -> None:
        self._on_text = on_text
        self._choices: dict[int, _Choice] = {0: _Choice()}
        self._usage = Usage(calls=1)
        self._read_before = 0

    @property
    def read_tokens(self) -> int:
        return _read(self._usage) + self._read_before

    def add(self, chunk: Mapping[str, Any]) -> None:
        """Take one chunk."""
        for piece in chunk.get("choices", ()):
            number = int(piece.get("index", 0))
            text = self._choices.setdefault(number, _Choice()).add(piece)
            if text and number == 0 and self._on_text is not None:
                self._on_text(text)
        if chunk.get("usage"):
            self._add_usage(_usage(chunk["usage"], chunk.get("timings", {})))

    def add_read(self, chunk: Mapping[str, Any]) -> None:
        """Take one chunk of a request that only reads the beginning of the prompt."""
        if chunk.get("usage"):
            self._read_before += _read(_usage(chunk["usage"], chunk.get("timings", {})))

    def reply(self, seconds: float) -> Reply:
        """What came together."""
        choices = tuple(self._choices[number].whole() for number in sorted(self._choices))
        usage = replace(self._usage, cached_tokens=self._usage.cached_tokens - self._read_before)
        return Reply(choices, usage, 0.0, seconds)

    def _add_usage(self, usage: Usage) -> None:
        """Each choice tells its own tokens, and again those of the prompt, which was read once."""
        self._usage = replace(usage, completion_tokens=self._usage.completion_tokens + usage.completion_tokens)


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
