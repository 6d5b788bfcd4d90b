"""What a model sees of a schema for a question: compressed, linked without a model, and by one where it must be cut."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from dragoman.linking.group_tables import GroupedSchema
from dragoman.linking.linker import Linker
from dragoman.linking.rank_by_model import rank_by_model
from dragoman.linking.schema_text import SchemaText, schema_text
from dragoman.linking.value_index import ValueHint
from dragoman.models import Model
from dragoman.schema import Schema
from dragoman.solver import Step
from dragoman.workflows.reforce.parameters import Parameters


@dataclass(frozen=True, slots=True)
class Seen:
    """The text, and a step for each call of a model that had a part in it; the first step tells what is seen."""

    text: SchemaText
    steps: tuple[Step, ...]


def see(schema: Schema, asked: str, hints: Sequence[ValueHint], model: Model, how: Parameters, seed: int) -> Seen:
    """The schema's text for a question (ReFoRCE, section 3.2.1).

    Tables that are alike stand together. Where columns must be left out to fit `how.budget`, `model` is asked what
    the question needs. Without `how.compress` every table stands in full, whatever its length.
    """
    if not how.compress:
        text = schema_text(GroupedSchema(schema, {}, tuple(range(len(schema.tables)))))
        return Seen(text, (_told(text, schema),))
    linker = _linker(schema)
    linked = linker.link(asked, how.budget, hints)
    if not _is_cut(linked.text, linker.grouped.schema):
        return Seen(linked.text, (_told(linked.text, schema),))
    ranking, steps = rank_by_model(linker.grouped, asked, linked.ranking, model, seed=seed)
    text = schema_text(linker.grouped, how.budget, ranking)
    staged = (replace(step, data={**step.data, "stage": "link"}) for step in steps)
    return Seen(text, (_told(text, schema), *staged))


@lru_cache(maxsize=8)
def _linker(schema: Schema) -> Linker:
    return Linker(schema)


def _is_cut(text: SchemaText, schema: Schema) -> bool:
    return _columns(text.shown) < _columns(schema)


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
