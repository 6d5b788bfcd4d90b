"""One table in few tokens: its columns in lines, what is below nested columns as paths, shards as ranges of names.

orders_{2019..2021} -- 3 tables with the columns of orders_2021; what was bought
  id INT key, customer INT -> customers.id
  status TEXT -- one of open, sent
  parcel{weight FLOAT, sent DATE}
  parcel.items[]{sku TEXT, n INT}
  orders_2019 lacks status
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from dragoman.linking.column_paths import column_paths
from dragoman.linking.group_tables import Drift, Group
from dragoman.linking.name_ranges import compact_names, variable_parts
from dragoman.schema import Column, Table
from dragoman.schema.render import is_plain, quoted

Samples = Mapping[tuple[tuple[str, ...], str], Sequence[str]]
"""Values that stand in a column, by (full name of the table, name of the column)."""

LONGEST_SAMPLE = 40
"""Characters of a sample value; what is longer is cut, which three dots say."""

FEWEST_MERGED = 4
"""Columns in a row that are written as a range of names."""
MOST_ADDED = 5
"""Columns that only some members of a group have, told of each drift where room is short."""

_DEFAULT_SIZES = re.compile(r"\((?:16777216|38, ?0|8388608)\)")
"""What Snowflake writes behind types that were declared without a size."""


@dataclass(frozen=True, slots=True)
class Item:
    """A column without fields (`parent` is empty), or a field below a nested column.

    `path` names it in rankings; `text` is how it is written, behind its `parent` if it has one. Columns in a row with
    the same `run`, which is not empty, differ in numbers or dates of their names alone.
    """

    column: str
    path: str
    parent: str
    text: str
    key: bool = False
    run: str = ""


def items(table: Table, dialect: str) -> tuple[Item, ...]:
    """All columns and fields of the table, in order."""
    found: list[Item] = []
    arrows = _arrows(table, dialect)
    for column in table.columns:
        arrow = arrows.get(column.name, "")
        key = bool(column.primary_key or arrow)
        for path, type_ in column_paths(column):
            type_ = _DEFAULT_SIZES.sub("", type_)
            if not column.nested:
                words = (bare(column.name, dialect), type_, "key" if column.primary_key else "")
                text = " ".join(filter(None, words)) + arrow
                found.append(Item(column.name, path, "", text, key, _run(path, text)))
            else:
                parent, _, leaf = path.rpartition(".")
                found.append(Item(column.name, path, parent or path, f"{leaf if parent else ''} {type_}".strip(), key))
    return tuple(found)


def notes(table: Table, samples: Samples) -> dict[str, str]:
    """What there is to say on each column that there is anything to say on: comment, labels of an enum, samples."""
    found: dict[str, str] = {}
    for column in table.columns:
        if note := _note(column, samples.get((table.full_name, column.name), ())):
            found[column.name] = note
    return found


def heading(table: Table, group: Group | None, dialect: str, comment: bool = True) -> str:
    """The name without its namespace; for a group, the names of all its tables and whose columns follow."""
    said = [" ".join(table.comment.split())] if comment and table.comment else []
    if group is not None:
        count = f"{len(table.members)} tables"
        said.insert(0, f"{count} with the columns of {table.name}" if group.drifts else count)
    elif table.members:
        said.insert(0, f"in {len(table.members)} partitions")
    return names_of(table, group, dialect) + (f" -- {'; '.join(said)}" if said else "")


def names_of(table: Table, group: Group | None, dialect: str) -> str:
    """The table's name, or all names of its group as patterns."""
    if group is None:
        return bare(table.name, dialect)
    patterns = compact_names(table.members)
    return ", ".join(patterns if is_plain(table.name) else (quoted(pattern, dialect) for pattern in patterns))


def bare(name: str, dialect: str) -> str:
    """The name without quotes even where its case needs them, which the legend says once."""
    return name if is_plain(name) else quoted(name, dialect)


