"""Which questions train which batch, and which nothing in training sees."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from dragoman.errors import SetupError
from dragoman.learn.optimise import Item
from dragoman.questions import Example

FEWEST = 6
"""Questions with gold SQL below which there is nothing to learn from and to prove it on."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """Questions of the paper (DivSkill-SQL, appendix B). A smaller workload is divided in the same proportions."""

    batches: int = 3
    train: int = 70
    val: int = 30
    held_out: int = 80


@dataclass(frozen=True, slots=True)
class Split:
    """Disjoint batches of items, and the examples held out. `by_database`: no database is in both."""

    batches: tuple[tuple[Item, ...], ...]
    held_out: tuple[Example, ...]
    by_database: bool


def split(examples: Sequence[Example], sizes: Sizes = Sizes(), seed: int = 0) -> Split:
    """Hold out whole databases where there are three or more, else questions, and deal the rest into batches.

    Examples without gold SQL are left out, and of the rest those that ask what is held out in other words (the same
    gold SQL). Raises `SetupError` for fewer than `FEWEST`, and where nothing is left to train on.
    """
    usable = [example for example in examples if example.sql]
    if len(usable) < FEWEST:
        raise SetupError(
            f"There are {len(usable)} questions with SQL; learning needs {FEWEST}. Add some to the workload."
        )
    order = random.Random(seed)
    order.shuffle(usable)
    wanted = sizes.batches * (sizes.train + sizes.val) + sizes.held_out
    scale = min(1.0, len(usable) / wanted)
    kept = max(1, round(sizes.held_out * scale))
    held, rest, by_database = _hold_out(usable, kept, order)
    train, val = max(1, int(sizes.train * scale)), max(1, int(sizes.val * scale))
    batches = []
    for number in range(sizes.batches):
        part = rest[number * (train + val) : (number + 1) * (train + val)]
        if len(part) > 1:
            cut = min(train, len(part) - 1)
            batches.append((*(Item(e, "train") for e in part[:cut]), *(Item(e, "val") for e in part[cut:])))
    if not batches:
        raise SetupError(
            f"Of {len(usable)} questions {len(held)} are held out, and too few are left to learn from. "
            "Lower --held-out, or add questions to the workload."
        )
    return Split(tuple(batches), tuple(held), by_database)


def _hold_out(usable: list[Example], kept: int, order: random.Random) -> tuple[list[Example], list[Example], bool]:
    by_database: dict[str, list[Example]] = defaultdict(list)
    for example in usable:
        by_database[example.database].append(example)
    if len(by_database) < 3:
        held = usable[:kept]
        asked = {(e.database, e.sql) for e in held}
        return held, [e for e in usable[kept:] if (e.database, e.sql) not in asked], False
    names = sorted(by_database)
    order.shuffle(names)
    names.sort(
        key=lambda name: 2 * len(by_database[name]) > len(usable)
    )  # what has most of the questions is trained on
    chosen: set[str] = set()
    count = 0
    for name in names[:-1]:
        if count >= kept:
            break
        chosen.add(name)
        count += len(by_database[name])
    held = [e for e in usable if e.database in chosen][:kept]
    return held, [e for e in usable if e.database not in chosen], True
