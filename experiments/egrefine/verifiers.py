"""The solvers that verify and are measured: two settings of the embedded model, or methods over a model of a server."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from dragoman import compose
from dragoman.models import CachedModel, Model, ModelsByRole
from dragoman.models.embedded import EmbeddedModel
from dragoman.models.model import Message, OnText, Reply, Settings, Tool
from dragoman.models.traits import parameters_of
from dragoman.refine.trials import Verifier

SOLVERS = {"greedy": ("zero_shot", 1), "vote": ("zero_shot", 3)}
"""Solver -> (method, how many answers it draws: the first at temperature 0, the others at 0.7)."""


class SingleRepliesKept:
    """`model` with its single replies kept in `folder`: the first answer of a vote is the greedy one, decoded once."""

    def __init__(self, model: Model, folder: Path) -> None:
        self.name, self.local, self.sql_form, self.parameters = (
            model.name,
            model.local,
            model.sql_form,
            parameters_of(model),
        )
        self._model = model
        self._kept = CachedModel(model, folder / "replies.sqlite")

    def complete(
        self,
        messages: Sequence[Message],
        tools: Sequence[Tool] = (),
        settings: Settings = Settings(),
        on_text: OnText | None = None,
    ) -> Reply:
        asked = self._kept if settings.n == 1 else self._model
        return asked.complete(messages, tools, settings, on_text)


def embedded_model(adapter: Path | None, folder: Path, threads: int) -> Model:
    """The embedded model with the shipped adapter or another one; what it has read is kept in `folder`."""
    model = EmbeddedModel(threads=threads, states=folder / "states", adapter=adapter)
    return SingleRepliesKept(model, folder)


def verifiers(model: Model, names: Sequence[str], seed: int) -> dict[str, Verifier]:
    """The solvers by name, one of `SOLVERS` or a method. What they answer is decided by their identity."""
    settings = compose.SolverSettings(seed=seed, today="2025-12-31")
    models = ModelsByRole(model)
    told = "" if model.name == "embedded" else f" {model.name}"
    found = {}
    for name in names:
        method, candidates = SOLVERS.get(name, (name, 1))
        solver = compose.solver_for(replace(settings, method=method, candidates=candidates), models)
        identity = f"{name} {candidates} seed={seed} {sorted(parameters_of(model).items())}{told}"
        found[name] = Verifier(name, solver, identity)
    return found
