"""What refinement decides: new names for columns and tables, and descriptions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from dragoman.refine.follow_names import follow_names
from dragoman.schema import Schema, Table
from dragoman.sql.catalog import catalog_of
from dragoman.sql.rename import Names, renamed

Place = tuple[str, str]
"""(table, column), or (table, "") for the table itself, spelled as the schema spells them; a table outside the default
schema is "schema.table" (`Catalog.key`)."""


@dataclass(frozen=True, slots=True)
class Refinement:
    """New names by the base names they replace; only names change (EGRefine, definition 2).

    `columns` maps (table, column) and `tables` maps a table, both as `Place` spells them. `descriptions` are texts that
    stand as comments of the places they describe, in base names too. What is not named here stays as it is.
    """

    columns: Mapping[Place, str] = field(default_factory=dict)
    tables: Mapping[str, str] = field(default_factory=dict)
    descriptions: Mapping[Place, str] = field(default_factory=dict)

    @property
    def names(self) -> Names:
        """Columns and tables in one mapping, as `sql.rename` takes them."""
        return {**{(table, ""): new for table, new in self.tables.items()}, **self.columns}

    def __bool__(self) -> bool:
        return bool(self.columns or self.tables or self.descriptions)


def tables_by_key(schema: Schema) -> dict[str, Table]:
    """Every table by the name that a `Place` gives it, in the schema's order."""
    catalog = catalog_of(schema)
    return {catalog.key(table): table for table in schema}


def refined_schema(schema: Schema, refinement: Refinement) -> Schema:
    """`schema` under the new names: foreign keys, unique groups and comments follow.

    A comment stays with what it describes, and old names inside it become new ones; a description of the refinement
    takes its place as it is.
    """
    names, told = refinement.names, refinement.descriptions
    if not refinement:
        return schema

    def described(key: str, table: Table) -> Table:
        def text(column: str, comment: str) -> str:
            return told[key, column] if (key, column) in told else follow_names(comment, schema, names)

        columns = tuple(replace(column, comment=text(column.name, column.comment)) for column in table.columns)
        return replace(table, comment=text("", table.comment), columns=columns)

    tables = tuple(described(key, table) for key, table in tables_by_key(schema).items())
    return renamed(replace(schema, tables=tables), names)


def inverse(schema: Schema, refinement: Refinement) -> Refinement:
    """The refinement that leads back from `refined_schema(schema, refinement)`, its keys in the new names.

    The comments of `schema` are its descriptions.
    """
    columns: dict[Place, str] = {}
    tables: dict[str, str] = {}
    descriptions: dict[Place, str] = {}
    after = tables_by_key(refined_schema(schema, refinement))
    for old, (key, new) in zip(schema, after.items(), strict=True):
        if old.name != new.name:
            tables[key] = old.name
        if old.comment or new.comment:
            descriptions[key, ""] = old.comment
        for before, now in zip(old.columns, new.columns, strict=True):
            if before.name != now.name:
                columns[key, now.name] = before.name
            if before.comment or now.comment:
                descriptions[key, now.name] = before.comment
    return Refinement(columns, tables, descriptions)