def column_lines(shown: Sequence[Item], said: Mapping[str, str]) -> Iterator[str]:
    """The lines of the items `shown`, in order; `said` holds what is to be said on columns."""
    told: set[str] = set()
    for parent, together in groupby(shown, key=lambda item: item.parent):
        run = list(together)
        if not parent:
            yield from _plain_lines(run, said)
            continue
        note = said.get(run[0].column, "") if run[0].column not in told else ""
        told.add(run[0].column)
        yield f"  {parent}{{{', '.join(item.text for item in run)}}}" + (f" -- {note}" if note else "")


def drift_lines(drifts: Sequence[Drift], seen: frozenset[str] | None = None) -> Iterator[str]:
    """How members of a group differ from the columns shown; of `seen` (paths) alone, and of what is added the first.

    None is all of it.
    """
    for drift in drifts:
        changed = [f"{path} {type_}".strip() for path, type_ in drift.changed if seen is None or path in seen]
        missing = [path for path in drift.missing if seen is None or path in seen]
        added = [f"{path} {type_}".strip() for path, type_ in drift.added]
        if seen is not None and len(added) > MOST_ADDED:
            added = [*added[:MOST_ADDED], f"{len(added) - MOST_ADDED} more"]
        said = [
            f"{word} {', '.join(found)}"
            for word, found in (("also", added), ("instead", changed), ("not", missing))
            if found
        ]
        if said:
            yield f"  {', '.join(compact_names(drift.members))} has {'; '.join(said)}"


def _plain_lines(run: Sequence[Item], said: Mapping[str, str]) -> Iterator[str]:
    """Columns without notes share a line."""
    waiting: list[Item] = []
    for item in run:
        note = said.get(item.column, "")
        if not note:
            waiting.append(item)
            continue
        if waiting:
            yield f"  {', '.join(_merged(waiting))}"
            waiting = []
        yield f"  {item.text} -- {note}"
    if waiting:
        yield f"  {', '.join(_merged(waiting))}"


def _merged(waiting: Sequence[Item]) -> Iterator[str]:
    """Columns that differ in numbers or dates alone, and stand together, as ranges of names."""
    for run, together in groupby(waiting, key=lambda item: item.run):
        alike = list(together)
        if run and len(alike) >= FEWEST_MERGED:
            rest = alike[0].text.removeprefix(alike[0].path)
            yield from (name + rest for name in compact_names(item.path for item in alike))
        else:
            yield from (item.text for item in alike)


def has_ranges(found: Sequence[Item]) -> bool:
    """Whether some of the items may be written as ranges of names."""
    runs = groupby(found, key=lambda item: item.run)
    return any(run and sum(1 for _ in together) >= FEWEST_MERGED for run, together in runs)


def _run(name: str, text: str) -> str:
    """The pattern of a column's name with what stands behind it; "" where the name has no number or is quoted."""
    pattern, parts = variable_parts(name)
    return pattern + text.removeprefix(name) if parts and text.startswith(name) else ""


def _arrows(table: Table, dialect: str) -> dict[str, str]:
    """What a column refers to, by its name."""
    found: dict[str, str] = {}
    for key in table.foreign_keys:
        where = f"{bare(key.target_schema, dialect)}." if key.target_schema else ""
        for position, source in enumerate(key.columns):
            target = f".{bare(key.target_columns[position], dialect)}" if position < len(key.target_columns) else ""
            found[source] = f" -> {where}{bare(key.target, dialect)}{target}"
    return found


def _note(column: Column, samples: Sequence[str]) -> str:
    said = [" ".join(column.comment.split())] if column.comment else []
    if column.values:
        said.append("one of " + ", ".join(column.values))
    if samples:
        said.append("e.g. " + ", ".join(_sample(value) for value in samples))
    return "; ".join(said)


def _sample(value: str) -> str:
    text = " ".join(value.split())
    return repr(text if len(text) <= LONGEST_SAMPLE else text[: LONGEST_SAMPLE - 3] + "...")
