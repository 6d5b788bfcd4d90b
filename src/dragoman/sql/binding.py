"""What the names in a query are bound to: the records of `resolve`."""

from __future__ import annotations

from dataclasses import dataclass, field

from sqlglot import exp

from dragoman.schema import Table

Origin = tuple[str, str]
"""(table, column) as the schema spells them; a table outside the default schema is "schema.table"."""

Columns = dict[str, tuple[str, tuple[Origin, ...]]]
"""Output columns: folded name to (name, origins), the origins empty where the column is computed or renamed."""

Outputs = tuple[Columns, bool]
"""The output columns that are known, and whether there may be more."""


@dataclass(slots=True, eq=False)
class Source:
    """Something in FROM. `columns` maps the folded name to (name, origins); `open` accepts names outside them.

    `behind` holds, by folded name, what a column reads besides its origins, as a renamed one does.
    """

    name: str
    columns: Columns
    open: bool = False
    table: Table | None = None
    node: exp.Expr | None = None
    behind: dict[str, tuple[Origin, ...]] = field(default_factory=dict)

    def read(self, name: str) -> tuple[Origin, ...]:
        """All that the column of that folded name reads."""
        return (*(self.columns[name][1] if name in self.columns else ()), *self.behind.get(name, ()))

    @property
    def row(self) -> tuple[Origin, ...]:
        """All that a whole row of it reads."""
        return tuple(origin for name in self.columns for origin in self.read(name))


@dataclass(slots=True)
class Scope:
    """The names one SELECT sees. `merged` holds the columns that USING or NATURAL made one."""

    outer: Scope | None = None
    ctes: dict[str, Source] = field(default_factory=dict)
    sources: dict[str, Source] = field(default_factory=dict)
    aliases: dict[str, tuple[Origin, ...]] = field(default_factory=dict)
    merged: dict[str, tuple[Origin, ...]] = field(default_factory=dict)

    def cte(self, name: str) -> Source | None:
        scope: Scope | None = self
        while scope is not None:
            if name in scope.ctes:
                return scope.ctes[name]
            scope = scope.outer
        return None


@dataclass(frozen=True, slots=True)
class Bound:
    """A name in the query and the columns it reads. `node` is the identifier; more than one origin under USING.

    `column` is the column expression it belongs to, None in USING; `sources` are those that have it, the first of
    which counts, none for an alias. `ambiguous` where several have it and nothing made them one.
    """

    node: exp.Identifier
    origins: tuple[Origin, ...]
    column: exp.Column | None = None
    sources: tuple[Source, ...] = ()
    ambiguous: bool = False


@dataclass(frozen=True, slots=True)
class Merge:
    """A join by USING or NATURAL: the columns it makes one, by folded name, and what it joins."""

    join: exp.Join
    common: dict[str, tuple[Origin, ...]]
    left: tuple[Source, ...]
    right: tuple[Source, ...]
    natural: bool = False


@dataclass(slots=True)
class Binding:
    """The outcome: bound names, tables in FROM, expanded stars, and what could not be bound.

    `visited` holds the ids of all table nodes that were met, CTEs and table functions included; `reads` is what is
    read without its name: whole rows, renamed columns, selectors, row ids.
    """

    names: list[Bound] = field(default_factory=list)
    tables: list[tuple[exp.Table, Table, str]] = field(default_factory=list)
    stars: list[Origin] = field(default_factory=list)
    visited: set[int] = field(default_factory=set)
    unknown_tables: list[exp.Table] = field(default_factory=list)
    unknown_columns: list[tuple[exp.Column, list[Source]]] = field(default_factory=list)
    merges: list[Merge] = field(default_factory=list)
    expansions: list[tuple[exp.Expr, tuple[Source, ...]]] = field(default_factory=list)
    reads: list[Origin] = field(default_factory=list)
