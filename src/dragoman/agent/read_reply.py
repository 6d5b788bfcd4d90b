"""What a model's reply calls: native tool calls, or blocks of the text protocol."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from dragoman.agent.sentences import say
from dragoman.agent.tools import TOOLS, described
from dragoman.models import Choice, ToolCall

_THOUGHT = re.compile(r"\A.*</(?:think|thinking)>|<(think|thinking)>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_BLOCK = re.compile(r"^(`{3,}|~{3,})[ \t]*tool[ \t:=]+(\w+)[ \t]*\n(.*?)(?:^\1[ \t]*$|\Z)", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Call:
    """One tool called. `problem` is what to tell the model where the call cannot be carried out; `id` is a native
    call's, "" in text."""

    name: str
    argument: str = ""
    id: str = ""
    problem: str = ""


def read_reply(choice: Choice) -> tuple[Call, ...]:
    """The calls of a reply in order; a reply that calls nothing gives one nameless call with its problem.

    A model that was offered tool calls may write a block all the same, and the other way round: both are read.
    """
    if choice.tool_calls:
        return tuple(_native(call) for call in choice.tool_calls)
    text = _THOUGHT.sub("", choice.text.replace("\r\n", "\n"))
    blocks = tuple(_called(name, body.strip()) for _, name, body in _BLOCK.findall(text))
    if blocks:
        return blocks
    return (_from_object(text) or Call("", problem=_nothing(choice)),)


def _native(call: ToolCall) -> Call:
    found = _called(call.name, "", call.id)
    if call.name not in TOOLS:
        return found
    argument = described()[call.name].argument
    value = _argument(_object(call.arguments), argument)
    if value is None:
        return Call(call.name, id=call.id, problem=say("bad_json", argument=argument))
    return _called(call.name, value.strip(), call.id)


def _from_object(text: str) -> Call | None:
    """A call written as a JSON object with name (or tool) and arguments, as some models were trained to."""
    value = _object(text[text.find("{") : text.rfind("}") + 1])
    if value is None:
        return None
    name, arguments = value.get("name", value.get("tool")), value.get("arguments", value.get("parameters"))
    if not isinstance(name, str) or name not in TOOLS:
        return None
    argument = described()[name].argument
    found = _argument(arguments if isinstance(arguments, dict) else None, argument)
    return Call(name, problem=say("bad_json", argument=argument)) if found is None else _called(name, found.strip())


def _called(name: str, argument: str, id: str = "") -> Call:
    if name not in TOOLS:
        return Call("", id=id, problem=say("unknown_tool", tools=", ".join(TOOLS)))
    problem = "" if argument else say("empty_argument", argument=described()[name].argument)
    return Call(name, argument, id, problem)


def _object(text: str) -> dict[str, Any] | None:
    try:
        value = json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _argument(arguments: dict[str, Any] | None, name: str) -> str | None:
    """The one argument; under another name too, where it is the only text."""
    if arguments is None:
        return None
    texts = [value for value in arguments.values() if isinstance(value, str)]
    value = arguments.get(name, texts[0] if len(texts) == 1 else None)
    return value if isinstance(value, str) else None


def _nothing(choice: Choice) -> str:
    if choice.finish == "length":
        return say("cut_reply")
    return say("no_call") if choice.text.strip() else say("empty_reply")
