"""Replies recorded in a JSON Lines file that people can read, and replayed from it.

One line is one sample: {"key", "model", "answered_by", "request", "reply"}. `request` is the whole request without
secrets, `answered_by` says who answered it: a model's name, or for example "hand". A line written by hand may leave
`key` out. A file holds the replies of one model.
"""

from __future__ import annotations

import difflib
import json
import os
import threading
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from dragoman.errors import ModelError, SetupError
from dragoman.models.model import Message, Model, OnText, Reply, Settings, SqlForm, Tool
from dragoman.models.request import (
    Request,
    reply_from_record,
    reply_to_record,
    request_from_record,
    request_to_record,
)
from dragoman.models.request_key import request_key
from dragoman.models.samples import ask_each_sample
from dragoman.models.traits import parameters_of

_DIFFERENCE_LINES = 20


@dataclass(frozen=True, slots=True)
class Recording:
    """One recorded sample."""

    request: Request
    reply: Reply
    answered_by: str


def read_recordings(path: Path) -> dict[str, Recording]:
    """The recordings of a file by request key, in order. An incomplete last line is left out with a warning.

    Raises `SetupError` naming the line where one is not a recording or its key is not that of its request.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise SetupError(f"Cannot read the recording {path}: {error.strerror}. Check the path.") from None
    except UnicodeDecodeError:
        raise SetupError(f"{path} is not UTF-8 text. Record it again.") from None
    *lines, rest = text.split("\n")
    recordings: dict[str, Recording] = {}
    for number, line in enumerate([*lines, rest], 1):
        if line.strip():
            try:
                key, recording = _read(line)
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                if number > len(lines):
                    warnings.warn(f"{path} ends in an incomplete line, left out.", RuntimeWarning, stacklevel=2)
                    break
                raise SetupError(f"{path}, line {number} is not a recording ({error}). Mend or remove it.") from None
            recordings[key] = recording
    return recordings


def write_recording(path: Path, recording: Recording) -> None:
    """Append one line to the file."""
    record = {
        "key": request_key(recording.request),
        "model": recording.request.model,
        "answered_by": recording.answered_by,
        "request": request_to_record(recording.request),
        "reply": reply_to_record(recording.reply),
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    line = json.dumps(record, ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n"
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    with os.fdopen(descriptor, "wb", buffering=0) as file:
        file.write(line)


class RecordedModel:
    """Answers from the recordings in `path`.

    In mode "replay" a request that was not recorded raises `ModelError`, which names the nearest recorded request and
    the difference. In mode "record" it is answered by `model` and recorded. The name is `model`'s, or else that of the
    model that was recorded, so that answers look as they did then.
    """

    def __init__(
        self,
        path: Path | str,
        model: Model | None = None,
        mode: Literal["replay", "record"] = "replay",
        sql_form: SqlForm | None = None,
    ) -> None:
        if mode == "record" and model is None:
            raise SetupError("Recording needs a model that answers. Give one, or replay.")
        self.path = Path(path)
        recording = mode == "record"
        self._recordings = read_recordings(self.path) if self.path.exists() or not recording else {}
        if recording:
            _drop_incomplete_line(self.path)
        models = sorted({r.request.model for r in self._recordings.values()} | ({model.name} if model else set()))
        if len(models) > 1:
            raise SetupError(f"{self.path} is about several models ({', '.join(models)}). Use a file for each.")
        first = next(iter(self._recordings.values()), None)
        self.name = models[0] if models else f"recorded:{self.path.stem}"
        self.local = model.local if model and recording else True
        self.sql_form = sql_form or (model.sql_form if model else None)
        self.parameters = parameters_of(model) if model else (first.request.parameters if first else {})
        self._model = model if recording else None
        self._lock = threading.Lock()

    def complete(
        self,
        messages: Sequence[Message],
        tools: Sequence[Tool] = (),
        settings: Settings = Settings(),
        on_text: OnText | None = None,
    ) -> Reply:
        def ask(draw: Settings, listen: OnText | None) -> Reply:
            return self._answer(Request(self.name, tuple(messages), tuple(tools), draw, self.parameters), listen)

        return ask_each_sample(ask, settings, on_text)

    def _answer(self, request: Request, on_text: OnText | None) -> Reply:
        key = request_key(request)
        with self._lock:
            known = self._recordings.get(key)
        if known:
            if on_text:
                on_text(known.reply.text)
            reply = known.reply
            return Reply(reply.choices, reply.usage, 0.0, 0.0, stored=True)
        if self._model is None:
            raise ModelError(_unseen(request, list(self._recordings.values()), self.path))
        reply = self._model.complete(request.messages, request.tools, request.settings, on_text)
        recording = Recording(request, reply, self._model.name)
        with self._lock:
            if key not in self._recordings:
                self._recordings[key] = recording
                write_recording(self.path, recording)
        return reply


def _read(line: str) -> tuple[str, Recording]:
    record = json.loads(line)
    request = request_from_record(record["request"])
    key = request_key(request)
    if record.get("key", key) != key:
        raise ValueError(f"its key is not that of its request, which is {key}")
    return key, Recording(request, reply_from_record(record["reply"]), str(record.get("answered_by", "")))


def _drop_incomplete_line(path: Path) -> None:
    if path.exists():
        data = path.read_bytes()
        if data and not data.endswith(b"\n"):
            whole = data.rfind(b"\n") + 1
            try:
                json.loads(data[whole:])
            except ValueError:
                os.truncate(path, whole)
            else:
                with path.open("ab") as file:
                    file.write(b"\n")


def _unseen(request: Request, recordings: Sequence[Recording], path: Path) -> str:
    if not recordings:
        return f"{path} holds no recordings, so nothing can be replayed. Record it with a model first."
    wanted = _lines(request)
    nearest = max(recordings, key=lambda recording: _likeness(_lines(recording.request), wanted))
    difference = list(difflib.unified_diff(_lines(nearest.request), wanted, "recorded", "asked", lineterm="", n=1))
    shown = difference[:_DIFFERENCE_LINES]
    more = [f"... {len(difference) - len(shown)} lines more"] if len(difference) > len(shown) else []
    sentence = (
        f"This request was not recorded in {path}. Record it, or mend what changed the prompt. "
        f"The nearest recorded request is {request_key(nearest.request)[:12]}; the difference:"
    )
    return "\n".join([sentence, *shown, *more])


def _lines(request: Request) -> list[str]:
    text = json.dumps(request_to_record(request), indent=1, sort_keys=True, ensure_ascii=False)
    return text.replace("\\n", "\n").splitlines()


def _likeness(one: Sequence[str], other: Sequence[str]) -> float:
    first, second = set(one), set(other)
    return len(first & second) / max(1, len(first | second))
