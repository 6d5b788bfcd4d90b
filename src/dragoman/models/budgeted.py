"""A limit on calls, tokens and money that holds over several models and threads."""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence
from dataclasses import dataclass

from dragoman.errors import BudgetSpent, SetupError
from dragoman.models.model import Message, Model, OnText, Reply, Settings, Tool, Usage
from dragoman.models.traits import Price, parameters_of, price_of


@dataclass(frozen=True, slots=True)
class _Amount:
    calls: int = 0
    tokens: int = 0
    dollars: float = 0.0

    def __add__(self, other: _Amount) -> _Amount:
        return _Amount(self.calls + other.calls, self.tokens + other.tokens, self.dollars + other.dollars)

    def __sub__(self, other: _Amount) -> _Amount:
        return _Amount(self.calls - other.calls, self.tokens - other.tokens, self.dollars - other.dollars)


class Budget:
    """What may still be spent: calls made, tokens (prompt and completion), US dollars. None is no limit.

    A call is refused before it is paid where it would pass a limit, as far as that can be known: its prompt is
    counted as one token per three bytes, its completion as `max_tokens`, or else as the longest so far. Calls still
    running count with that estimate, finished ones with what they took.
    """

    def __init__(self, calls: int | None = None, tokens: int | None = None, dollars: float | None = None) -> None:
        self.calls = calls
        self.tokens = tokens
        self.dollars = dollars
        self._lock = threading.Lock()
        self._spent = _Amount()
        self._reserved = _Amount()
        self._longest = 0

    @property
    def spent(self) -> tuple[int, int, float]:
        """Calls, tokens and US dollars of what is finished."""
        with self._lock:
            return self._spent.calls, self._spent.tokens, self._spent.dollars

    def reserve(self, calls: int, prompt_tokens: int, max_tokens: int | None, price: Price) -> _Amount:
        """Set the estimate of a call aside and return it. Raises `BudgetSpent`, or `SetupError` without a price."""
        with self._lock:
            completion = max_tokens if max_tokens is not None else self._longest
            usage = Usage(calls, calls * prompt_tokens, calls * completion)
            dollars = price(usage) if self.dollars is not None else 0.0
            if dollars is None:
                raise SetupError(
                    "The price of this model is unknown, so a limit in dollars cannot be kept. "
                    "Limit calls or tokens instead."
                )
            estimate = _Amount(calls, usage.prompt_tokens + usage.completion_tokens, dollars)
            self._check(self._spent + self._reserved + estimate)
            self._reserved += estimate
            return estimate

    def settle(self, estimate: _Amount, reply: Reply | None) -> None:
        """Replace a call's estimate by what it took; a failed call (None) counts as calls alone."""
        with self._lock:
            self._reserved -= estimate
            if reply is None:
                self._spent += _Amount(estimate.calls)
            elif not reply.stored:
                usage = reply.usage
                tokens = usage.prompt_tokens + usage.completion_tokens
                dollars = estimate.dollars if reply.cost is None else reply.cost
                self._spent += _Amount(estimate.calls, tokens, dollars)
                self._longest = max(self._longest, math.ceil(usage.completion_tokens / max(1, len(reply.choices))))

    def _check(self, total: _Amount) -> None:
        spent = self._spent
        if self.calls is not None and total.calls > self.calls:
            raise BudgetSpent(_sentence(f"{self.calls} calls", f"{spent.calls} made"))
        if self.tokens is not None and total.tokens > self.tokens:
            raise BudgetSpent(_sentence(f"{self.tokens} tokens", f"{spent.tokens} used"))
        if self.dollars is not None and total.dollars > self.dollars:
            raise BudgetSpent(_sentence(f"${self.dollars:g}", f"${spent.dollars:.4f} spent"))


class BudgetedModel:
    """A model that asks `budget` before each call. `price` defaults to the model's own; local models cost nothing.

    Put it around the model itself, inside retries and cache, so that every try counts and
    stored replies do not.
    """

    def __init__(self, model: Model, budget: Budget, price: Price | None = None) -> None:
        self.name = model.name
        self.local = model.local
        self.sql_form = model.sql_form
        self.parameters = parameters_of(model)
        self.budget = budget
        self.price = price or price_of(model)
        self._model = model

    def complete(
        self,
        messages: Sequence[Message],
        tools: Sequence[Tool] = (),
        settings: Settings = Settings(),
        on_text: OnText | None = None,
    ) -> Reply:
        size = _prompt_tokens(messages, tools)
        estimate = self.budget.reserve(settings.n, size, settings.max_tokens, self.price)
        reply: Reply | None = None
        try:
            reply = self._model.complete(messages, tools, settings, on_text)
            return reply
        finally:
            self.budget.settle(estimate, reply)


def _prompt_tokens(messages: Sequence[Message], tools: Sequence[Tool]) -> int:
    texts = [message.text for message in messages]
    texts += [call.name + call.arguments for message in messages for call in message.tool_calls]
    texts += [f"{tool.name}{tool.description}{dict(tool.parameters)}" for tool in tools]
    return math.ceil(sum(len(text.encode("utf-8", "replace")) for text in texts) / 3)


def _sentence(limit: str, spent: str) -> str:
    return f"The next call would pass the budget of {limit} ({spent}). Raise the limit to go on; finished work is kept."
