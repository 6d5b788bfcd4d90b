"""Queries that are kept somewhere and would go wrong once their tables wear new names, even if rewritten to them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from dragoman.errors import Unreadable
from dragoman.questions import Example
from dragoman.refine.refinement import Refinement
from dragoman.refine.view_sql import renamed_tables
from dragoman.schema import Schema
from dragoman.sql.fragile import fragile
from dragoman.sql.group_by_key import carried


def stored_query_warnings(schema: Schema, refinement: Refinement, examples: Iterable[Example]) -> tuple[str, ...]:
    """One sentence for each danger in a query of a workload in the old names.

    What would go wrong on the views without a word, if the query were not rewritten, and what PostgreSQL refuses there
    even if it was.
    """
    asked = tuple(examples)
    silent = _sentences(asked, lambda sql: fragile(sql, schema, refinement.names))
    return (*silent, *grouped_by_key(schema, refinement, asked, renamed_tables(schema, refinement)))


def grouped_by_key(
    schema: Schema, refinement: Refinement, examples: Iterable[Example], tables: Collection[str]
) -> tuple[str, ...]:
    """One sentence for each query that counts on a primary key in GROUP BY to bring columns of `tables` along.

    The sentence names these columns as the refinement does. There are none on other engines than PostgreSQL.
    """

    def told(sql: str) -> Iterable[str]:
        for found in carried(sql, schema, tables):
            names = ", ".join(refinement.columns.get((found.key, column), column) for column in found.columns)
            table = refinement.tables.get(found.key, found.key)
            yield f"a view has no primary key, so GROUP BY needs {names or 'the whole row'} of {table} as well"

    return _sentences(examples, told)


def _sentences(examples: Iterable[Example], dangers: Callable[[str], Iterable[str]]) -> tuple[str, ...]:
    found = []
    for example in examples:
        for sql in filter(None, (example.sql, *example.alternatives)):
            try:
                found += [f"{example.question.id or sql}: {danger}." for danger in dangers(sql)]
            except Unreadable:
                continue
    return tuple(dict.fromkeys(found))
