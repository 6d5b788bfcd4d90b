"""Options that several commands share, defined once as the fields of a dataclass."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from dataclasses import MISSING, fields, is_dataclass
from typing import Any, get_type_hints


def with_option_groups(command: Callable[..., None]) -> Callable[..., None]:
    """The command as typer takes it: each parameter that is a dataclass becomes one option for each of its fields.

    The fields are annotated as options are, and stand where the parameter stood.
    """
    hints = get_type_hints(command, include_extras=True)
    groups = {name: hint for name, hint in hints.items() if isinstance(hint, type) and is_dataclass(hint)}
    parameters: list[inspect.Parameter] = []
    for name, parameter in inspect.signature(command).parameters.items():
        parameters += _options(groups[name]) if name in groups else [_option(name, hints[name], parameter.default)]

    @functools.wraps(command)
    def called(**given: Any) -> None:
        made = {name: group(**{f.name: given.pop(f.name) for f in fields(group)}) for name, group in groups.items()}
        command(**given, **made)

    called.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    called.__annotations__ = {p.name: p.annotation for p in parameters}
    return called


def _options(group: type) -> list[inspect.Parameter]:
    hints = get_type_hints(group, include_extras=True)
    empty = inspect.Parameter.empty
    return [_option(f.name, hints[f.name], empty if f.default is MISSING else f.default) for f in fields(group)]


def _option(name: str, hint: Any, default: Any) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=hint)
