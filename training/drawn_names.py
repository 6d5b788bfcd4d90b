"""The demo with its taken-over table under names drawn anew: practice teaches to read names, not these names."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from zlib import crc32

from dragoman.databases import Database
from dragoman.databases.guarded_database import GuardedDatabase
from dragoman.questions import Example
from dragoman.refine.refined_database import RefinedDatabase
from dragoman.refine.refinement import Refinement

NAMES = Path(__file__).parent / "practice" / "drawn_names.toml"
TABLE = "CUST_MST"


def copies(demo: Database, count: int, seed: int = 0) -> dict[str, RefinedDatabase]:
    """`count` views of the demo by the names demo-0, demo-1, ..., each with other names for the table's parts."""
    assert isinstance(demo, GuardedDatabase)
    order = random.Random(seed)
    return {f"{demo.name}-{n}": RefinedDatabase(demo, drawn(order)) for n in range(count)}


def drawn(order: random.Random) -> Refinement:
    """A clear name for the table and each of its columns."""
    lists = tomllib.loads(NAMES.read_text("utf-8"))
    columns = {(TABLE, column): order.choice(names) for column, names in lists["columns"].items()}
    return Refinement(columns, {TABLE: order.choice(lists[TABLE])})


def moved(examples: Iterable[Example], to: Mapping[str, RefinedDatabase]) -> tuple[Example, ...]:
    """Each example over one of the copies, its SQL in the names there."""
    names = list(to)
    found = []
    for example in examples:
        name = names[crc32((example.question.id or example.question.text).encode()) % len(names)]
        sql = example.sql or ""
        found.append(replace(example, sql=to[name].rewritten(sql) if TABLE in sql else sql, database=name))
    return tuple(found)
