"""Which columns a column's name must be told apart from."""

from __future__ import annotations

from collections.abc import Iterator

from dragoman.refine.refinement import Place, tables_by_key
from dragoman.schema import Schema
from dragoman.sql.catalog import catalog_of

Link = tuple[Place, Place]
"""A column of a foreign key and the column it refers to."""


def links(schema: Schema) -> Iterator[Link]:
    """(referring, referred) for each column of every foreign key; keys whose target is not seen are left out."""
    catalog = catalog_of(schema)
    for owner, key in schema.foreign_keys:
        target = schema.table(key.target, key.target_schema or owner.schema)
        if target is None:
            continue
        for own, other in zip(key.columns, key.target_columns, strict=False):
            one, two = owner.column(own), target.column(other)
            if one and two:
                yield (catalog.key(owner), one.name), (catalog.key(target), two.name)


class Scopes:
    """The scopes of all columns and tables of one schema, found once."""

    def __init__(self, schema: Schema) -> None:
        self._tables = {key: table.name for key, table in tables_by_key(schema).items()}
        self._hidden = {name: name for name, _ in schema.hidden if name not in self._tables}
        self.columns: dict[str, tuple[Place, ...]] = {
            key: tuple((key, column.name) for column in table.columns) for key, table in tables_by_key(schema).items()
        }
        """Table -> its columns, in order."""
        self._rivals: dict[Place, tuple[Place, ...]] = {}
        self._linked: dict[Place, set[Place]] = {}
        self._root: dict[Place, Place] = {}
        for one, other in links(schema):
            self._linked.setdefault(one, set()).add(other)
            self._linked.setdefault(other, set()).add(one)
            first, second = sorted((self.family(one), self.family(other)))
            self._root[second] = first

    @property
    def places(self) -> Iterator[Place]:
        """All tables and columns in the schema's order, a table before its columns."""
        for table, columns in self.columns.items():
            yield table, ""
            yield from columns

    def name(self, place: Place) -> str:
        """The base name of a column or table."""
        table, column = place
        return column or self._tables.get(table) or self._hidden[table]

    def scope(self, place: Place) -> frozenset[Place]:
        """The other columns of the table, and those a key links to the column, one hop either way (EGRefine, III)."""
        return frozenset({*self.columns[place[0]], *self.linked(place)} - {place})

    def linked(self, place: Place) -> frozenset[Place]:
        """The columns that a key links to this one, itself left out."""
        return frozenset(self._linked.get(place, set()) - {place})

    def family(self, place: Place) -> Place:
        """One column that stands for all that keys link to this one, over any number of hops.

        Columns of a family hold the same values, so outside one table they may bear the same name.
        """
        while place in self._root and self._root[place] != place:
            place = self._root[place]
        return place

    def rivals(self, place: Place) -> tuple[Place, ...]:
        """What must be told apart from this column or table, sorted.

        For a column those that share a scope with it, but for columns of other tables that belong to its family or
        always bore its name; for a table all others, those that cannot be read included.
        """
        if place not in self._rivals:
            self._rivals[place] = tuple(sorted(self._found_rivals(place)))
        return self._rivals[place]

    def _found_rivals(self, place: Place) -> set[Place]:
        if not place[1]:
            return {(table, "") for table in {*self._tables, *self._hidden} if table != place[0]}
        own = self.columns[place[0]]
        found = {*own, *(other for column in own for other in self.linked(column))}
        for there in self.linked(place):
            found.update(self.columns[there[0]])
        family, name = self.family(place), place[1].lower()
        alike = {p for p in found if p[0] != place[0] and (self.family(p) == family or p[1].lower() == name)}
        return found - alike - {place}
