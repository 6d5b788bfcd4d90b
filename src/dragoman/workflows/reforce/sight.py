"""What a model sees of a schema for a question: compressed, linked without a model, and by one where it must be cut."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from dragoman.databases import Database
from dragoman.linking.group_tables import GroupedSchema, group_tables
from dragoman.linking.rank_by_model import rank_by_model
from dragoman.linking.ranker import Ranker
from dragoman.linking.ranking import Ranking
from dragoman.linking.schema_text import SchemaText, schema_text
from dragoman.linking.table_text import Samples
from dragoman.linking.value_index import ValueHint
from dragoman.models import Model
from dragoman.schema import Schema, Table
from dragoman.solver import Step
from dragoman.workflows.reforce.parameters import Parameters
from dragoman.workflows.sample_values import SampleValues

MOST_SAMPLED = 100
"""Tables whose first rows are read for sample values: those that rank best."""


@dataclass(frozen=True, slots=True)
class Seen:
    """The text, and a step for each call of a model that had a part in it; the first step tells what is seen."""

    text: SchemaText
    steps: tuple[Step, ...]


class Sight:
    """How one database is seen (ReFoRCE, section 3.2.1). It is grouped, indexed and sampled once.

    Tables that are alike stand together. Where columns must be left out to fit `how.budget`, `model` is asked what
    the question needs. Without `how.compress` every table stands in full, whatever its length. Without `cells` no
    sample value is shown.
    """

    def __init__(self, database: Database, model: Model, how: Parameters, cells: bool) -> None:
        self._model = model
        self._how = how
        self._values = SampleValues(database) if cells and how.samples else None
        self._indexed: tuple[Schema, GroupedSchema, Ranker] | None = None

    def see(self, schema: Schema, asked: str, hints: Sequence[ValueHint], seed: int) -> Seen:
        """The text of `schema`, which is all or a part of the database's, for the question `asked`."""
        if not self._how.compress:
            text = schema_text(GroupedSchema(schema, {}, ()), samples=self._samples(schema))
            return Seen(text, (_told(text, schema),))
        _, grouped, ranker = self._index(schema)
        ranking = ranker.rank(asked, hints)
        samples = self._samples(_best_first(grouped.schema, ranking))
        text = schema_text(grouped, self._how.budget, ranking, samples=samples)
        if _columns(text.shown) == _columns(grouped.schema):
            return Seen(text, (_told(text, schema),))
        ranking, steps = rank_by_model(grouped, asked, ranking, self._model, seed=seed)
        text = schema_text(grouped, self._how.budget, ranking, samples=samples)
        staged = (replace(step, data={**step.data, "stage": "link"}) for step in steps)
        return Seen(text, (_told(text, schema), *staged))

    def _index(self, schema: Schema) -> tuple[Schema, GroupedSchema, Ranker]:
        indexed = self._indexed
        if indexed is None or indexed[0] is not schema:
            grouped = group_tables(schema)
            indexed = self._indexed = (schema, grouped, Ranker(grouped.schema))
        return indexed

    def _samples(self, tables: Iterable[Table]) -> Samples:
        """Texts and dates of each column; numbers say little without the rest of their row."""
        if self._values is None:
            return {}
        return {
            (table.full_name, name): shown
            for table in islice(tables, MOST_SAMPLED)
            for name, values in self._values.of(table).items()
            if (
                shown := [str(value) for value in values if isinstance(value, (str, datetime.date))][
                    : self._how.samples
                ]
            )
        }


def _best_first(schema: Schema, ranking: Ranking) -> list[Table]:
    return sorted(schema, key=lambda table: -ranking.tables.get(table.full_name, 0.0))


def _columns(schema: Schema) -> int:
    return sum(len(column.nested) or 1 for table in schema for column in table.columns)


def _told(text: SchemaText, whole: Schema) -> Step:
    data = {
        "stage": "link",
        "tables": len(whole.tables),
        "shown": len(text.shown.tables),
        "columns": _columns(text.shown),
        "tokens": text.tokens,
        "left_out": list(text.left_out),
    }
    return Step("link", data=data)
