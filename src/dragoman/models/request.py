"""A request to a model as a value, and requests and replies as JSON records.

Records leave defaults out, so that a setting added later does not change the record of an older request.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from dragoman.models.model import Choice, Message, Reply, Settings, Tool, ToolCall, Usage


@dataclass(frozen=True, slots=True)
class Request:
    """Everything that decides a reply. `parameters` are the provider's own, without secrets."""

    model: str
    messages: tuple[Message, ...]
    tools: tuple[Tool, ...] = ()
    settings: Settings = Settings()
    parameters: Mapping[str, Any] = field(default_factory=dict)


def request_to_record(request: Request) -> dict[str, Any]:
    """The request as JSON values. `request_from_record` gives an equal request back."""
    record: dict[str, Any] = _record(request)
    settings = record.get("settings", {})
    if "temperature" in settings:
        settings["temperature"] = float(settings["temperature"])
    return record


def request_from_record(record: Mapping[str, Any]) -> Request:
    """Raises ValueError, KeyError or TypeError where the record is not a request."""
    settings = dict(record.get("settings", {}))
    if "stop" in settings:
        settings["stop"] = tuple(settings["stop"])
    return Request(
        record["model"],
        tuple(_message(message) for message in record["messages"]),
        tuple(Tool(**tool) for tool in record.get("tools", ())),
        Settings(**settings),
        dict(record.get("parameters", {})),
    )


def reply_to_record(reply: Reply) -> dict[str, Any]:
    """The reply as JSON values, `stored` left out. `reply_from_record` gives it back."""
    record: dict[str, Any] = _record(dataclasses.replace(reply, stored=False))
    return record


def reply_from_record(record: Mapping[str, Any]) -> Reply:
    """Raises ValueError, KeyError or TypeError where the record is not a reply with at least one choice."""
    choices = tuple(_choice(choice) for choice in record["choices"])
    if not choices:
        raise ValueError("a reply needs a choice")
    cost = record.get("cost", 0.0)
    return Reply(
        choices,
        Usage(**record.get("usage", {})),
        None if cost is None else float(cost),
        float(record.get("seconds", 0.0)),
    )


def _message(record: Mapping[str, Any]) -> Message:
    return Message(**{**record, "tool_calls": _tool_calls(record)})


def _choice(record: Mapping[str, Any]) -> Choice:
    logprobs = tuple((str(token), float(value)) for token, value in record.get("logprobs", ()))
    return Choice(**{**record, "tool_calls": _tool_calls(record), "logprobs": logprobs})


def _tool_calls(record: Mapping[str, Any]) -> tuple[ToolCall, ...]:
    return tuple(ToolCall(**call) for call in record.get("tool_calls", ()))


def _record(value: Any) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        pairs = ((f, getattr(value, f.name)) for f in dataclasses.fields(value))
        return {f.name: _record(item) for f, item in pairs if not _is_default(f, item)}
    if isinstance(value, Mapping):
        return {str(key): _record(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_record(item) for item in value]
    return value


def _is_default(described: dataclasses.Field[Any], value: Any) -> bool:
    if described.default_factory is not dataclasses.MISSING:
        return bool(value == described.default_factory())
    return bool(value == described.default)
