"""PostgreSQL reads `row.name` as the call name(row) where the row has no such column; the guard refuses those."""

from __future__ import annotations

from sqlglot import exp

from dragoman.errors import Refused
from dragoman.schema import Schema
from dragoman.sql.binding import Binding
from dragoman.sql.catalog import catalog_of
from dragoman.sql.parse import Tree
from dragoman.sql.policies import policy


def refuse_attribute_calls(tree: Tree, binding: Binding, schema: Schema) -> None:
    """Raise `Refused` for a qualified name, or a field of an expression, that may be a function in disguise.

    Fields that only a function's result has, as in `(json_each(x)).key`, pass; without a schema only those names are
    refused that the policy refuses as functions.
    """
    if schema.tables:
        for column, _ in binding.unknown_columns:
            if column.table:
                raise _refused(column.name)
    stored = {id(bound.column) for bound in binding.names if bound.origins}
    for dot in tree.find_all(exp.Dot):
        if not isinstance(dot.expression, exp.Identifier):
            continue
        name = dot.expression.name.lower()
        if policy(schema.dialect).refusal(name) or (
            schema.tables and _may_be_row(dot.this, stored) and name not in _fields(tree, schema)
        ):
            raise _refused(dot.expression.name)


def _may_be_row(node: exp.Expr, stored: set[int]) -> bool:
    """Whether a row of a table goes into the expression: by a cast, or by a name that is no column of the schema."""
    if any(kind.this == exp.DType.USERDEFINED for kind in node.find_all(exp.DataType)):
        return True
    return any(id(column) not in stored for column in node.find_all(exp.Column))


def _fields(tree: Tree, schema: Schema) -> set[str]:
    """The names that a column, a field of one or an output of the query has."""
    catalog = catalog_of(schema)
    names = {name for table in schema for name in catalog.columns(table)}
    names |= {p.lower() for t in schema for c in t.columns for path, _ in c.nested for p in path.split(".")}
    names |= {alias.alias.lower() for alias in tree.find_all(exp.Alias)}
    return names | {c.name.lower() for alias in tree.find_all(exp.TableAlias) for c in alias.args.get("columns") or ()}


def _refused(name: str) -> Refused:
    return Refused(f"There is no column {name} there, and PostgreSQL would call a function of that name.")
