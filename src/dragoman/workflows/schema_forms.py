"""A schema in the forms that published methods show it in. Names are written as SQL would need them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dragoman.linking.value_index import ValueHint
from dragoman.schema import Schema, Table
from dragoman.schema.render import full_name, named


def clear_layout(schema: Schema, hints: Sequence[ValueHint] = (), most: int = 2) -> str:
    """C3's clear layout: `# table ( column ("value"), ... )`, then the foreign keys, a line each.

    A column is followed by up to `most` of its values that the question names.
    """
    lines = [f"# {_name(table, schema)} ( {', '.join(_with_hints(table, schema, hints, most))} )" for table in schema]
    return "\n".join([*lines, *(f"# {key}" for key in foreign_keys(schema))])


def listing(schema: Schema) -> str:
    """DIN-SQL's form: a line of columns for each table, then all foreign and primary keys."""
    lines = [
        f"Table {_name(table, schema)}, columns = [{', '.join(['*', *_columns(table, schema)])}]" for table in schema
    ]
    primary = [
        f"{_name(table, schema)}.{named(name, schema.dialect)}" for table in schema for name in table.primary_key
    ]
    keys = [f"Foreign_keys = [{', '.join(foreign_keys(schema))}]", f"Primary_keys = [{', '.join(primary)}]"]
    return "\n".join([*lines, *keys])


def foreign_keys(schema: Schema) -> Iterator[str]:
    """`table.column = target.column` for every pair of columns that a foreign key joins."""
    dialect = schema.dialect
    for table, key in schema.foreign_keys:
        target = schema.table(key.target, key.target_schema or table.schema)
        where = _name(target, schema) if target else named(key.target, dialect)
        for source, wanted in zip(key.columns, key.target_columns, strict=False):
            yield f"{_name(table, schema)}.{named(source, dialect)} = {where}.{named(wanted, dialect)}"


def _columns(table: Table, schema: Schema) -> Iterator[str]:
    yield from (named(column.name, schema.dialect) for column in table.columns)


def _with_hints(table: Table, schema: Schema, hints: Sequence[ValueHint], most: int) -> Iterator[str]:
    for column in table.columns:
        values = [h.value for h in hints if (h.table, h.column) == (table.name, column.name)][:most]
        shown = f" ({', '.join(map(repr, values))})" if values else ""
        yield named(column.name, schema.dialect) + shown


def _name(table: Table, schema: Schema) -> str:
    return full_name(table, schema.dialect, schema.default_schema)
