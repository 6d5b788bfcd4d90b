"""The databases of the experiment: each as it is and with abbreviated names, with the same questions of Spider dev."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from dragoman.bench.dataset import Dataset
from dragoman.bench.perturb import perturb
from dragoman.databases.guarded_database import GuardedDatabase
from dragoman.metrics import Case, GoldCache
from dragoman.questions import Example
from dragoman.refine.gold_check import unjudged
from dragoman.refine.refinement import Place

LEFT_OUT = frozenset({"wta_1"})
"""Its rows are not Spider's own here."""


@dataclass(frozen=True, slots=True)
class Size:
    """How much is measured. Everything is drawn by `seed`: databases, questions, abbreviations, halves.

    A database has at most `columns` columns and at least `asked` questions in the set, of which `questions` are drawn:
    more questions are asked of the same databases, and hold the fewer ones. Those of `without` are not drawn.
    """

    databases: int = 6
    questions: int = 24
    columns: int = 60
    asked: int = 30
    kind: str = "rule"
    seed: int = 0
    without: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Ground:
    """One database in both forms. `clean_examples` and `examples` are the same questions in the same random order.

    `renamed` maps columns, as they were, to their abbreviations. Every second question is in the first half.
    """

    name: str
    clean: GuardedDatabase
    degraded: GuardedDatabase
    clean_examples: tuple[Example, ...]
    examples: tuple[Example, ...]
    renamed: Mapping[Place, str]

    def half(self, which: int) -> tuple[Example, ...]:
        """The degraded examples of half 0 or 1."""
        return self.examples[which::2]


def chosen_databases(dataset: Dataset, size: Size) -> list[str]:
    """`size.databases` names, drawn among those with few enough columns and enough questions."""
    asked = Counter(example.database for example in dataset.examples)
    fitting = []
    for name in sorted(asked.keys() - LEFT_OUT - {*size.without}):
        with opened(dataset, name) as database:
            columns = sum(len(table.columns) for table in database.schema())
        if columns <= size.columns and asked[name] >= size.asked:
            fitting.append(name)
    return sorted(Random(size.seed).sample(fitting, min(size.databases, len(fitting))))


def degraded(dataset: Dataset, names: list[str], size: Size, folder: Path) -> tuple[Dataset, Dataset]:
    """(the data set narrowed to these databases, the same over copies with abbreviated names below `folder`)."""
    own = tuple(example for example in dataset.examples if example.database in names)
    narrowed = replace(dataset, examples=own)
    return narrowed, perturb(narrowed, size.kind, folder, size.seed)


@contextmanager
def ground(clean: Dataset, worse: Dataset, name: str, size: Size) -> Iterator[Ground]:
    """One database in both forms, open, with `size.questions` of its questions that can be judged in both."""
    with opened(clean, name) as before, opened(worse, name) as after:
        twins = {example.question.id: example for example in worse.examples}
        pairs = [(e, twins[e.question.id]) for e in clean.examples if e.database == name and e.question.id in twins]
        Random(f"{size.seed} {name}").shuffle(pairs)
        judged: list[tuple[Example, Example]] = []
        for pair in pairs:
            if len(judged) < size.questions and _is_judged(pair[0], before) and _is_judged(pair[1], after):
                judged.append(pair)
        renamed = {_place(old): new for old, new in worse.renamed[name].items()}
        yield Ground(name, before, after, tuple(a for a, _ in judged), tuple(b for _, b in judged), renamed)


@contextmanager
def opened(dataset: Dataset, name: str) -> Iterator[GuardedDatabase]:
    """A database of the set, closed at the end."""
    database = dataset.open(name)
    assert isinstance(database, GuardedDatabase)
    try:
        yield database
    finally:
        database.close()


def _is_judged(example: Example, database: GuardedDatabase) -> bool:
    return not unjudged(Case(example, example.sql, database, GoldCache()))


def _place(name: str) -> Place:
    table, _, column = name.partition(".")
    return table, column
