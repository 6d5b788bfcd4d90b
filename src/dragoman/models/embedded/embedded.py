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
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from dragoman.errors import SetupError
from dragoman.models.embedded import weights
from dragoman.models.embedded.cache_folder import cache_folder
from dragoman.models.embedded.gguf import gguf_metadata
from dragoman.models.embedded.prefix_states import PrefixStates, common_length
from dragoman.models.embedded.requests import USAGE, ReplyText, prompt_text, request_body
from dragoman.models.embedded.runtime import Runtime, runtime_version
from dragoman.models.embedded.sql_form import SqlForm
from dragoman.models.embedded.threads import default_threads
from dragoman.models.model import Message, OnText, Reply, Settings, Tool
from dragoman.models.samples import ask_each_sample

_MOST_CONTEXT = 8192
_WORTH_KEEPING = 64
_MOST_WRITTEN = 1 << 30


class EmbeddedModel:
    """A language model inside the process. Loaded by the first call, freed by `close` or at exit.

    `path` is any GGUF file; None is the model that Dragoman ships, which must be installed (`weights.install`) and
    comes with the SQL adapter and its `sql_form`. `threads` as in `default_threads`, `context` in tokens (default:
    what the model was trained on, at most 8192), `states` the folder of prompts already read (default: in the cache
    folder). Safe to use from several threads; calls wait for each other. `parameters` tell two such models apart,
    `load_seconds` is what the loading took, 0.0 before it.
    """

    local = True

    def __init__(
        self,
        path: Path | None = None,
        threads: int | None = None,
        context: int | None = None,
        states: Path | None = None,
    ) -> None:
        self.name = "embedded" if path is None else f"embedded:{path}"
        self.load_seconds = 0.0
        self._path = weights.path() if path is None else path
        self._adapter = _adapter() if path is None else None
        self.sql_form = None if self._adapter is None else _sql_form(self._adapter)
        self.parameters = _parameters(path, self._adapter)
        self._threads = default_threads() if threads is None else max(1, threads)
        self._context = context
        self._states_folder = states or cache_folder() / "states"
        self._lock = threading.RLock()
        self._runtime: Runtime | None = None
        self._process = 0
        self._held = ("", 0.0)
        self._written = 0

    def complete(
        self,
        messages: Sequence[Message],
        tools: Sequence[Tool] = (),
        settings: Settings = Settings(),
        on_text: OnText | None = None,
    ) -> Reply:
        """Answer `messages`, see `Model`. `settings.n` choices are as many calls; the cost is nothing.

        Raises `SetupError` where the model is not installed or cannot be loaded, `ModelError` for a prompt longer
        than the context, `ValueError` for a "raw" message among others.
        """
        return ask_each_sample(lambda one, listen: self._complete(messages, tools, one, listen), settings, on_text)

    def close(self) -> None:
        """Free the model; the next call loads it again."""
        with self._lock:
            if self._runtime is not None:
                self._runtime.close()
            self._runtime, self._held = None, ("", 0.0)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _complete(
        self, messages: Sequence[Message], tools: Sequence[Tool], settings: Settings, on_text: OnText | None
    ) -> Reply:
        chat, body = request_body(messages, tools, settings)
        text = prompt_text(messages, tools)
        scale = 1.0 if settings.adapter and self._adapter is not None else 0.0
        with self._lock:
            called = time.perf_counter()
            runtime = self._loaded()
            started = time.perf_counter()
            states = self._states(scale)
            covered = self._recall(runtime, states, text, scale)
            reply = ReplyText(on_text)
            self._held = ("", scale)
            if not chat:
                body |= self._read(runtime, text, scale, covered, reply)
            runtime.complete(body, scale, chat, reply.add)
            self._held = (text, scale)
            if reply.read_tokens >= _WORTH_KEEPING and self._written < _MOST_WRITTEN:
                self._written += states.keep(text, runtime.save)
            return replace(reply.reply(time.perf_counter() - started), load_seconds=started - called)

    def _loaded(self) -> Runtime:
        """The runtime, started if there is none. Threads do not survive a fork, so a child starts its own."""
        if self._runtime is None or self._process != os.getpid():
            started = time.perf_counter()
            self._runtime, self._process, self._held = self._load(), os.getpid(), ("", 0.0)
            weakref.finalize(self, self._runtime.close)
            self.load_seconds = time.perf_counter() - started
        return self._runtime

    def _load(self) -> Runtime:
        if not self._path.is_file():
            shipped = self._path == weights.path()
            raise SetupError(
                weights.status().sentence if shipped else f"There is no file {self._path}. Check the path of the model."
            )
        return Runtime(self._path, self._adapter, self._threads, self._context_size(), self._states_folder)

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

    def _recall(self, runtime: Runtime, states: PrefixStates, text: str, scale: float) -> int:
        """Bring back the stored state that covers more of `text` than what the runtime holds, if there is one.

        Returns how many characters of `text` are covered then.
        """
        held, held_scale = self._held
        have = common_length(held, text) if held_scale == scale else 0
        found = states.find(text, have) if have < len(text) else None
        if found is None:
            return have
        runtime.prime(scale)
        return found.covered if runtime.restore(found.name) else 0

    def _read(self, runtime: Runtime, text: str, scale: float, covered: int, reply: ReplyText) -> dict[str, Any]:
        """Read a raw prompt up to its last token, and give the prompt to send then.

        A token that is read alone comes out a little different from one that is read among others. So the last one
        is always read alone, and an answer is the same whether its prompt was read just now or long ago.
        """
        tokens = runtime.tokens(text)
        if tokens is None or len(tokens) < 2:
            return {}
        if covered < len(text):
            runtime.complete({"prompt": tokens[:-1], "max_tokens": 0, **USAGE}, scale, False, reply.add_read)
        return {"prompt": tokens}


def _adapter() -> Path | None:
    adapter = Path(str(files(__package__).joinpath("adapter.gguf")))
    return adapter if adapter.is_file() else None


def _sql_form(adapter: Path) -> SqlForm:
    order = gguf_metadata(adapter).get("dragoman.sql_form.order", "from")
    return SqlForm("select" if order == "select" else "from")


def _parameters(path: Path | None, adapter: Path | None) -> Mapping[str, str]:
    """What tells two embedded models apart in records of runs; a file of the user's is told by its name and size."""
    if path is not None:
        return {"weights": f"{path.name}:{path.stat().st_size if path.is_file() else 0}"}
    shipped = {"weights": weights.source().sha256[:16]}
    return shipped if adapter is None else {**shipped, "adapter": hashlib.sha256(adapter.read_bytes()).hexdigest()[:16]}


def _fingerprint(file: Path | None) -> str:
    """Changes when the file does: its place, size and time; hashing it would take longer than loading it."""
    if file is None:
        return ""
    found = file.stat()
    return f"{file.absolute()}:{found.st_size}:{found.st_mtime_ns}"
