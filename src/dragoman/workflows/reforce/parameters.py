"""What decides how ReFoRCE works, with the paper's values as defaults, and its ablations by name."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from dragoman.errors import SetupError
from dragoman.linking.explore import Exploring

Explore = Literal["unsure", "always", "never"]
Reveal = Literal["", "tables", "schema"]


@dataclass(frozen=True, slots=True)
class Parameters:
    """ReFoRCE (Deng et al. 2025); numbers are those of the paper and its published code, see docs/decisions.

    votes          candidates in parallel; 1 accepts the first that has rows
    temperature    of every reply, linking apart
    iterations     queries that one candidate may try
    empties        empty results in a row after which a candidate is dropped
    asks           times that a reply without a query is asked for again
    tokens         of one reply
    budget         tokens of the schema's text; where it must be cut, a model says what is needed
    samples        values of each column that stand with the schema, from its table's first rows; 0 for none
    compress       whether tables stand together and the budget holds
    self_check     whether a result must come twice before it is accepted
    answer_format  whether the columns of the answer are written down first (format restriction)
    explore        which questions are explored: those without agreement, all, none
    explore_once   whether one exploration serves all candidates, which costs less and makes them more alike
    exploring      bounds of one exploration
    final_pick     whether a question that stays open gets the first candidate of its best class, or no answer
    rows, cell, characters   of a result that a model sees: rows, characters of a cell, characters in all
    form_temperature   for models with a prompt form of their own: of all candidates but the first, which is drawn at 0
    reveal         what of the gold query is given away: its tables, or its columns as well; for analysis only
    """

    votes: int = 8
    temperature: float = 1.0
    iterations: int = 5
    empties: int = 4
    asks: int = 3
    tokens: int = 4000
    budget: int = 50_000
    samples: int = 3
    compress: bool = True
    self_check: bool = False
    answer_format: bool = False
    explore: Explore = "unsure"
    explore_once: bool = False
    exploring: Exploring = field(default_factory=Exploring)
    final_pick: bool = True
    rows: int = 20
    cell: int = 80
    characters: int = 500
    form_temperature: float = 0.7
    reveal: Reveal = ""


ARMS: Mapping[str, Mapping[str, Any]] = {
    "no_compression": {"compress": False},
    "no_vote": {"votes": 1},
    "no_final_pick": {"final_pick": False},
    "no_exploration": {"explore": "never"},
    "exploration_on_all": {"explore": "always"},
    "gold_tables": {"reveal": "tables"},
    "gold_schema": {"reveal": "schema"},
    "answer_format": {"answer_format": True},
    "self_check": {"self_check": True},
}
"""Name of an ablation -> the parameters that it changes (section 4.3 of the paper; the last two are its options)."""

_CHOICES = {"explore": ("unsure", "always", "never"), "reveal": ("", "tables", "schema")}
_RANGES: Mapping[str, tuple[float, float]] = {
    "votes": (1, 100),
    "temperature": (0, 5),
    "form_temperature": (0, 5),
    "asks": (0, 100),
    "iterations": (1, 100),
    "samples": (0, 200),
}
"""Least and greatest value of a parameter; 1 to a million for the others."""


def with_options(parameters: Parameters, options: Mapping[str, Any], arm: str = "") -> Parameters:
    """`parameters` with those of an arm, then with `options` by name.

    Raises `SetupError` for an arm, a name or a value that does not exist.
    """
    if arm and arm not in ARMS:
        raise SetupError(f"The method reforce has no arm {arm}. Choose one of {', '.join(ARMS)}.")
    changed = {**ARMS.get(arm, {}), **options}
    for name, value in changed.items():
        _check(name, value, parameters)
    return dataclasses.replace(parameters, **changed)


def _check(name: str, value: Any, parameters: Parameters) -> None:
    known = [f.name for f in dataclasses.fields(parameters) if f.name != "exploring"]
    if name not in known:
        raise SetupError(f"The method reforce has no parameter {name}. Choose one of {', '.join(known)}.")
    if name in _CHOICES:
        if value not in _CHOICES[name]:
            raise SetupError(f"{name} is one of {', '.join(filter(None, _CHOICES[name]))}, and not {value!r}.")
        return
    kind = type(getattr(parameters, name))
    least, most = _RANGES.get(name, (1, 10**6))
    if kind is bool:
        fits, wanted = isinstance(value, bool), "true or false"
    else:
        number = isinstance(value, (int, kind)) and not isinstance(value, bool)
        fits = number and least <= value <= most
        wanted = f"{'a whole number' if kind is int else 'a number'} from {least:g} to {most:g}"
    if not fits:
        raise SetupError(f"The parameter {name} cannot be {repr(value)[:60]}; give {wanted}.")
