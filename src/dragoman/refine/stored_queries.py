"""Queries that are kept somewhere and would go wrong without a word once their tables wear new names."""

from __future__ import annotations

from collections.abc import Iterable

from dragoman.errors import Unreadable
from dragoman.questions import Example
from dragoman.refine.refinement import Refinement
from dragoman.schema import Schema
from dragoman.sql.fragile import fragile


def stored_query_warnings(schema: Schema, refinement: Refinement, examples: Iterable[Example]) -> tuple[str, ...]:
    """One sentence for each query of a workload that would go wrong silently on the views if it were not rewritten."""
    found = []
    for example in examples:
        for sql in (example.sql, *example.alternatives):
            try:
                dangers = fragile(sql, schema, refinement.names) if sql else ()
            except Unreadable:
                continue
            found += [f"{example.question.id or sql}: {danger}." for danger in dangers]
    return tuple(dict.fromkeys(found))
