"""PostgreSQL reads `row.name` as the call name(row) where the row has no such column; the guard refuses those."""

from __future__ import annotations

from sqlglot import exp

from dragoman.errors import Refused
from dragoman.schema import Schema
from dragoman.sql.binding import Binding
from dragoman.sql.catalog import catalog_of
from dragoman.sql.parse import Tree
from dragoman.sql.policies import policy

_RESULT_FIELDS = frozenset({"key", "value", "lexeme", "positions", "weights", "ordinality", "f1", "f2", "f3", "f4"})
"""What the results of PostgreSQL's own functions, and rows without a type, have as fields."""


def refuse_attribute_calls(tree: Tree, binding: Binding, schema: Schema) -> None:
    """Raise `Refused` for a qualified name, or a field of an expression, that may be a function in disguise.

    Values that are no rows are no better: `(name).f` calls f(name). Without a schema only those names are
    refused that the policy refuses as functions.
    """
    if schema.tables:
        for column, _ in binding.unknown_columns:
            if column.table:
                raise _refused(column.name)
    for dot in tree.find_all(exp.Dot):
        if not isinstance(dot.expression, exp.Identifier):
            continue
        name = dot.expression.name.lower()
        unknown = schema.tables and name not in _RESULT_FIELDS and name not in _fields(schema)
        if unknown or policy(schema.dialect).refusal(name):
            raise _refused(dot.expression.name)


def _fields(schema: Schema) -> set[str]:
    """The names that a column or a field of one has; not those that the query gives, which may be a function's."""
    catalog = catalog_of(schema)
    names = {name for table in schema for name in catalog.columns(table)}
    names |= {p.lower() for t in schema for c in t.columns for path, _ in c.nested for p in path.split(".")}
    return names


def _refused(name: str) -> Refused:
    return Refused(f"There is no column {name} there, and PostgreSQL would call a function of that name.")
