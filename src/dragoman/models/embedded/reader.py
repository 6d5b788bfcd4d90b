"""A loaded model with what it has read: a prompt that begins like an earlier one costs only its own end."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from dragoman.models.embedded.prefix_states import PrefixStates, common_length
from dragoman.models.embedded.requests import USAGE, ReplyText
from dragoman.models.embedded.runtime import Runtime, too_long

_WORTH_KEEPING = 64
"""Tokens; a prompt of which fewer were new is not kept."""
_MOST_WRITTEN = 1 << 30
"""Bytes that one process writes into the folder of states."""


class Reader:
    """Answers one request after another on `runtime`."""

    def __init__(self, runtime: Runtime, states_at: Callable[[float], PrefixStates]) -> None:
        """`states_at` gives the stored states of this model with its adapter at a scale."""
        self.runtime = runtime
        self._states_at = states_at
        self._held = ("", 0.0)
        self._written = 0

    def complete(self, text: str, body: Mapping[str, Any], chat: bool, scale: float, reply: ReplyText) -> None:
        """Run one request whose prompt is `text`, gathering it in `reply`. Raises `ModelError`."""
        states = self._states_at(scale)
        covered = self._recall(states, text, scale)
        self._held = ("", scale)
        prompt = {} if chat else self._read(text, int(body["max_tokens"]), scale, covered, reply)
        self.runtime.complete({**body, **prompt}, scale, chat, reply.add)
        self._held = (text, scale)
        if reply.read_tokens >= _WORTH_KEEPING and self._written < _MOST_WRITTEN:
            self._written += states.keep(text, self.runtime.save)

    def _recall(self, states: PrefixStates, text: str, scale: float) -> int:
        """Bring back the stored state that covers more of `text` than what the runtime holds, if there is one.

        Returns how many characters of `text` are covered then.
        """
        held, held_scale = self._held
        have = common_length(held, text) if held_scale == scale else 0
        found = states.find(text, have) if have < len(text) else None
        if found is None:
            return have
        self.runtime.prime(scale)
        return found.covered if self.runtime.restore(found.name) else 0

    def _read(self, text: str, most: int, scale: float, covered: int, reply: ReplyText) -> dict[str, Any]:
        """Read a raw prompt up to its last token, and give the prompt to send then.

        A token that is read alone comes out a little different from one that is read among others. So the last one
        is always read alone, and an answer is the same whether its prompt was read just now or long ago.
        """
        tokens = self.runtime.tokens(text)
        if tokens is None or len(tokens) < 2:
            return {}
        if self.runtime.context and len(tokens) + most > self.runtime.context:
            raise too_long(len(tokens), self.runtime.context)
        if covered < len(text):
            self.runtime.complete({"prompt": tokens[:-1], "max_tokens": 0, **USAGE}, scale, False, reply.add_read)
        return {"prompt": tokens}
