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
    """The scopes of all columns of one schema, found once."""

    def __init__(self, schema: Schema) -> None:
        self.columns: dict[str, tuple[Place, ...]] = {
            key: tuple((key, column.name) for column in table.columns) for key, table in tables_by_key(schema).items()
        }
        """Table -> its columns, in order."""
        self._linked: dict[Place, set[Place]] = {}
        self._root: dict[Place, Place] = {}
        for one, other in links(schema):
            self._linked.setdefault(one, set()).add(other)
            self._linked.setdefault(other, set()).add(one)
            first, second = sorted((self.family(one), self.family(other)))
            self._root[second] = first

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

    def rivals(self, place: Place) -> frozenset[Place]:
        """The columns that share a scope with this one and must be told apart from it.

        That is all of them but columns of other tables that belong to its family or always bore its name.
        """
        own = self.columns[place[0]]
        found = {*own, *(other for column in own for other in self.linked(column))}
        for there in self.linked(place):
            found.update(self.columns[there[0]])
        family, name = self.family(place), place[1].lower()
        alike = {p for p in found if p[0] != place[0] and (self.family(p) == family or p[1].lower() == name)}
        return frozenset(found - alike - {place})
