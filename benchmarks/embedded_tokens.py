"""Tokens of a text by the embedded model's own tokenizer, through llama.cpp in this process."""

from __future__ import annotations

import http.client
import json
import secrets
from types import TracebackType
from typing import Any, Self

import xllamacpp

from dragoman.models.embedded import weights

LONGEST_REMEMBERED = 200_000
"""Characters."""


class EmbeddedTokens:
    """Counts tokens; what was counted of short texts is remembered. To be closed, or used in a `with` statement."""

    def __init__(self) -> None:
        status = weights.status()
        if not status.sound:
            raise SystemExit(status.sentence)
        parameters = xllamacpp.CommonParams()
        parameters.model.path = str(status.path)
        parameters.n_ctx, parameters.n_parallel = 64, 1
        parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = 1
        parameters.verbosity, parameters.offline = -1, True
        parameters.warmup = parameters.fit_params = parameters.ui = False
        self._key = secrets.token_urlsafe(24)
        parameters.api_keys, parameters.hostnames = [self._key], ["127.0.0.1"]
        self._server: Any = xllamacpp.Server(parameters)
        self._server.handle_completions({"prompt": "\n", "max_tokens": 0}, lambda chunk: False)
        self._connection = http.client.HTTPConnection(self._server.listening_address.removeprefix("http://"))
        self._known: dict[str, int] = {}

    def __call__(self, text: str) -> int:
        """Tokens of `text`, without a beginning mark."""
        found = self._known.get(text)
        if found is None:
            found = self._counted(json.dumps({"content": text, "add_special": False}))
            if len(text) <= LONGEST_REMEMBERED:
                self._known[text] = found
        return found

    def _counted(self, body: str, again: bool = True) -> int:
        headers = {"Authorization": f"Bearer {self._key}", "Content-Type": "application/json"}
        try:
            self._connection.request("POST", "/tokenize", body, headers)
            return len(json.loads(self._connection.getresponse().read())["tokens"])
        except (OSError, http.client.HTTPException):  # the server has closed a connection that was idle
            self._connection.close()
            if not again:
                raise
            return self._counted(body, again=False)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._connection.close()
        self._server = None
