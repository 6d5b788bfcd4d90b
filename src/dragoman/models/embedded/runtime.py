"""llama.cpp inside this process, through xllamacpp: one model, some slots, an adapter that requests turn on or off.

Slots decode side by side. Each has a cache of its own, so that what is sampled in one does not depend on the others.

The runtime always opens a socket on the loopback interface; here it has a random key that never leaves the process.
Completions go through direct calls; tokenizing, and saving and restoring a prompt's state, only exist over that socket.
"""

from __future__ import annotations

import http.client
import json
import os
import secrets
import threading
from collections.abc import Callable, Mapping
from importlib.metadata import version
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from dragoman.errors import ModelError, SetupError

_BATCH = 512


def runtime_version() -> str:
    """The version of the installed runtime, which saved states depend on."""
    return version("xllamacpp")


class Runtime:
    """A loaded model. Not safe to use from several threads at once; `EmbeddedModel` sees to that."""

    def __init__(
        self, model: Path, adapter: Path | None, threads: int, context: int, states: Path, slots: int = 1
    ) -> None:
        """Load `model`; `context` in tokens of each of the `slots`, 0 for what the model was trained on.

        `states` is the folder of saved states. A request may ask for as many choices (`n`) as there are slots.

        Raises `SetupError` where the file is no model, or the runtime is not installed.
        """
        try:
            import xllamacpp
        except ImportError:
            raise SetupError(
                "The embedded model needs more packages. Install them with: pip install 'dragoman[embedded]'"
            ) from None
        self.context = context
        self._key = secrets.token_urlsafe(24)
        parameters = xllamacpp.CommonParams()
        parameters.model.path = str(model)
        parameters.n_ctx, parameters.n_parallel, parameters.kv_unified = context * slots, slots, False
        parameters.n_batch = parameters.n_ubatch = _BATCH
        parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = threads
        parameters.verbosity = -1
        parameters.warmup = parameters.fit_params = parameters.ui = False
        parameters.offline = True
        # with flash attention a prompt read in other portions gives other numbers, so a cached one other answers
        parameters.flash_attn_type = xllamacpp.llama_flash_attn_type.LLAMA_FLASH_ATTN_TYPE_DISABLED
        parameters.cache_ram_mib, parameters.n_threads_http = 0, 1
        parameters.api_keys, parameters.hostnames = [self._key], ["127.0.0.1"]
        parameters.slot_save_path = f"{states}/"
        if adapter is not None:
            parameters.lora_adapters = [xllamacpp.CommonAdapterLoraInfo(str(adapter), 0.0)]
        self._has_adapter = adapter is not None
        self._process = os.getpid()
        self._scale: float | None = None
        self._ended = threading.Event()
        self._worker: threading.Thread | None = None
        self._server: Any = None
        self._closed = False
        self._gate = threading.RLock()  # nothing may reach a server that is on its way out: it would never end

        def start() -> None:
            self._server = xllamacpp.Server(parameters)
            self.prime(0.0)

        try:
            interrupted = _to_its_end(start)
        except RuntimeError:
            raise SetupError(
                f"{model} cannot be loaded as a language model. It must be a GGUF file that llama.cpp "
                f"{runtime_version()} knows, and memory must suffice; choose another file."
            ) from None
        if interrupted:
            self.close()
            raise KeyboardInterrupt

    def complete(self, body: Mapping[str, Any], scale: float, chat: bool, on_chunk: Callable[[Any], None]) -> None:
        """Run one request and hand every chunk of its reply to `on_chunk`; what that raises ends the request.

        `scale` is the adapter's. It goes into every request: without it the runtime would reuse the state of a
        prompt that was read with another scale. Raises `ModelError` for a request that the runtime refuses.

        The request runs on a thread of its own, because the runtime swallows what its callback raises: waiting here
        for the chunks, an interrupt arrives.
        """
        request = {**body, **self._adapter_at(scale), "stream": True, "cache_prompt": True, "id_slot": 0}
        chunks: SimpleQueue[str | None] = SimpleQueue()
        ended = threading.Event()

        def listen(chunk: str) -> bool:
            chunks.put(chunk)
            return ended.is_set()

        def work() -> None:
            handle = self._server.handle_chat_completions if chat else self._server.handle_completions
            try:
                handle(json.dumps(request), listen)
            finally:
                chunks.put(None)

        with self._gate:
            if self._closed:
                raise ModelError("The embedded model is being closed.")
            self._scale, self._ended = scale, ended
            worker = self._worker = threading.Thread(target=work, name="dragoman-embedded", daemon=True)
            worker.start()
        try:
            while (chunk := chunks.get()) is not None:
                found = json.loads(chunk)
                if "error" in found:
                    raise _refusal(found["error"])
                on_chunk(found)
        finally:
            ended.set()
            worker.join()

    def prime(self, scale: float) -> None:
        """Set the slot to the adapter's `scale`, if it is not, forgetting what it holds.

        A server that is closed before its first request may never end; and a restored state survives the next
        request only if the scale is that of the request before.
        """
        if self._scale != scale:
            self.complete({"prompt": "\n", "max_tokens": 0}, scale, False, lambda chunk: None)

    def tokens(self, text: str) -> list[int] | None:
        """The tokens of a raw prompt, None where they cannot be had."""
        found = self._post("/tokenize", {"content": text, "add_special": True, "parse_special": True})
        return None if found is None else list(found["tokens"])

    def save(self, name: str) -> bool:
        """Write the state of the last prompt to the file `name` in the folder of states. False if that failed."""
        return self._slot("save", name)

    def restore(self, name: str) -> bool:
        """Read a state written by `save` under the same scale. False if that failed; then the slot is empty."""
        return self._slot("restore", name)

    def close(self) -> None:
        """Free the model. Harmless when called again. At exit a request may still run on another thread: end it.

        In a forked child the runtime's threads do not exist, and waiting for them would never end: it is left alone.
        """
        if self._process != os.getpid():
            return
        with self._gate:
            self._closed = True
            self._ended.set()
        if self._worker is not None:
            self._worker.join()
        with self._gate:
            self._server = None

    def _adapter_at(self, scale: float) -> dict[str, Any]:
        return {"lora": [{"id": 0, "scale": scale}]} if self._has_adapter else {}

    def _slot(self, action: str, name: str) -> bool:
        return self._post(f"/slots/0?action={action}", {"filename": name}) is not None

    def _post(self, path: str, body: Mapping[str, Any]) -> Any:
        """The answer of the server behind the socket, None where it refuses or is gone."""
        with self._gate:
            return None if self._closed or self._server is None else self._answer(path, body)

    def _answer(self, path: str, body: Mapping[str, Any]) -> Any:
        connection = http.client.HTTPConnection(self._server.listening_address.removeprefix("http://"), timeout=30)
        headers = {"Authorization": f"Bearer {self._key}", "Content-Type": "application/json"}
        try:
            connection.request("POST", path, json.dumps(body), headers)
            response = connection.getresponse()
            return json.load(response) if response.status == 200 else None
        except (OSError, http.client.HTTPException, ValueError):
            return None
        finally:
            connection.close()


