"""Examples with the databases they are about."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from dragoman.databases import Database, connect
from dragoman.errors import SetupError
from dragoman.questions import Example

Renamed = Mapping[str, Mapping[str, str]]
"""Database -> {"table" or "table.column" as it was: the name it has now}."""


_GOLDEN = (5**0.5 - 1) / 2


@dataclass(frozen=True, slots=True)
class Dataset:
    """One split of a data set. `databases` maps each database's name to its URL; ids of examples are unique.

    `extras` holds what the set publishes for judging, by example id: fields of `metrics.Case`.
    `renamed` is the mapping of a set whose schemas were renamed. `view` makes of a database what solvers see of it,
    for example a refined one; gold queries run without it. `note` is what a reader of figures must know.
    """

    name: str
    split: str
    examples: tuple[Example, ...]
    databases: Mapping[str, str]
    renamed: Renamed = field(default_factory=dict)
    extras: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    view: Callable[[Database], Database] | None = None
    note: str = ""

    def __len__(self) -> int:
        return len(self.examples)

    def open(self, database: str) -> Database:
        """Connect to one database by its name. Raises `SetupError` if it is not of this set or cannot be opened."""
        if database not in self.databases:
            raise SetupError(
                f"{self.name} {self.split} has no database {database!r}. Put its file where the others lie, or leave "
                "out the questions about it."
            )
        return connect(self.databases[database])


def take(dataset: Dataset, limit: int | None) -> Dataset:
    """At most `limit` examples in their order, spread over the set so that few of them cover many databases.

    A smaller part lies within every larger one: example i ranks by the fraction of i times the golden ratio.
    """
    total = len(dataset.examples)
    if limit is None or limit >= total:
        return dataset
    ranked = sorted(range(total), key=lambda place: place * _GOLDEN % 1)
    return replace(dataset, examples=tuple(dataset.examples[place] for place in sorted(ranked[:limit])))


def without_evidence(dataset: Dataset) -> Dataset:
    """The same questions without the outside knowledge that comes with them."""
    examples = tuple(replace(e, question=replace(e.question, evidence="")) for e in dataset.examples)
    return replace(dataset, examples=examples)


def only_open(dataset: Dataset) -> tuple[Dataset, tuple[str, ...]]:
    """The examples whose database is there, and the names of databases that are missing."""
    missing = dict.fromkeys(e.database for e in dataset.examples if e.database not in dataset.databases)
    kept = tuple(e for e in dataset.examples if e.database not in missing)
    return replace(dataset, examples=kept), tuple(missing)
