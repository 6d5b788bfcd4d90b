"""From a model's name on the command line or in a settings file to a model."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from dragoman.errors import SetupError
from dragoman.models.api_key import read_api_key
from dragoman.models.base_url import check_base_url
from dragoman.models.budgeted import Budget, BudgetedModel
from dragoman.models.cached import CachedModel
from dragoman.models.hosted import HostedModel
from dragoman.models.model import Model
from dragoman.models.provider_names import split_model_name
from dragoman.models.recorded import RecordedModel
from dragoman.models.reply_cache import ReplyCache
from dragoman.models.retrying import RetryingModel
from dragoman.models.scripted import read_script

_AT_ONCE = 4
"""Samples of one request that are asked of a server at once."""


def open_model(
    spec: str,
    *,
    base_url: str | None = None,
    key_file: Path | None = None,
    cache: ReplyCache | Path | None = None,
    budget: Budget | None = None,
    threads: int | None = None,
) -> Model:
    """The model that `spec` names; `base_url`, `key_file` and `cache` concern hosted models alone.

    Hosted models are retried, and kept in `cache` where one is given; `threads` is for the embedded one. `budget`
    counts every try and no stored reply. Raises `SetupError` where the name, the key or a file is wrong.
    """
    kind, _, rest = spec.strip().partition(":")
    if kind in ("scripted", "recorded") and rest:
        path = Path(rest).expanduser()
        return _within(read_script(path) if kind == "scripted" else RecordedModel(path), budget)
    if kind == "embedded":
        return _within(_embedded(rest, threads), budget)
    return _hosted(spec.strip(), base_url, key_file, cache, budget)


def _hosted(
    spec: str, base_url: str | None, key_file: Path | None, cache: ReplyCache | Path | None, budget: Budget | None
) -> Model:
    base_url = check_base_url(base_url) if base_url else None
    provider, _ = split_model_name(spec, base_url)
    hosted = HostedModel(spec, base_url, read_api_key(provider, base_url, key_file))
    model: Model = RetryingModel(_within(hosted, budget), parallel=_AT_ONCE)
    return model if cache is None else CachedModel(model, cache, parallel=_AT_ONCE)


def _within(model: Model, budget: Budget | None) -> Model:
    return model if budget is None else BudgetedModel(model, budget)


def _embedded(path: str, threads: int | None) -> Model:
    if importlib.util.find_spec("xllamacpp") is None:
        raise SetupError("The embedded model needs more packages. Install them with: pip install 'dragoman[embedded]'")
    from dragoman.models.embedded import EmbeddedModel

    file = Path(path).expanduser() if path else None
    if file and not file.is_file():
        raise SetupError(f"There is no model file {file}. Give the path of a GGUF file, as in embedded:model.gguf.")
    return EmbeddedModel(file, threads)
