"""Renames tables and columns in a query, by what each name is bound to and not by how it is spelled."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from sqlglot import exp

from dragoman.errors import Unreadable
from dragoman.schema import Column, ForeignKey, Schema, Table
from dragoman.sql.binding import Binding, Bound, Merge, Origin, Source
from dragoman.sql.catalog import Catalog, catalog_of
from dragoman.sql.edits import Edits
from dragoman.sql.parse import parse
from dragoman.sql.quote import quote
from dragoman.sql.resolve import resolve

Names = Mapping[Origin, str]
"""{(table, column): new name, (table, ""): new name of the table}, tables as `references` names them."""


def rename(sql: str, schema: Schema, names: Names, *, keep_output_names: bool = False) -> str:
    """The query with the names changed and all else as it was written: strings, aliases, comments, spacing.

    New names are quoted where they need it, and qualified where they would otherwise mean something else. With
    `keep_output_names` the result's columns are named as before, stars included (computed ones without an alias have
    whatever name the engine makes of their text). USING and NATURAL become ON where
    the two sides no longer share a name. `rename(rename(sql, schema, names), renamed(schema, names), back)` reads as
    `sql` does. Raises `Unreadable` for SQL that cannot be read, and where no spelling keeps the meaning.
    """
    tree = parse(sql, schema.dialect)
    binding = resolve(tree, schema)
    qualified: set[int] = set()
    for _ in range(2):
        renaming = _Renaming(sql, schema, names, binding, qualified)
        changed = renaming.apply(tree if keep_output_names else None)
        if renaming.split:  # USING became ON, so the names before and after do not match one by one
            wrong = {number for number, bound in enumerate(binding.names) if bound.sources} - qualified
        else:
            wrong = _misread(changed, binding, renamed(schema, names), names) - renaming.kept_numbers
        if not wrong:
            return changed
        qualified |= wrong
    raise Unreadable("The new names cannot be told apart in this query.")


def renamed(schema: Schema, names: Names) -> Schema:
    """The schema with the names changed, foreign keys included."""
    catalog = catalog_of(schema)

    def table_name(table: Table | None, name: str) -> str:
        return names.get((catalog.key(table), ""), name) if table else name

    def key(owner: Table, foreign: ForeignKey) -> ForeignKey:
        target = schema.table(foreign.target, foreign.target_schema or owner.schema)
        own = tuple(names.get((catalog.key(owner), c), c) for c in foreign.columns)
        other = catalog.key(target) if target else ""
        columns = tuple(names.get((other, c), c) for c in foreign.target_columns)
        return replace(foreign, columns=own, target=table_name(target, foreign.target), target_columns=columns)

    def column(owner: Table, item: Column) -> Column:
        return replace(item, name=names.get((catalog.key(owner), item.name), item.name))

    tables = tuple(
        replace(
            table,
            name=table_name(table, table.name),
            columns=tuple(column(table, item) for item in table.columns),
            foreign_keys=tuple(key(table, foreign) for foreign in table.foreign_keys),
            unique=tuple(tuple(names.get((catalog.key(table), c), c) for c in group) for group in table.unique),
        )
        for table in schema
    )
    return replace(schema, tables=tables)


class _Renaming:
    """One pass over the bound names of a query, collecting edits of its text."""

    def __init__(self, sql: str, schema: Schema, names: Names, binding: Binding, qualified: set[int]) -> None:
        self.schema, self.names, self.binding, self.qualified = schema, names, binding, qualified
        self.dialect = schema.dialect
        self.catalog: Catalog = catalog_of(schema)
        self.edits = Edits(sql, self.dialect)
        self.split: list[tuple[str, Merge]] = []
        self.kept: set[int] = set()

    def apply(self, tree: exp.Expr | None) -> str:
        """The edited text; a tree is given where the names of its result are to stay."""
        shown = _outermost(tree) if tree is not None else None
        self.kept = _result_names(tree) if tree is not None else set()
        for node, _, key in self.binding.tables:
            if (key, "") in self.names:
                self.edits.set_last_part(node.parts, self.names[key, ""])
        for merge in self.binding.merges:
            self._merge(merge)
        for number, bound in enumerate(self.binding.names):
            self._name(bound, number in self.qualified)
        for star, sources in self.binding.expansions:
            if isinstance(star, exp.Column) and len(sources) == 1:
                self._qualifier(star, len(star.parts) - 1, sources[0])
        for projection in shown.expressions if shown else ():
            self._show(projection)
        return self.edits.apply()

    @property
    def kept_numbers(self) -> set[int]:
        return {number for number, bound in enumerate(self.binding.names) if id(bound.node) in self.kept}

    def new(self, origins: tuple[Origin, ...]) -> set[str]:
        return {self.names.get(origin, origin[1]) for origin in origins}

    def label(self, source: Source) -> str:
        """How the source is written as a qualifier after the renaming."""
        if source.table is not None and not self._aliased(source):
            return quote(self.names.get((self.catalog.key(source.table), ""), source.name), self.dialect)
        return quote(source.name, self.dialect)

    def _name(self, bound: Bound, qualify: bool) -> None:
        if id(bound.node) in self.kept:
            return
        if bound.column is None:
            if not any(bound.node in (merge.join.args.get("using") or ()) for _, merge in self.split):
                self._write(bound.node, bound.origins)
            return
        position = next(i for i, part in enumerate(bound.column.parts) if part is bound.node)
        if bound.sources and position:
            self._qualifier(bound.column, position, bound.sources[0])
        if bound.sources and not bound.origins and not position and bound.sources[0].name == bound.node.name:
            self._qualifier(bound.column, position + 1, bound.sources[0])
        if not position and bound.sources and (qualify or self._splitting(bound)):
            self._qualify(bound)
        else:
            self._write(bound.node, bound.origins)

    def _splitting(self, bound: Bound) -> Merge | None:
        """The join that made this bare column one and no longer does."""
        name = bound.node.name.lower()
        return next((m for n, m in self.split if n == name and any(s in m.right for s in bound.sources)), None)

    def _write(self, node: exp.Identifier, origins: tuple[Origin, ...]) -> None:
        if any(origin in self.names for origin in origins):
            self.edits.set(node, quote(self.new(origins).pop(), self.dialect))

    def _qualify(self, bound: Bound) -> None:
        """Write a bare column with its source, the preserved side of an outer join that was by USING."""
        name = bound.node.name.lower()
        merge = self._splitting(bound)
        side = str(merge.join.args.get("side") or "").upper() if merge else ""
        if side == "FULL":
            raise Unreadable(f"USING ({bound.node.name}) of a full join cannot be kept under the new names.")
        source = bound.sources[1 if side == "RIGHT" and len(bound.sources) > 1 else 0]
        self.edits.set(bound.node, self._side((source,), name))

    def _qualifier(self, column: exp.Column, position: int, source: Source) -> None:
        """Rename the table that stands before a column, where it is the table's own name."""
        if source.table is not None and not self._aliased(source):
            key = (self.catalog.key(source.table), "")
            if key in self.names:
                self.edits.set_last_part(column.parts[:position], self.names[key])

    @staticmethod
    def _aliased(source: Source) -> bool:
        return source.node is None or bool(source.node.args.get("alias"))

    def _merge(self, merge: Merge) -> None:
        """Turn USING or NATURAL into ON where the renamed sides do not share exactly the names they did."""
        names = {n: {c for s in (*merge.left, *merge.right) for c in self._columns(s, n)} for n in merge.common}
        apart = any(len(columns) > 1 for columns in names.values())
        if merge.natural and not apart:
            left, right = (self._all_columns(side) for side in (merge.left, merge.right))
            apart = left & right != {column.lower() for columns in names.values() for column in columns}
        if not apart:
            return
        if any(source in sources for _, sources in self.binding.expansions for source in merge.right):
            raise Unreadable("A star over USING or NATURAL cannot keep its columns under the new names.")
        self.split += [(name, merge) for name in merge.common]
        pairs = [f"{self._side(merge.left, n)} = {self._side(merge.right, n)}" for n in merge.common]
        condition = "ON " + (" AND ".join(pairs) or "1 = 1")
        if merge.natural:
            self.edits.natural_to_on(merge.join, condition)
        else:
            self.edits.using_to_on(merge.join.args["using"][0], condition)

    def _columns(self, source: Source, name: str) -> set[str]:
        """The new name of a source's column, in a set; empty where the source does not have it."""
        if name not in source.columns:
            return set()
        own, origins = source.columns[name]
        return self.new(origins) or {own}

    def _all_columns(self, sources: tuple[Source, ...]) -> set[str]:
        return {column.lower() for s in sources for name in s.columns for column in self._columns(s, name)}

    def _side(self, sources: tuple[Source, ...], name: str) -> str:
        source = next((s for s in sources if name in s.columns), None)
        if source is None:
            raise Unreadable(f"USING ({name}) names a column of a source whose columns are not known.")
        return f"{self.label(source)}.{quote(self._columns(source, name).pop(), self.dialect)}"

    def _show(self, projection: exp.Expr) -> None:
        """Give a renamed output column its old name back."""
        if isinstance(projection, exp.Column) and isinstance(projection.this, exp.Identifier):
            self.edits.add_alias(projection.this)
            return
        sources = next((sources for star, sources in self.binding.expansions if star is projection), ())
        columns = [(source, *value) for source in sources for value in source.columns.values()]
        if not any(origin in self.names for _, _, origins in columns for origin in origins):
            return
        if any(source.open for source in sources) or any(merge.common for merge in self.binding.merges):
            raise Unreadable("The columns that the star stands for cannot be listed with their old names.")
        items = []
        for source, name, origins in columns:
            written = f"{self.label(source)}.{quote((self.new(origins) or {name}).pop(), self.dialect)}"
            items.append(written if name in self.new(origins) else f"{written} AS {quote(name, self.dialect)}")
        self.edits.set_star(projection, ", ".join(items))


