"""The one way to a language model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from dragoman.schema import Schema

Role = Literal["system", "user", "assistant", "tool", "raw"]
OnText = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool the model wants called. `arguments` is the JSON text as the model wrote it, perhaps broken."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Message:
    """One message. The role "raw" stands alone: its text reaches a completion model with no chat template."""

    role: Role
    text: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str = ""


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool offered to the model. `parameters` is a JSON schema of an object."""

    name: str
    description: str
    parameters: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Settings:
    """How to sample. `sample` numbers the draw, so that caches keep repeated samples distinct.

    `n` asks for that many choices, `sample` being the index of the first. `grammar` is GBNF text, for models that
    can be constrained; `json_schema` asks for JSON of that shape. `adapter` is for embedded models: it turns the
    SQL adapter on, which only `SqlForm` prompts do.
    """

    temperature: float = 0.0
    seed: int | None = None
    sample: int = 0
    n: int = 1
    max_tokens: int | None = None
    stop: tuple[str, ...] = ()
    grammar: str = ""
    json_schema: Mapping[str, Any] | None = None
    logprobs: bool = False
    adapter: bool = False


@dataclass(frozen=True, slots=True)
class Choice:
    """One sampled reply. `logprobs` holds (token text, natural log of its probability) where asked and available.

    `finish` is "stop", "length", "tool_calls" or the provider's own word.
    """

    text: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    logprobs: tuple[tuple[str, float], ...] = ()
    finish: str = "stop"


@dataclass(frozen=True, slots=True)
class Usage:
    """Calls made and tokens used. `cached_tokens` are those of the prompt that cost (almost) nothing."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.calls + other.calls,
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            self.cached_tokens + other.cached_tokens,
        )


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model answered. `cost` is in US dollars, None where the price is unknown.

    `stored` is True where the reply came from a cache or a recording and nothing was paid for it. `load_seconds` is
    what this call waited for the model to be loaded, beside `seconds`.
    """

    choices: tuple[Choice, ...]
    usage: Usage = Usage()
    cost: float | None = 0.0
    seconds: float = 0.0
    stored: bool = False
    load_seconds: float = 0.0

    @property
    def text(self) -> str:
        """The first choice's text."""
        return self.choices[0].text


class SqlForm(Protocol):
    """The prompt form that a model was tuned on: raw text in, SQL out. See `models.embedded.sql_form`.

    The model knows schemas whose `size` is at most `budget` (in characters); larger ones are cut before.
    """

    @property
    def stop(self) -> tuple[str, ...]: ...

    @property
    def budget(self) -> int: ...

    def size(self, schema: Schema) -> int: ...

    def prompt(self, schema: Schema, question: str, values: Sequence[tuple[str, str, str]]) -> str:
        """The raw prompt. `values` are (table, column, value) hints found in the database."""
        ...

    def grammar(self, schema: Schema) -> str:
        """GBNF in which only names of `schema` can be written."""
        ...

    def sql(self, text: str, schema: Schema) -> str:
        """The SQL that a completion stands for."""
        ...


class Model(Protocol):
    """A language model. `complete` raises `ModelError` (server lost, budget) or `SetupError` (key, name).

    `on_text` receives text as it streams, where the provider streams. `sql_form` is the raw prompt form the model
    was tuned for, None for chat models. `local` is True where nothing leaves the machine.
    """

    @property
    def name(self) -> str: ...

    @property
    def local(self) -> bool: ...

    @property
    def sql_form(self) -> SqlForm | None: ...

    def complete(
        self,
        messages: Sequence[Message],
        tools: Sequence[Tool] = (),
        settings: Settings = Settings(),
        on_text: OnText | None = None,
    ) -> Reply: ...
