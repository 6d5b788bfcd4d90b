"""A model per role, and what each role used."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dragoman.errors import SetupError
from dragoman.models.model import Message, Model, OnText, Reply, Settings, Tool, Usage
from dragoman.models.stoppable import raise_if_stopped
from dragoman.models.traits import parameters_of, price_of

ROLES = (
    "generator",
    "linker",
    "classifier",
    "explorer",
    "corrector",
    "reviewer",
    "judge",
    "screener",
    "proposer",
    "verifier",
    "reflector",
)
"""The stages that call a model."""


@dataclass(frozen=True, slots=True)
class Spent:
    """What a role used. `usage` and `cost` (US dollars, None if any is unknown) are of replies that were made now.

    `stored` is the use of replies that came from a cache or a recording and cost nothing; `seconds` were waited.
    """

    usage: Usage = Usage()
    stored: Usage = Usage()
    cost: float | None = 0.0
    seconds: float = 0.0

    def with_reply(self, reply: Reply) -> Spent:
        """This and one more reply."""
        made, stored = (Usage(), reply.usage) if reply.stored else (reply.usage, Usage())
        cost = None if self.cost is None or reply.cost is None else self.cost + reply.cost
        return Spent(self.usage + made, self.stored + stored, cost, self.seconds + reply.seconds)


class Metered:
    """A model in a role. `spent` is what it has used so far; safe to use from several threads.

    No call is made in a context that has been told to stop (`models.stoppable`).
    """

    def __init__(self, model: Model, role: str) -> None:
        self.name = model.name
        self.local = model.local
        self.sql_form = model.sql_form
        self.parameters = parameters_of(model)
        self.price = price_of(model)
        self.role = role
        self.spent = Spent()
        self._model = model
        self._lock = threading.Lock()

    def complete(
        self,
        messages: Sequence[Message],
        tools: Sequence[Tool] = (),
        settings: Settings = Settings(),
        on_text: OnText | None = None,
    ) -> Reply:
        raise_if_stopped()
        reply = self._model.complete(messages, tools, settings, on_text)
        with self._lock:
            self.spent = self.spent.with_reply(reply)
        return reply


class ModelsByRole:
    """`default`, except for the roles in `by_role`. Raises `SetupError` for a role that is not in `ROLES`."""

    def __init__(self, default: Model, by_role: Mapping[str, Model] | None = None) -> None:
        chosen = by_role or {}
        for role in chosen:
            _check(role)
        self._metered = {role: Metered(chosen.get(role, default), role) for role in ROLES}

    def for_role(self, role: str) -> Metered:
        """The model of a role, always the same object, so that its use adds up."""
        _check(role)
        return self._metered[role]

    @property
    def spent(self) -> Mapping[str, Spent]:
        """What each role has used, roles that made no call left out."""
        return {role: model.spent for role, model in self._metered.items() if model.spent != Spent()}


def _check(role: str) -> None:
    if role not in ROLES:
        raise SetupError(f"There is no role {role!r}. The roles are {', '.join(ROLES)}.")
