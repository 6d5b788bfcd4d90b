"""A database under new names, on real views: whoever gets one sees and runs the new names alone."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal, cast

from dragoman.databases.database import Database, Engine, Estimating, RowStream, View
from dragoman.databases.guarded_database import GuardedDatabase
from dragoman.errors import SetupError
from dragoman.refine.admissible import inadmissible
from dragoman.refine.follow_names import follow_names
from dragoman.refine.refinement import Refinement, refined_schema, tables_by_key
from dragoman.refine.scratch import Scratch, ScratchViews
from dragoman.refine.view_sql import renamed_tables, seen_schema, view_select
from dragoman.schema import Schema
from dragoman.sql.access import AccessPolicy
from dragoman.sql.bare_tables import bare_tables
from dragoman.sql.catalog import catalog_of
from dragoman.sql.group_by_key import group_by_key
from dragoman.sql.guard import guard
from dragoman.sql.overlay import Select, overlay
from dragoman.sql.placed_tables import placed_tables
from dragoman.sql.refuse_stale import Covered, refuse_stale
from dragoman.sql.rename import rename

How = Literal["auto", "views", "overlay"] | Scratch
"""Views of the session; the same SELECTs as CTEs before every query; or the first where it can be had; or views in a
scratch schema."""

MOST_DUCKDB_VIEWS = 20
"""DuckDB's sessions last for one query and make their views anew; with more of them CTEs are far quicker."""


class RefinedDatabase(GuardedDatabase):
    """`base` under the names of `refinement`. Nothing is written to the database.

    Every session makes its views before its locks close; engines without views of a session (MariaDB), and accounts
    that may not make them, get the views as CTEs before each query, or in a scratch schema until this is closed. Old
    names, names with a qualifier and SQLite's row ids are refused, as they would reach past the views. What the access
    policy of `base` hides is in no view. PostgreSQL lets GROUP BY a primary key bring the other columns along, which
    views do not, so there they are written into GROUP BY before a query runs. The schema is as it was when this was
    opened. Closing leaves `base` open.
    """

    def __init__(self, base: GuardedDatabase, refinement: Refinement, how: How = "auto") -> None:
        """Raises `SetupError` where views were asked for and cannot be made, or the new names clash."""
        self.base = base
        self.refinement = refinement
        schema = base.schema()
        covered = _covered(base, schema, refinement)
        seen = seen_schema(schema, refinement, covered)
        after = dict(zip(tables_by_key(schema), catalog_of(seen).names, strict=True))
        bare = {key: table.name for key, table in zip(tables_by_key(schema), seen, strict=True)}
        views = {after[key]: (bare[key], view_select(schema, refinement, key)) for key in covered}
        placed = _placed(base.engine, views, seen, how)
        self._covered = stale = {after[key]: _old_names(schema, refinement, key) for key in covered}
        kind = _EstimatingRefinedEngine if isinstance(base.engine, Estimating) else _RefinedEngine
        functions = AccessPolicy(functions=base.access.functions) if base.access else None

        def check(sql: str, whole: Schema, dialect: str) -> None:
            guard(sql, whole, dialect, allow=functions)
            refuse_stale(sql, whole, stale)

        super().__init__(kind(base, placed, seen, stale), check, None, base.log)
        self.how = placed.how

    def rewritten(self, sql: str) -> str:
        """A query in the names of the base as it is written here, and over deployed views. Raises `Unreadable`."""
        renamed = rename(sql, self.base.schema(), self.refinement.names)
        before = refined_schema(self.base.schema(), self.refinement)
        moved = {
            catalog_of(before).key(old)
            for old, new in zip(before, self.schema(), strict=True)
            if old.schema != new.schema
        }
        bare = bare_tables(renamed, before, moved) if moved else renamed
        return group_by_key(bare, self.schema(), self._covered)

    def new_name(self, table: str, column: str) -> tuple[str, str]:
        """(table, column) as they are called here; `table` is the bare name in the base."""
        found = self.base.schema().table(table)
        key = catalog_of(self.base.schema()).key(found) if found else table
        return self.refinement.tables.get(key, table), self.refinement.columns.get((key, column), column)

    def told(self, text: str) -> str:
        """A text, such as evidence, with the names in it as they are here; words that name nothing stay."""
        return follow_names(text, self.base.schema(), self.refinement.names)

    def __repr__(self) -> str:
        how = "scratch" if isinstance(self.how, Scratch) else self.how
        return f"RefinedDatabase({self.name!r}, {self.dialect!r}, {how})"


