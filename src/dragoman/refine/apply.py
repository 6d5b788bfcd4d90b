"""Deploys a refinement for good: views in a schema of their own, by a script that a person can read first (phase 4)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from dragoman.databases.database import View
from dragoman.databases.deploy import NAMESPACES, Action, Placing, deploy, deploy_script
from dragoman.errors import SetupError
from dragoman.refine.admissible import inadmissible
from dragoman.refine.refinement import Refinement, tables_by_key
from dragoman.refine.view_sql import renamed_tables, seen_schema, view_select
from dragoman.schema import Schema, Table
from dragoman.sql.quote import quote_always


@dataclass(frozen=True, slots=True)
class Deployment:
    """The views of a refinement and where they go. `whole` adds views of the tables that keep their names.

    The default schema is none of its own and is not taken. SQLite has no schemas beside the file's: there the views are
    called `schema_table`, in the same file.
    """

    schema: Schema
    refinement: Refinement
    name: str
    whole: bool = False

    def __post_init__(self) -> None:
        """Raises `SetupError` where the refinement does not fit the schema, or the name cannot be used."""
        if not self.name:
            raise SetupError("The views need a schema of their own. Name one with --schema.")
        if self.name == self.schema.default_schema:
            raise SetupError(f"{self.name} is the schema of the tables. Choose another with --schema.")
        if problems := inadmissible(self.schema, self.refinement):
            raise SetupError(f"The refinement does not fit this database: {problems[0]} Run refine again.")

    @property
    def views(self) -> tuple[View, ...]:
        """The views, every one over base tables alone, so that any order is one of dependency."""
        keys = tables_by_key(self.schema)
        covered = tuple(keys) if self.whole else renamed_tables(self.schema, self.refinement)
        seen = dict(zip(keys, seen_schema(self.schema, self.refinement, covered), strict=True))
        return tuple(
            View(self._prefix + seen[key].name, view_select(self.schema, self.refinement, key).sql())
            for key in covered
            if keys[key] not in self._there
        )

    def script(self, action: Action) -> str:
        """What would run, statement by statement."""
        return deploy_script(self.views, action, self.schema.dialect, self._place, self._placing)

    def run(self, write_url: str, action: Action) -> str:
        """Run it through a login that may write, all or nothing; gives the script.

        Raises `SetupError`, also where the place of the views to be is taken.
        """
        if action == "apply" and self._there:
            there = self._there[0]
            least = "choose another name with --schema"
            if there.kind == "view":
                least = f"if an earlier apply made it, drop it with `dragoman refine drop`, or {least}"
            raise SetupError(f"There is a {there.kind} {there.name} already: {least}.")
        return deploy(write_url, self.views, action, self._place, self._placing)

    def grants(self, reader: str = "reader") -> tuple[str, ...]:
        """What `reader` needs before it can use the views; it needs to be able to read the tables behind them too."""
        dialect, who = self.schema.dialect, quote_always(reader, self.schema.dialect)
        if dialect == "postgres":
            place = quote_always(self.name, dialect)
            return (f"GRANT USAGE ON SCHEMA {place} TO {who}", f"GRANT SELECT ON ALL TABLES IN SCHEMA {place} TO {who}")
        if dialect == "mysql":
            return (f"GRANT SELECT ON {quote_always(self.name, dialect)}.* TO {who}",)
        return ()

    def search_path(self, reader: str = "reader") -> str:
        """The statement that makes a login find the views before the tables, "" where the engine has none."""
        dialect = self.schema.dialect
        who, place = (quote_always(name, dialect) for name in (reader, self.name))
        default = quote_always(self.schema.default_schema or "public", dialect)
        return f"ALTER ROLE {who} SET search_path = {place}, {default}" if dialect == "postgres" else ""

    @property
    def _there(self) -> tuple[Table, ...]:
        """What stands where the views go: all of their schema or, in SQLite, what begins with their prefix."""
        if self._spaced:
            return tuple(table for table in self.schema if table.schema == self.name)
        return tuple(table for table in self.schema if table.name.lower().startswith(self._prefix.lower()))

    @property
    def _prefix(self) -> str:
        return "" if self._spaced else f"{self.name}_"

    @property
    def _spaced(self) -> bool:
        return self.schema.dialect in NAMESPACES or self.schema.dialect in ("mysql", "bigquery")

    @property
    def _place(self) -> str:
        return self.name if self._spaced else ""

    @property
    def _placing(self) -> Placing:
        return Placing(invoker=True, own_schema=True, remarks=tuple(self._remarks()))

    def _remarks(self) -> Iterable[str]:
        """Comments follow their tables and columns into the views, where the engine lets views have them."""
        if self.schema.dialect != "postgres":
            return
        for key, table in tables_by_key(self.schema).items():
            if key not in renamed_tables(self.schema, self.refinement) and not self.whole:
                continue
            new = self.refinement.tables.get(key, table.name)
            view = f"{quote_always(self.name, 'postgres')}.{quote_always(new, 'postgres')}"
            told = self.refinement.descriptions
            if comment := told.get((key, ""), table.comment):
                yield f"COMMENT ON VIEW {view} IS {_text(comment)}"
            for column in table.columns:
                if comment := told.get((key, column.name), column.comment):
                    name = quote_always(self.refinement.columns.get((key, column.name), column.name), "postgres")
                    yield f"COMMENT ON COLUMN {view}.{name} IS {_text(comment)}"


def diff(schema: Schema, refinement: Refinement) -> str:
    """What the refinement changes, as lines of a unified diff over `table.column type`."""
    lines = []
    for key in renamed_tables(schema, refinement):
        table = tables_by_key(schema)[key]
        new = refinement.tables.get(key, table.name)
        lines += [f"  {table.name}"] if new == table.name else [f"- {table.name}", f"+ {new}"]
        for column in table.columns:
            name = refinement.columns.get((key, column.name), column.name)
            kind = f" {column.type}" if column.type else ""
            if name != column.name:
                lines += [f"-   {column.name}{kind}", f"+   {name}{kind}"]
    return "".join(f"{line}\n" for line in lines)


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"
