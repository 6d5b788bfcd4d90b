"""What a wrapper passes on of the model inside, beyond the protocol: provider parameters and the price."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from dragoman.models.model import Model, Usage

Price = Callable[[Usage], float | None]
"""US dollars for a usage, None where the price is unknown."""


def parameters_of(model: object) -> Mapping[str, Any]:
    """The model's `parameters`, where it has any: JSON values without secrets, part of every request's key."""
    parameters: Mapping[str, Any] = getattr(model, "parameters", {})
    return parameters


def price_of(model: Model) -> Price:
    """The model's `price`, where it has one; else local models are free and all others unknown."""
    price: Price = getattr(model, "price", _free if model.local else _unknown)
    return price


def _free(usage: Usage) -> float | None:
    return 0.0


def _unknown(usage: Usage) -> float | None:
    return None