def refined_database(database: Database, refinement: Refinement, how: How = "auto") -> RefinedDatabase:
    """`database`, closed together with it, under new names. Raises `SetupError` where the refinement does not fit."""
    if not isinstance(database, GuardedDatabase) or isinstance(database, RefinedDatabase):
        raise SetupError(f"{database.name} cannot be refined. Open it with --db and without another refinement.")
    if problems := inadmissible(database.schema(), refinement):
        raise SetupError(f"The refinement does not fit {database.name}: {problems[0]} Run `dragoman refine run` again.")
    return _OwningDatabase(database, refinement, how)


class _OwningDatabase(RefinedDatabase):
    """A refined database that closes its base with itself."""

    def close(self) -> None:
        super().close()
        self.base.close()


@dataclass(frozen=True, slots=True)
class _Placed:
    """Where the views are: an engine to ask, how it gets each query, and what ends them."""

    how: How
    engine: Engine
    executed: Callable[[str], str]
    close: Callable[[], object]


class _RefinedEngine:
    """The engine of a base seen through views that have been placed."""

    def __init__(self, base: GuardedDatabase, placed: _Placed, seen: Schema, stale: Covered) -> None:
        self.dialect, self.name = base.dialect, base.name
        self.enforced = (*base.engine.enforced, "names of the refinement only")
        self.gaps: tuple[str, ...] = tuple(getattr(base.engine, "gaps", ()))
        self._base, self._placed, self._seen, self._stale = base, placed, seen, stale
        self._mark = repr((sorted(stale.items()), [(t.full_name, [c.name for c in t.columns]) for t in seen]))

    def schema(self) -> Schema:
        return self._seen

    def fingerprint(self) -> str:
        text = f"{self._base.fingerprint()}\0{self._mark}"
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()

    @contextmanager
    def stream(self, sql: str, seconds: float | None) -> Iterator[RowStream]:
        with self._placed.engine.stream(self.executed(sql), seconds) as rows:
            yield rows

    def executed(self, sql: str) -> str:
        """The text that the engine gets."""
        return self._placed.executed(group_by_key(sql, self._seen, self._stale))

    def with_views(self, views: Sequence[View]) -> Engine:
        raise SetupError("A refined database takes no further views. Refine its base with all names at once.")

    def warnings(self) -> tuple[str, ...]:
        return tuple(getattr(self._base.engine, "warnings", tuple)())

    def close(self) -> None:
        self._placed.close()


class _EstimatingRefinedEngine(_RefinedEngine):
    """The same over an engine that estimates what a query costs."""

    def cost(self, sql: str, seconds: float | None = None) -> float:
        return cast("Estimating", self._placed.engine).cost(self.executed(sql), seconds)


def _covered(base: GuardedDatabase, schema: Schema, refinement: Refinement) -> tuple[str, ...]:
    """Tables that need a view: those with a new name in them, and those of which a column is hidden."""
    covered = set(renamed_tables(schema, refinement))
    if base.access is not None:
        whole = base.engine.schema()
        for key, table in tables_by_key(schema).items():
            full = whole.table(table.name, table.schema)
            if full is None or len(full.columns) != len(table.columns):
                covered.add(key)
    return tuple(key for key in tables_by_key(schema) if key in covered)


def _old_names(schema: Schema, refinement: Refinement, key: str) -> dict[str, str]:
    """The names of a table's columns that mean nothing any more, in lower case, with their new ones."""
    columns = [(c.name, refinement.columns.get((key, c.name), c.name)) for c in tables_by_key(schema)[key].columns]
    current = {new.lower() for _, new in columns}
    return {old.lower(): new for old, new in columns if old != new and old.lower() not in current}


def _placed(engine: Engine, selects: Mapping[str, tuple[str, Select]], seen: Schema, how: How) -> _Placed:
    """The views where `how` wants them: name and SELECT of each, by the table that queries call it."""
    views = tuple(View(name, select.sql()) for name, select in selects.values())
    if isinstance(how, Scratch):
        scratch = ScratchViews(how, views, engine)
        places = dict(zip(selects, scratch.places, strict=True))
        return _Placed(how, engine, lambda sql: placed_tables(sql, seen, places), scratch.close)
    if how == "views" or (how == "auto" and not (engine.dialect == "duckdb" and len(views) > MOST_DUCKDB_VIEWS)):
        try:
            inner = engine.with_views(views)
            return _Placed("views", inner, lambda sql: sql, inner.close)
        except SetupError:
            if how == "views":
                raise
    shown = {table: select for table, (_, select) in selects.items()}
    return _Placed("overlay", engine, lambda sql: overlay(sql, shown, seen), lambda: None)
