"""How C3 chooses tables and columns: recalled in two steps by several samples each, or named by one reply."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from dragoman.schema import Schema
from dragoman.workflows.schema_forms import clear_layout
from dragoman.workflows.schema_part import Chosen, FullName, read_columns, read_tables, schema_part
from dragoman.workflows.stages import Sampling, Stages


@dataclass(frozen=True, slots=True)
class Recall:
    """`samples` replies at `temperature` for tables, and as many for columns.

    Of each the first `tables` tables, or the first `columns` columns of a table, count; the most frequent set of
    tables is kept, and the `kept` most frequent columns of each table.
    """

    samples: int = 10
    temperature: float = 0.7
    tables: int = 4
    columns: int = 4
    kept: int = 5


def recall(stages: Stages, how: Recall) -> Schema:
    """The tables that most samples agree on, with the columns that most samples name and those of foreign keys.

    Replies that name nothing are not counted; where none names a table (or a column of a table), all are kept.
    """
    schema = stages.schema
    sampling = Sampling(how.samples, how.temperature)
    words = {"schema": stages.fence(clear_layout(schema), "schema"), "most": str(how.tables)}
    replies = stages.ask("linker", "c3/tables", words, sampling)
    sets = [frozenset(found[: how.tables]) for c in replies if (found := read_tables(c.text, schema))]
    tables = _most_common(sets)
    stages.note("link", read=len(sets), chosen=[".".join(name) for name in sorted(tables)])
    if tables:
        schema = schema_part(schema, dict.fromkeys(tables), keys=False)
    words = {"schema": stages.fence(clear_layout(schema), "schema"), "most": str(how.columns)}
    replies = stages.ask("linker", "c3/columns", words, sampling)
    read = [chosen for c in replies if (chosen := read_columns(c.text, schema))]
    columns = {table.full_name: _frequent(table.full_name, read, how) for table in schema}
    stages.note("link", read=len(read), chosen=_told(columns))
    return schema_part(schema, {name: found or None for name, found in columns.items()}, keys=False)


def link_once(stages: Stages, prompt: str) -> Schema:
    """The tables and columns that one reply names, with primary and foreign keys; all where it cannot be read."""
    schema = stages.schema
    words = {"schema": stages.fence(clear_layout(schema), "schema")}
    (reply,) = stages.ask("linker", prompt, words)
    chosen = read_columns(reply.text, schema)
    stages.note("link", read=int(bool(chosen)), chosen=_told(chosen))
    return schema_part(schema, {name: found or None for name, found in chosen.items()}) if chosen else schema


def _most_common(sets: Sequence[frozenset[FullName]]) -> frozenset[FullName]:
    """The set that most samples chose; of equally frequent ones the first."""
    return Counter(sets).most_common(1)[0][0] if sets else frozenset()


def _frequent(table: FullName, read: Sequence[Chosen], how: Recall) -> tuple[str, ...]:
    counts = Counter(name for chosen in read for name in chosen.get(table, ())[: how.columns])
    return tuple(name for name, _ in counts.most_common(how.kept))


def _told(chosen: Chosen) -> dict[str, list[str]]:
    return {".".join(name): list(columns) for name, columns in chosen.items()}
