"""A model for runs that are answered by hand: recorded under a name that says so, and without schemas in the file."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from dragoman.errors import ModelError, SetupError
from dragoman.models import Model, RecordedModel, ScriptedModel
from dragoman.models.model import Message, OnText, Reply, Settings, SqlForm, Tool
from dragoman.models.request import Request

NAME = "hand"


class RecordedByHand:
    """Replies by hand, recorded in `path`; those not there yet are asked of `server`, or refused without one.

    At temperature 0 all samples of a prompt are one. Of a system text, which holds a schema, the file keeps the digest:
    a request of another text is still another. Nothing is paid or timed.
    """

    name = NAME
    local = False
    sql_form: SqlForm | None = None

    def __init__(self, path: Path, server: Model | None = None) -> None:
        self._whole: dict[str, str] = {}
        if server is None:
            self._recorded = RecordedModel(path)
        else:
            asked = ScriptedModel(lambda request: self._ask(server, request), NAME, local=False)
            self._recorded = RecordedModel(path, asked, "record")

    def complete(
        self,
        messages: Sequence[Message],
        tools: Sequence[Tool] = (),
        settings: Settings = Settings(),
        on_text: OnText | None = None,
    ) -> Reply:
        """The recorded reply, else a new one. Raises `SetupError`, which ends a run, for one that was not recorded."""
        brief = tuple(map(_brief, messages))
        self._whole |= {short.text: message.text for short, message in zip(brief, messages, strict=True)}
        if settings.temperature == 0:
            settings = replace(settings, sample=0)
        try:
            return replace(self._recorded.complete(brief, tools, settings, on_text), stored=True)
        except ModelError as error:
            raise SetupError(str(error)) from None

    def _ask(self, server: Model, request: Request) -> Reply:
        """The reply to the whole of every text."""
        whole = tuple(replace(m, text=self._whole[m.text]) if m.role == "system" else m for m in request.messages)
        return replace(server.complete(whole, request.tools, request.settings), seconds=0.0, cost=0.0)


def _brief(message: Message) -> Message:
    """The message, with the digest of its text where it is the system's."""
    if message.role != "system":
        return message
    return replace(message, text=f"sha256 {hashlib.sha256(message.text.encode()).hexdigest()}")
