"""A model whose replies are written in advance: for tests, demonstrations and dry runs."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from dragoman.errors import ModelError, SetupError
from dragoman.models.model import Choice, Message, OnText, Reply, Settings, SqlForm, Tool, Usage
from dragoman.models.request import Request, reply_from_record
from dragoman.models.samples import ask_each_sample

Scripted = Reply | str | Exception
"""A reply, its text alone, or an exception to raise."""


class ScriptedModel:
    """Answers with `replies` in order, one for each sample, or with what a function makes of the request.

    `requests` holds the requests seen, one per sample, in order. Text streams word by word. Raises `ModelError` when
    the replies have run out.
    """

    def __init__(
        self,
        replies: Sequence[Scripted] | Callable[[Request], Scripted],
        name: str = "scripted",
        local: bool = True,
        sql_form: SqlForm | None = None,
    ) -> None:
        self.name = name
        self.local = local
        self.sql_form = sql_form
        self.requests: list[Request] = []
        self._replies = replies
        self._lock = threading.Lock()

    def complete(
        self,
        messages: Sequence[Message],
        tools: Sequence[Tool] = (),
        settings: Settings = Settings(),
        on_text: OnText | None = None,
    ) -> Reply:
        def ask(draw: Settings, listen: OnText | None) -> Reply:
            return self._answer(Request(self.name, tuple(messages), tuple(tools), draw), listen)

        return ask_each_sample(ask, settings, on_text)

    def _answer(self, request: Request, on_text: OnText | None) -> Reply:
        with self._lock:
            number = len(self.requests)
            self.requests.append(request)
        if callable(self._replies):
            scripted = self._replies(request)
        elif number < len(self._replies):
            scripted = self._replies[number]
        else:
            raise ModelError(
                f"The script has {len(self._replies)} replies and this is request {number + 1}. Add a reply to it."
            )
        if isinstance(scripted, Exception):
            raise scripted
        reply = Reply((Choice(scripted),), Usage(calls=1)) if isinstance(scripted, str) else scripted
        if on_text:
            for word in re.findall(r"\s*\S+\s*|\s+", reply.text):
                on_text(word)
        return reply


def read_script(path: Path) -> ScriptedModel:
    """A scripted model from JSON Lines: each line a string (the text) or a reply as an object with `choices`."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise SetupError(f"Cannot read the script {path}: {error.strerror}. Check the path.") from None
    except UnicodeDecodeError:
        raise SetupError(f"{path} is not UTF-8 text. Save the script as UTF-8 JSON Lines.") from None
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    return ScriptedModel([_scripted(line, path, number) for number, line in lines], name=f"scripted:{path}")


def _scripted(line: str, path: Path, number: int) -> Scripted:
    try:
        value = json.loads(line)
        reply = value if isinstance(value, str) else reply_from_record(value)
        if isinstance(reply, Reply) and len(reply.choices) != 1:
            raise ValueError(f"{len(reply.choices)} choices; a line is one sample")
        return reply
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise SetupError(
            f"{path}, line {number} is neither a JSON string nor a reply with choices ({error}). Mend that line."
        ) from None
