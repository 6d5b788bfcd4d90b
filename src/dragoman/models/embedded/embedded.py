"""The embedded model: llama.cpp in this process, over the model that Dragoman ships or any GGUF file."""

from __future__ import annotations

import hashlib
import os
import threading
import time
import weakref
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from types import TracebackType
from typing import Self

from dragoman.errors import SetupError
from dragoman.models.embedded import weights
from dragoman.models.embedded.cache_folder import cache_folder
from dragoman.models.embedded.gguf import gguf_metadata
from dragoman.models.embedded.prefix_states import PrefixStates
from dragoman.models.embedded.reader import Reader
from dragoman.models.embedded.requests import ReplyText, prompt_text, request_body
from dragoman.models.embedded.runtime import Runtime, TooLong, runtime_version
from dragoman.models.embedded.sql_form import SqlForm
from dragoman.models.embedded.threads import default_threads
from dragoman.models.model import Message, OnText, Reply, Settings, Tool
from dragoman.models.samples import joined

_MOST_CONTEXT = 8192
_SLOTS, _SLOT_CONTEXT = 6, 1536
"""For prompts of the SQL form: choices that are decoded side by side, and tokens of each with its prompt."""


class EmbeddedModel:
    """A language model inside the process. Loaded by the first call, freed by `close` or at exit.

    `path` is any GGUF file; None is the model that Dragoman ships, which must be installed (`weights.install`) and
    comes with the SQL adapter and its `sql_form`. `threads` as in `default_threads`, `context` in tokens (default:
    what the model was trained on, at most 8192), `states` the folder of prompts already read (default: in the cache
    folder), `adapter` an SQL adapter in place of the one that Dragoman ships. Safe to use from several threads; calls
    wait for each other. `parameters` tell two such models apart, `load_seconds` is what loading took, 0.0 before it.
    """

    local = True

    def __init__(
        self,
        path: Path | None = None,
        threads: int | None = None,
        context: int | None = None,
        states: Path | None = None,
        adapter: Path | None = None,
    ) -> None:
        self.name = "embedded" if path is None else f"embedded:{path}"
        self.load_seconds = 0.0
        self._path = weights.path() if path is None else path
        self._adapter = adapter or (_adapter() if path is None else None)
        self.sql_form = None if self._adapter is None else _sql_form(self._adapter)
        self.parameters = _parameters(path, self._adapter)
        self._threads = default_threads() if threads is None else max(1, threads)
        self._context = context
        self._states_folder = states or cache_folder() / "states"
        self._lock = threading.RLock()
        self._readers: dict[int, Reader] = {}
        self._process = 0

    def complete(
        self,
        messages: Sequence[Message],
        tools: Sequence[Tool] = (),
        settings: Settings = Settings(),
        on_text: OnText | None = None,
    ) -> Reply:
        """Answer `messages`, see `Model`. The cost is nothing.

        Choices of a prompt of the SQL form are decoded side by side, others one after another; each choice is the
        same text in both cases, that of its sample alone.

        Raises `SetupError` where the model is not installed or cannot be loaded, `ModelError` for a prompt longer
        than the context, `ValueError` for a "raw" message among others.
        """
        if self.sql_form is not None and settings.adapter and messages[0].role == "raw":
            try:
                return self._in_parts(messages, tools, settings, on_text, _SLOTS)
            except TooLong:
                pass  # one slot has more room than each of several
        return self._in_parts(messages, tools, settings, on_text, 1)

    def close(self) -> None:
        """Free the model; the next call loads it again."""
        with self._lock:
            for reader in self._readers.values():
                reader.runtime.close()
            self._readers.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _in_parts(
        self,
        messages: Sequence[Message],
        tools: Sequence[Tool],
        settings: Settings,
        on_text: OnText | None,
        slots: int,
    ) -> Reply:
        """As few requests as `slots` allow, as equal as they can be."""
        if settings.n < 1:
            raise ValueError(f"n must be at least 1, not {settings.n}")
        count = -(-settings.n // slots)
        bounds = [settings.n * part // count for part in range(count + 1)]
        parts = [replace(settings, n=b - a, sample=settings.sample + a) for a, b in pairwise(bounds)]
        return joined(
            [self._request(messages, tools, part, None if at else on_text, slots) for at, part in enumerate(parts)]
        )

    def _request(
        self,
        messages: Sequence[Message],
        tools: Sequence[Tool],
        settings: Settings,
        on_text: OnText | None,
        slots: int,
    ) -> Reply:
        chat, body = request_body(messages, tools, settings)
        scale = 1.0 if settings.adapter and self._adapter is not None else 0.0
        with self._lock:
            called = time.perf_counter()
            reader = self._reader(slots)
            started = time.perf_counter()
            reply = ReplyText(on_text)
            reader.complete(prompt_text(messages, tools), body, chat, scale, reply)
            return replace(reply.reply(time.perf_counter() - started), load_seconds=started - called)

    def _reader(self, slots: int) -> Reader:
        """The model with so many slots, loaded on first use. Threads do not survive a fork: a child loads its own."""
        if self._process != os.getpid():
            self._readers, self._process = {}, os.getpid()
        if slots not in self._readers:
            started = time.perf_counter()
            runtime = self._load(slots)
            weakref.finalize(self, runtime.close)
            self._readers[slots] = Reader(runtime, self._states)
            self.load_seconds = time.perf_counter() - started
        return self._readers[slots]

    def _load(self, slots: int) -> Runtime:
        if not self._path.is_file():
            shipped = self._path == weights.path()
            raise SetupError(
                weights.status().sentence if shipped else f"There is no file {self._path}. Check the path of the model."
            )
        context = self._context_size() if slots == 1 else _SLOT_CONTEXT
        return Runtime(self._path, self._adapter, self._threads, context, self._states_folder, slots)

    def _context_size(self) -> int:
        if self._context is not None:
            return self._context
        if self._adapter is not None:
            return 0  # as trained: the shipped model is known to be small enough
        try:
            found = gguf_metadata(self._path)
        except (OSError, ValueError):
            return _MOST_CONTEXT
        trained = found.get(f"{found.get('general.architecture')}.context_length", _MOST_CONTEXT)
        return min(int(trained), _MOST_CONTEXT)

    def _states(self, scale: float) -> PrefixStates:
        identity = "|".join((runtime_version(), _fingerprint(self._path), _fingerprint(self._adapter), str(scale)))
        return PrefixStates(self._states_folder, identity)


def _adapter() -> Path | None:
    adapter = Path(str(files(__package__).joinpath("adapter.gguf")))
    return adapter if adapter.is_file() else None


def _sql_form(adapter: Path) -> SqlForm:
    order = gguf_metadata(adapter).get("dragoman.sql_form.order", "from")
    return SqlForm("select" if order == "select" else "from")


def _parameters(path: Path | None, adapter: Path | None) -> Mapping[str, str]:
    """What tells two embedded models apart in records of runs; a file of the user's is told by its name and size."""
    if path is not None:
        named = {"weights": f"{path.name}:{path.stat().st_size if path.is_file() else 0}"}
    else:
        named = {"weights": weights.source().sha256[:16]}
    return named if adapter is None else {**named, "adapter": hashlib.sha256(adapter.read_bytes()).hexdigest()[:16]}


def _fingerprint(file: Path | None) -> str:
    """Changes when the file does: its place, size and time; hashing it would take longer than loading it."""
    if file is None:
        return ""
    found = file.stat()
    return f"{file.absolute()}:{found.st_size}:{found.st_mtime_ns}"
