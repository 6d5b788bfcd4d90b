"""From a question to what the model needs to see of a database."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dragoman.linking.group_tables import group_tables
from dragoman.linking.ranker import Hints, Ranker
from dragoman.linking.ranking import Ranking
from dragoman.linking.schema_text import Count, SchemaText, schema_text
from dragoman.linking.table_text import Samples
from dragoman.linking.token_estimate import estimate_tokens
from dragoman.schema import Schema


@dataclass(frozen=True, slots=True)
class Linked:
    """What is seen of a schema for a question, and why: `values` are (table, column, value) that it names."""

    text: SchemaText
    ranking: Ranking
    values: Sequence[tuple[str, str, str]] = ()


class Linker:
    """Groups and indexes a schema once, then links questions to it without a model. Safe in several threads."""

    def __init__(self, schema: Schema) -> None:
        self.grouped = group_tables(schema)
        self._ranker = Ranker(self.grouped.schema)

    def link(
        self,
        question: str,
        budget: int | None,
        values: Hints = (),
        count: Count = estimate_tokens,
        samples: Samples | None = None,
    ) -> Linked:
        """The schema's text within `budget` (tokens by `count`), with what `question` and `values` speak of first."""
        ranking = self._ranker.rank(question, values)
        return Linked(schema_text(self.grouped, budget, ranking, count, samples), ranking, tuple(values))
