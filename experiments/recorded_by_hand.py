"""Models for runs that are answered by hand: recorded under a name that says so, and without schemas in the file."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from dragoman.errors import ModelError, SetupError
from dragoman.models import Model, RecordedModel
from dragoman.models.model import Message, OnText, Reply, Settings, SqlForm, Tool
from dragoman.models.recorded import read_recordings

NAME = "hand"


class RecordedByHand:
    """Replies by hand, recorded in `path`; those not there yet are asked of `model`, or refused without one.

    At temperature 0 all samples of a prompt are one. Of a system text, which holds a schema, the file keeps the digest:
    a request of another text is still another.
    """

    name = NAME
    local = False
    sql_form: SqlForm | None = None

    def __init__(self, path: Path, model: Model | None = None) -> None:
        self._texts: dict[str, str] = {}
        self._recorded = (
            RecordedModel(path) if model is None else RecordedModel(path, _Asked(model, self._texts), "record")
        )

    def complete(
        self,
        messages: Sequence[Message],
        tools: Sequence[Tool] = (),
        settings: Settings = Settings(),
        on_text: OnText | None = None,
    ) -> Reply:
        """The recorded reply, else a new one. Raises `SetupError`, which ends a run, for one that was not recorded."""
        brief = tuple(map(_brief, messages))
        self._texts |= {short.text: message.text for short, message in zip(brief, messages, strict=True)}
        if settings.temperature == 0:
            settings = replace(settings, sample=0)
        try:
            return replace(self._recorded.complete(brief, tools, settings, on_text), stored=True)
        except ModelError as error:
            raise SetupError(str(error)) from None


class _Asked:
    """The server behind which replies are written, asked with the whole of every text. Nothing is paid or timed."""

    name = NAME
    local = False
    sql_form: SqlForm | None = None

    def __init__(self, model: Model, texts: dict[str, str]) -> None:
        self._model = model
        self._texts = texts

    def complete(
        self,
        messages: Sequence[Message],
        tools: Sequence[Tool] = (),
        settings: Settings = Settings(),
        on_text: OnText | None = None,
    ) -> Reply:
        whole = tuple(replace(m, text=self._texts[m.text]) if m.role == "system" else m for m in messages)
        return replace(self._model.complete(whole, tools, settings, on_text), seconds=0.0, cost=0.0)


class Again:
    """The replies of a recording, given to the prompts as they are now: by system text and question, turn by turn.

    For recording a run again after what tools show has changed: `RecordedByHand(new path, Again(old path))`. `mended`
    changes the arguments of calls. Raises `KeyError` for a turn that the old recording does not have.
    """

    name = NAME
    local = False
    sql_form: SqlForm | None = None

    def __init__(self, path: Path, mended: Callable[[str], str] = str) -> None:
        self._mended = mended
        self._replies: dict[tuple[str, ...], Reply] = {}
        for recording in read_recordings(path).values():
            self._replies.setdefault(_turn(recording.request.messages), recording.reply)

    def complete(
        self,
        messages: Sequence[Message],
        tools: Sequence[Tool] = (),
        settings: Settings = Settings(),
        on_text: OnText | None = None,
    ) -> Reply:
        """The reply that was given to this turn, the arguments of its calls mended."""
        found = self._replies[_turn(tuple(map(_brief, messages)))]
        choice = found.choices[0]
        calls = tuple(replace(call, arguments=self._mended(call.arguments)) for call in choice.tool_calls)
        return replace(found, choices=(replace(choice, tool_calls=calls),))


def _brief(message: Message) -> Message:
    """The message, with the digest of its text where it is the system's."""
    if message.role != "system":
        return message
    return replace(message, text=f"sha256 {hashlib.sha256(message.text.encode()).hexdigest()}")


def _turn(messages: Sequence[Message]) -> tuple[str, ...]:
    """What tells a turn apart whatever tools found before it."""
    said = sum(message.role == "assistant" for message in messages)
    return (*(message.text for message in messages[:2]), str(said))
