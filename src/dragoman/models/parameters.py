"""What besides a model's name decides its replies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def parameters_of(model: object) -> Mapping[str, Any]:
    """The model's `parameters`, where it has any: JSON values without secrets, part of every request's key."""
    parameters: Mapping[str, Any] = getattr(model, "parameters", {})
    return parameters
