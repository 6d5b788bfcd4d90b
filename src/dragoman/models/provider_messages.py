"""Our requests as pydantic-ai's, and its replies as ours."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pydantic_ai import messages as theirs
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.profiles import ModelProfile
from pydantic_ai.tools import ToolDefinition

from dragoman.errors import SetupError
from dragoman.models.model import Choice, Message, Settings, Tool, ToolCall, Usage
from dragoman.models.samples import sample_seed

_FINISH = {"tool_call": "tool_calls"}


def to_messages(messages: Sequence[Message], model: str) -> list[theirs.ModelMessage]:
    """Raises `SetupError` for a raw prompt, which chat models cannot take."""
    tool_names = {call.id: call.name for message in messages for call in message.tool_calls}
    return [_to_message(message, tool_names, model) for message in messages]


def to_parameters(
    tools: Sequence[Tool], settings: Settings, profile: ModelProfile, with_grammar: bool
) -> ModelRequestParameters:
    """Tools, and the JSON schema asked for: natively where the model's API can, else in words in the prompt.

    A grammar, where the server takes one, stands in for the schema.
    """
    definitions = [
        ToolDefinition(name=tool.name, description=tool.description, parameters_json_schema=_schema(tool.parameters))
        for tool in tools
    ]
    if settings.json_schema is None or (with_grammar and settings.grammar):
        return ModelRequestParameters(function_tools=definitions)
    schema = dict(settings.json_schema)
    asked = OutputObjectDefinition(json_schema=schema, name=str(schema.get("title") or "reply"))
    if profile.get("supports_json_schema_output"):
        return ModelRequestParameters(function_tools=definitions, output_mode="native", output_object=asked)
    return ModelRequestParameters(
        function_tools=definitions,
        output_mode="prompted",
        output_object=asked,
        prompted_output_template=profile.get("prompted_output_template"),
    )


def to_settings(settings: Settings, with_grammar: bool, extra: Mapping[str, Any]) -> dict[str, Any]:
    """Sampling settings under pydantic-ai's names; what a provider lacks, it leaves out. SDK retries are off."""
    body = {**extra, **({"grammar": settings.grammar} if with_grammar and settings.grammar else {})}
    given: dict[str, Any] = {
        "temperature": settings.temperature,
        "seed": sample_seed(settings),
        "max_tokens": settings.max_tokens,
        "stop_sequences": list(settings.stop) or None,
        "openai_logprobs": settings.logprobs or None,
        "google_logprobs": settings.logprobs or None,
        "extra_body": body or None,
        "max_retries": 0,
    }
    return {key: value for key, value in given.items() if value is not None}


def from_response(response: theirs.ModelResponse) -> Choice:
    """The response as a choice. Tool calls keep the arguments as the model wrote them."""
    text = "".join(part.content for part in response.parts if isinstance(part, theirs.TextPart))
    calls = tuple(
        ToolCall(part.tool_call_id, part.tool_name, _arguments(part))
        for part in response.parts
        if isinstance(part, theirs.ToolCallPart)
    )
    finish = str(response.finish_reason or "stop")
    details = response.provider_details or {}
    return Choice(text, calls, tuple(_logprobs(details.get("logprobs"))), _FINISH.get(finish, finish))


def from_usage(response: theirs.ModelResponse) -> Usage:
    """One call and its tokens."""
    usage = response.usage
    return Usage(1, usage.input_tokens, usage.output_tokens, usage.cache_read_tokens)


def text_of(event: theirs.ModelResponseStreamEvent) -> str:
    """The text that a stream event adds, "" where it adds none."""
    match event:
        case theirs.PartStartEvent(part=theirs.TextPart(content=text)):
            return text
        case theirs.PartDeltaEvent(delta=theirs.TextPartDelta(content_delta=text)):
            return text
        case _:
            return ""


def _to_message(message: Message, tool_names: Mapping[str, str], model: str) -> theirs.ModelMessage:
    match message.role:
        case "system":
            return theirs.ModelRequest(parts=[theirs.SystemPromptPart(content=message.text)])
        case "user":
            return theirs.ModelRequest(parts=[theirs.UserPromptPart(content=message.text)])
        case "tool":
            name = tool_names.get(message.tool_call_id, message.tool_call_id)
            part = theirs.ToolReturnPart(tool_name=name, content=message.text, tool_call_id=message.tool_call_id)
            return theirs.ModelRequest(parts=[part])
        case "assistant":
            parts: list[theirs.ModelResponsePart] = [theirs.TextPart(content=message.text)] if message.text else []
            calls = [
                theirs.ToolCallPart(tool_name=call.name, args=call.arguments, tool_call_id=call.id)
                for call in message.tool_calls
            ]
            return theirs.ModelResponse(parts=[*parts, *calls])
        case _:
            raise SetupError(f"{model} takes chat messages and no raw prompt. Use an embedded model for raw prompts.")


def _schema(parameters: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": {}, **parameters}


def _arguments(part: theirs.ToolCallPart) -> str:
    return part.args if isinstance(part.args, str) else part.args_as_json_str()


def _logprobs(details: Any) -> Iterator[tuple[str, float]]:
    if isinstance(details, Mapping):  # Google's form
        details = details.get("chosen_candidates")
    for item in details if isinstance(details, list | tuple) else ():
        if isinstance(item, Mapping):
            token, value = item.get("token"), item.get("logprob", item.get("log_probability"))
            if isinstance(token, str) and isinstance(value, int | float):
                yield token, float(value)
