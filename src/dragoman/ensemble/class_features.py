"""What is known of each class of equal results without knowing which is right, as numbers for a selector."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import log, log1p
from statistics import fmean

from dragoman.ensemble.question_fit import question_fit
from dragoman.ensemble.row_orders import is_ordered
from dragoman.ensemble.signals import Signals
from dragoman.errors import Unreadable
from dragoman.sql.shape import Shape, shape

Features = Mapping[str, float | None]
"""By name, None where unknown. Every class has the same names."""


@dataclass(frozen=True, slots=True)
class ClassFeatures:
    """A class of equal results: the places of its members, that of the one that stands for all, and its features.

    The features are of four kinds: `agreement` (share of candidates, lead over the largest other class, sources, the
    first draw among them), `execution` (rows, NULLs, columns), `likelihood`, and `structure` (size of the query, alone
    and beside the others, and how it fits the question's words).
    """

    members: tuple[int, ...]
    standing: int
    features: Features


def class_features(question: str, dialect: str, pool: Sequence[Signals]) -> tuple[ClassFeatures, ...]:
    """The classes of a pool in the order of their numbers; candidates without a result belong to none."""
    members: dict[int, list[int]] = {}
    for place, one in enumerate(pool):
        if one.group is not None:
            members.setdefault(one.group, []).append(place)
    classes = [tuple(found) for _, found in sorted(members.items())]
    standing = [min(found, key=lambda place: _rank(pool[place].sql, dialect)) for found in classes]
    shapes = [_shape(pool[place].sql, dialect) for place in standing]
    made = []
    for number, (found, place) in enumerate(zip(classes, standing, strict=True)):
        features = {
            **_agreement(number, classes, pool),
            **_execution(number, standing, pool),
            **_likelihood(number, classes, pool),
            **_structure(number, standing, shapes, pool),
            **question_fit(question, pool[place].sql),
        }
        made.append(ClassFeatures(found, place, features))
    return tuple(made)


def _rank(sql: str, dialect: str) -> tuple[bool, int]:
    """The least one stands for its class, as in `Class`."""
    return not is_ordered(sql, dialect), len(" ".join(sql.split()))


def _agreement(number: int, classes: Sequence[tuple[int, ...]], pool: Sequence[Signals]) -> dict[str, float | None]:
    sizes = [len(found) / len(pool) for found in classes]
    others = [size for place, size in enumerate(sizes) if place != number]
    sources = {one.source for one in pool}
    agreeing = {pool[place].source for place in classes[number]}
    return {
        "share": sizes[number],
        "lead": sizes[number] - max(others, default=0.0),
        "classes": float(len(classes)),
        "failed": sum(one.group is None for one in pool) / len(pool),
        "first": float(0 in classes[number]),
        "first_failed": float(pool[0].group is None),
        "sources": len(agreeing) / len(sources),
    }


def _execution(number: int, standing: Sequence[int], pool: Sequence[Signals]) -> dict[str, float | None]:
    rows = [pool[place].rows or 0 for place in standing]
    own = pool[standing[number]]
    return {
        "rows": log1p(rows[number]),
        "no_rows": float(rows[number] == 0),
        "no_rows_elsewhere": sum(count == 0 for count in rows) / len(rows) - float(rows[number] == 0) / len(rows),
        "columns": None if own.columns is None else float(own.columns),
        "nulls": own.nulls,
    }


def _likelihood(number: int, classes: Sequence[tuple[int, ...]], pool: Sequence[Signals]) -> dict[str, float | None]:
    best = [
        max((value for place in found if (value := pool[place].logprob) is not None), default=None) for found in classes
    ]
    own = best[number]
    others = [value for place, value in enumerate(best) if value is not None and place != number]
    return {"logprob": own, "logprob_lead": own - max(others) if own is not None and others else None}


def _structure(
    number: int, standing: Sequence[int], shapes: Sequence[Shape | None], pool: Sequence[Signals]
) -> dict[str, float | None]:
    lengths = [log(1 + len(" ".join(pool[place].sql.split()))) for place in standing]
    own = shapes[number]
    known = [found for found in shapes if found is not None]
    parts = ("tables", "aggregates", "filters", "groups", "selected")
    flags = ("distinct", "window", "set_operation", "subquery", "ordered", "limited")
    return {
        "length": lengths[number],
        "longer": lengths[number] - fmean(lengths),
        **{part: None if own is None else float(getattr(own, part)) for part in (*parts, *flags)},
        **{
            f"more_{part}": None if own is None else getattr(own, part) - fmean(getattr(s, part) for s in known)
            for part in parts
        },
    }


@lru_cache(maxsize=20_000)
def _shape(sql: str, dialect: str) -> Shape | None:
    try:
        return shape(sql, dialect)
    except Unreadable:
        return None
