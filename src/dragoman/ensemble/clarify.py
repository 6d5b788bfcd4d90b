"""One question back to the user, that names the two readings between which the candidates are torn."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import Any

from dragoman.agent.sentences import counted
from dragoman.errors import Refused
from dragoman.schema import Schema
from dragoman.solver import Candidate
from dragoman.sql.reading import Reading, reading

PARTS = ("shown", "conditions", "groups", "limit", "together", "order", "tables")
"""Parts of a reading, those that people see first before the others."""
MOST_PARTS = 3
"""Differences that one question names."""


def clarify(first: Candidate, second: Candidate, schema: Schema) -> str:
    """The question between two candidates with different results, made from where their queries differ.

    Where the queries read alike, their results tell them apart. No model is asked.
    """
    try:
        one, other = reading(first.sql, schema), reading(second.sql, schema)
    except Refused:
        return _between(_result(first), _result(second))
    different = [part for part in PARTS if _phrases(one, part) != _phrases(other, part)]
    if len(different) > 1 and "tables" in different:
        different.remove("tables")  # follows from the other parts
    if not different:
        return _between(_result(first), _result(second))
    shown = different[:MOST_PARTS]
    return _between(_told(one, other, shown), _told(other, one, shown))


def _told(own: Reading, other: Reading, parts: Sequence[str]) -> str:
    """What a reading has in these parts, phrases that both have left out where enough remains."""
    return ", ".join(_part(part, _phrases(own, part), _phrases(other, part)) for part in parts)


def _part(part: str, own: tuple[str, ...], other: tuple[str, ...]) -> str:
    said = _sentences()
    alone = tuple(phrase for phrase in own if phrase not in other)
    if part == "shown":  # the whole list, since its order and length count
        alone = own
    elif own and not alone and set(other) != set(own):
        return str(said["without"][part])
    phrases = alone or own
    return str(said["parts"][part].format(" and ".join(phrases))) if phrases else str(said["without"][part])


def _phrases(found: Reading, part: str) -> tuple[str, ...]:
    value = getattr(found, part)
    return ((value,) if value else ()) if isinstance(value, str) else value


def _result(candidate: Candidate) -> str:
    rows = candidate.rows
    size = counted(len(rows), "row") if rows is not None else _sentences()["nothing"]
    return str(_sentences()["rows"].format(size))


def _between(one: str, other: str) -> str:
    return str(_sentences()["ask"].format(one, other))


@cache
def _sentences() -> dict[str, Any]:
    return tomllib.loads(resources.files("dragoman.ensemble").joinpath("data/clarify.toml").read_text("utf-8"))


def unsure(confidence: float, asked: float, question: str) -> str:
    """The sentence of an answer that is held back, with the question back where there is one."""
    key = "unsure_between" if question else "unsure"
    return str(_sentences()[key].format(confidence, asked, question))
