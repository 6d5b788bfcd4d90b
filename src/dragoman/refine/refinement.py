"""What refinement decides: new names for columns and tables, and descriptions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

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
    """`schema` under the new names: foreign keys and unique groups follow, comments stay with what they describe."""
    catalog = catalog_of(schema)
    told = refinement.descriptions
    described = schema
    if told:
        tables = tuple(
            replace(
                table,
                comment=told.get((catalog.key(table), ""), table.comment),
                columns=tuple(
                    replace(column, comment=told.get((catalog.key(table), column.name), column.comment))
                    for column in table.columns
                ),
            )
            for table in schema
        )
        described = replace(schema, tables=tables)
    return renamed(described, refinement.names)


def inverse(schema: Schema, refinement: Refinement) -> Refinement:
    """The refinement that leads back from `refined_schema(schema, refinement)`, its keys in the new names.

    Descriptions go back to the comments that `schema` has.
    """
    after = tables_by_key(refined_schema(schema, refinement))
    keys = {key: (table, new) for (key, table), new in zip(tables_by_key(schema).items(), after, strict=True)}
    columns = {(keys[table][1], new): column for (table, column), new in refinement.columns.items()}
    tables = {keys[table][1]: keys[table][0].name for table in refinement.tables}
    descriptions = {}
    for table, column in refinement.descriptions:
        owner, key = keys[table]
        found = owner.column(column) if column else owner
        descriptions[key, refinement.columns.get((table, column), column)] = found.comment if found else ""
    return Refinement(columns, tables, descriptions)