class TooLong(ModelError):
    """The prompt, with room for the answer, is longer than the context."""


def too_long(tokens: object, context: object) -> TooLong:
    """The error for a prompt of `tokens` that a `context` of so many tokens has no room for."""
    return TooLong(
        f"The prompt has {tokens} tokens and the embedded model reads at most {context}. Ask over fewer tables, or "
        "choose a model with a longer context."
    )


def _refusal(error: Mapping[str, Any]) -> ModelError:
    if error.get("type") == "exceed_context_size_error":
        return too_long(error.get("n_prompt_tokens"), error.get("n_ctx"))
    return ModelError(f"The embedded model refused the request: {error.get('message', 'no reason given')}")


def _to_its_end(work: Callable[[], None]) -> bool:
    """Run `work` on a thread and wait for it whatever happens; whether an interrupt came meanwhile.

    A server that is given up half made never ends.
    """
    errors: list[BaseException] = []
    ended = threading.Event()

    def run() -> None:
        try:
            work()
        except BaseException as error:  # handed to the caller below
            errors.append(error)
        finally:
            ended.set()

    threading.Thread(target=run, name="dragoman-embedded-load", daemon=True).start()
    interrupted = False
    while not ended.is_set():  # an interrupted join would take the thread for ended
        try:
            ended.wait(0.05)
        except KeyboardInterrupt:
            interrupted = True
    if errors:
        raise errors[0]
    return interrupted
