"""CHASE-SQL's value retrieval: a model names keywords, which are looked up among the values of the database."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import SequenceMatcher

from dragoman.linking.value_index import ValueHint, fold
from dragoman.workflows.schema_part import json_values
from dragoman.workflows.stages import Stages


@dataclass(frozen=True, slots=True)
class Lookup:
    """At most `keywords` are looked up, and the `values` closest to one of them are shown."""

    keywords: int = 12
    values: int = 12


def look_up(stages: Stages, how: Lookup) -> tuple[ValueHint, ...]:
    """The values found for the question and for each keyword, the closest first.

    No call is made where there is no index to look in, or cells must not reach a model. A reply that lists nothing
    leaves what the question alone finds.
    """
    match = stages.asking.match
    if match is None or stages.values is None:
        return stages.hints
    (reply,) = stages.ask("linker", "chase/keywords", {})
    keywords = read_keywords(reply.text)[: how.keywords]
    closeness: dict[ValueHint, float] = dict.fromkeys(stages.hints, 1.0)
    for keyword in keywords:
        for hint in match(keyword):
            closeness[hint] = max(closeness.get(hint, 0.0), _likeness(keyword, hint.value))
    found = tuple(sorted(closeness, key=lambda hint: -closeness[hint])[: how.values])
    stages.note("link", keywords=list(keywords), values=[list(hint) for hint in found])
    return found


def read_keywords(text: str) -> tuple[str, ...]:
    """The texts of the last JSON list in a reply that has some, once each; () if there is none."""
    for value in json_values(text):
        listed = value if isinstance(value, list) else []
        texts = (" ".join(item.split()) for item in listed if isinstance(item, str))
        if found := tuple(dict.fromkeys(item for item in texts if item)):
            return found
    return ()


def _likeness(one: str, other: str) -> float:
    """From 0 to 1, by common runs of letters, case and accents aside."""
    return SequenceMatcher(None, fold(one), fold(other)).ratio()
