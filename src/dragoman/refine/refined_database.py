"""A database under new names, on real views: whoever gets one sees and runs the new names alone."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Literal, cast

from dragoman.databases.database import Database, Engine, Estimating, RowStream, View
from dragoman.databases.guarded_database import GuardedDatabase
from dragoman.errors import SetupError
from dragoman.questions import Question
from dragoman.refine.admissible import inadmissible
from dragoman.refine.follow_names import follow_names
from dragoman.refine.refinement import Refinement, refined_schema, tables_by_key
from dragoman.refine.view_sql import renamed_tables, seen_schema, view_sql
from dragoman.schema import Schema
from dragoman.sql.access import AccessPolicy
from dragoman.sql.bare_tables import bare_tables
from dragoman.sql.catalog import catalog_of
from dragoman.sql.guard import guard
from dragoman.sql.overlay import overlay
from dragoman.sql.refuse_stale import Covered, refuse_stale
from dragoman.sql.rename import rename

How = Literal["auto", "views", "overlay"]
"""Views of the session; the same SELECTs as CTEs before every query; or the first where it can be had."""

MOST_DUCKDB_VIEWS = 20
"""DuckDB's sessions last for one query and make their views anew; with more of them CTEs are far quicker."""


class RefinedDatabase(GuardedDatabase):
    """`base` under the names of `refinement`. Nothing is written to the database.

    Every session makes its views before its locks close; engines without views of a session (MariaDB), and accounts
    that may not make them, get the views as CTEs before each query. Old names, names with a qualifier and SQLite's
    row ids are refused, as they would reach past the views. What the access policy of `base` hides is in no view. The
    schema is as it was when this was opened. Closing leaves `base` open.
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
        views = [View(bare[key], view_sql(schema, refinement, key)) for key in covered]
        inner = _with_views(base.engine, views, how)
        selects = {} if inner else {after[key]: view.sql for key, view in zip(covered, views, strict=True)}
        stale = {after[key]: _old_names(schema, refinement, key) for key in covered}
        kind = _EstimatingRefinedEngine if isinstance(base.engine, Estimating) else _RefinedEngine
        functions = AccessPolicy(functions=base.access.functions) if base.access else None

        def check(sql: str, whole: Schema, dialect: str) -> None:
            guard(sql, whole, dialect, allow=functions)
            refuse_stale(sql, whole, stale)

        super().__init__(kind(base, inner, seen, selects, stale), check, None, base.log)
        self.how: How = "views" if inner else "overlay"

    def rewritten(self, sql: str) -> str:
        """A query in the names of the base as it is written here. Raises `Unreadable`."""
        renamed = rename(sql, self.base.schema(), self.refinement.names)
        before = refined_schema(self.base.schema(), self.refinement)
        moved = {
            catalog_of(before).key(old)
            for old, new in zip(before, self.schema(), strict=True)
            if old.schema != new.schema
        }
        return bare_tables(renamed, before, moved) if moved else renamed

    def new_name(self, table: str, column: str) -> tuple[str, str]:
        """(table, column) as they are called here; `table` is the bare name in the base."""
        found = self.base.schema().table(table)
        key = catalog_of(self.base.schema()).key(found) if found else table
        return self.refinement.tables.get(key, table), self.refinement.columns.get((key, column), column)

    def told(self, question: Question) -> Question:
        """The question with the names in its evidence as they are here; words that name nothing stay."""
        return replace(question, evidence=follow_names(question.evidence, self.base.schema(), self.refinement.names))

    def __repr__(self) -> str:
        return f"RefinedDatabase({self.name!r}, {self.dialect!r}, {self.how})"


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


class _RefinedEngine:
    """The engine of a base seen through views: `inner` has them in its sessions, else `selects` go before queries."""

    def __init__(
        self, base: GuardedDatabase, inner: Engine | None, seen: Schema, selects: Mapping[str, str], stale: Covered
    ) -> None:
        self.dialect, self.name = base.dialect, base.name
        self.enforced = (*base.engine.enforced, "names of the refinement only")
        self.gaps: tuple[str, ...] = tuple(getattr(base.engine, "gaps", ()))
        self._base, self._inner, self._seen, self._selects = base, inner, seen, selects
        self._mark = repr((sorted(stale.items()), [(t.full_name, [c.name for c in t.columns]) for t in seen]))

    def schema(self) -> Schema:
        return self._seen

    def fingerprint(self) -> str:
        text = f"{self._base.fingerprint()}\0{self._mark}"
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()

    @contextmanager
    def stream(self, sql: str, seconds: float | None) -> Iterator[RowStream]:
        with (self._inner or self._base.engine).stream(self.executed(sql), seconds) as rows:
            yield rows

    def executed(self, sql: str) -> str:
        """The text that the engine gets."""
        return sql if self._inner else overlay(sql, self._selects, self._seen)

    def with_views(self, views: Sequence[View]) -> Engine:
        raise SetupError("A refined database takes no further views. Refine its base with all names at once.")

    def warnings(self) -> tuple[str, ...]:
        return tuple(getattr(self._base.engine, "warnings", tuple)())

    def close(self) -> None:
        if self._inner is not None:
            self._inner.close()


class _EstimatingRefinedEngine(_RefinedEngine):
    """The same over an engine that estimates what a query costs."""

    def cost(self, sql: str, seconds: float | None = None) -> float:
        return cast("Estimating", self._inner or self._base.engine).cost(self.executed(sql), seconds)


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


def _with_views(engine: Engine, views: Sequence[View], how: How) -> Engine | None:
    """The engine with the views in its sessions, None where they are to go before each query."""
    if how == "overlay" or (how == "auto" and engine.dialect == "duckdb" and len(views) > MOST_DUCKDB_VIEWS):
        return None
    try:
        return engine.with_views(views)
    except SetupError:
        if how == "views":
            raise
        return None
