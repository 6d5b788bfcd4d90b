"""What is known of a column or table when its name is judged: never a question."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from dragoman.databases import Database
from dragoman.refine.refinement import Place, tables_by_key
from dragoman.refine.sample_values import sample_values
from dragoman.refine.scope import Scopes
from dragoman.schema import Column, Schema, Table


@dataclass(frozen=True, slots=True)
class Subject:
    """A column, or a table (`column` is None), in its surroundings (EGRefine, section III-C: the four contexts).

    `values` are samples of every column of the table, by name. `links` are the columns that keys link to it, for a
    table those of all its columns. `domain` says in one sentence what the database is about. `tables` are the names of
    all tables.
    """

    place: Place
    table: Table
    column: Column | None
    values: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    links: tuple[Place, ...] = ()
    domain: str = ""
    dialect: str = "sqlite"
    tables: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The name that is judged."""
        return self.column.name if self.column else self.table.name

    @property
    def samples(self) -> tuple[str, ...]:
        """The column's own values; none for a table."""
        return self.values.get(self.column.name, ()) if self.column else ()

    @property
    def neighbours(self) -> tuple[Column, ...]:
        """The other columns of the table, for a table all of them."""
        return tuple(column for column in self.table.columns if column != self.column)


def subjects(
    places: Iterable[Place], database: Database, schema: Schema, domain: str, scopes: Scopes | None = None
) -> tuple[Subject, ...]:
    """The subjects of the places, in their order; every table is read once."""
    scopes = scopes or Scopes(schema)
    tables = tables_by_key(schema)
    names = tuple(table.name for table in schema)
    values: dict[str, Mapping[str, tuple[str, ...]]] = {}
    found = []
    for place in places:
        key, column = place
        table = tables[key]
        if key not in values:
            values[key] = sample_values(database, schema, table)
        own = [place] if column else list(scopes.columns[key])
        links = sorted({other for each in own for other in scopes.linked(each)})
        found.append(
            Subject(place, table, table.column(column), values[key], tuple(links), domain, schema.dialect, names)
        )
    return tuple(found)