def _outermost(tree: exp.Expr) -> exp.Select | None:
    """The SELECT that names the columns of the result."""
    while not isinstance(tree, exp.Select):
        if not isinstance(tree, exp.SetOperation | exp.Subquery | exp.Describe):
            return None
        tree = tree.this
    return tree


def _result_names(tree: exp.Expr) -> set[int]:
    """The identifiers in the ORDER BY of an outermost set operation: they name columns of the result."""
    found: set[int] = set()
    while isinstance(tree, exp.SetOperation | exp.Subquery | exp.Describe):
        order = tree.args.get("order")
        if order is not None:
            found.update(id(node) for node in order.find_all(exp.Identifier))
        tree = tree.this
    return found


def _misread(sql: str, before: Binding, schema: Schema, names: Names) -> set[int]:
    """Numbers of the bare names that read otherwise after the renaming; raises where that cannot be mended."""
    after = resolve(parse(sql, schema.dialect), schema)
    if len(after.names) != len(before.names):
        return set()  # a star became a list
    keys = {key: names.get((key, ""), key) for _, _, key in before.tables}
    wrong = set()
    for number, (old, new) in enumerate(zip(before.names, after.names, strict=True)):
        expected = {(keys.get(t, t), names.get((t, c), c)) for t, c in old.origins}
        if set(new.origins) != expected or (new.ambiguous and not old.ambiguous):
            wrong.add(number)
    return wrong
