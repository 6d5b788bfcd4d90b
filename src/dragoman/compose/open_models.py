"""From settings to a model for every role."""

from __future__ import annotations

from dragoman.compose.solver_settings import SolverSettings
from dragoman.models import Budget, Model, ModelsByRole, ReplyCache, open_model
from dragoman.models.embedded.cache_folder import cache_folder


def open_models(settings: SolverSettings) -> ModelsByRole:
    """A model for every role; hosted ones share a cache of replies, all share a budget."""
    budget = Budget(settings.max_calls, settings.max_tokens, settings.max_dollars)
    cache = ReplyCache(cache_folder() / "replies.sqlite") if settings.cache else None

    def opened(spec: str) -> Model:
        return open_model(spec, base_url=settings.base_url or None, cache=cache, budget=budget)

    return ModelsByRole(opened(settings.model), {role: opened(name) for role, name in settings.model_for.items()})
