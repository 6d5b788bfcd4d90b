"""A conversation with a model: what was said, and a step for each reply."""

from __future__ import annotations

from collections.abc import Sequence

from dragoman.errors import ModelError
from dragoman.models import Choice, Message, Model, Settings
from dragoman.solver import Step


class Chat:
    """`ask` adds a message and the model's reply to `messages`, and a step with its usage to `steps`."""

    def __init__(self, model: Model, role: str, settings: Settings, opening: Sequence[Message] = ()) -> None:
        self.messages = list(opening)
        self.steps: list[Step] = []
        self._model = model
        self._role = role
        self._settings = settings

    def ask(self, text: str) -> Choice:
        """What the model replies to `text`. Raises `ModelError`; that too is a step, and the message is not said."""
        asked = [*self.messages, Message("user", text)]
        try:
            reply = self._model.complete(asked, settings=self._settings)
        except ModelError as error:
            self.steps.append(Step("model", str(error), self._role, {"failed": error.code}))
            raise
        self.steps.append(Step("model", reply.text, self._role, {}, reply.usage, reply.cost, reply.seconds))
        self.messages = [*asked, Message("assistant", reply.text or "(nothing)")]
        return reply.choices[0]
