"""What a database is made of, as frozen values.

Names are kept exactly as the engine reports them: any script, any case, spaces, dots and quotes included.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeVar

TableKind = Literal["table", "view", "materialized view", "external"]
_Item = TypeVar("_Item", "Column", "Table")


@dataclass(frozen=True, slots=True)
class Column:
    """One column. `type` is the engine's own spelling, "" where none was declared.

    `primary_key` is the 1-based position in the primary key, 0 outside it. `values` holds the labels of an enum.
    `nested` lists the paths below a struct, array or JSON column with their types, where the engine knows them.
    """

    name: str
    type: str = ""
    nullable: bool = True
    primary_key: int = 0
    comment: str = ""
    default: str | None = None
    generated: bool = False
    values: tuple[str, ...] = ()
    nested: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class ForeignKey:
    """`columns` of the owning table refer, position by position, to `target_columns` of `target`.

    Targets that the DDL left unnamed are resolved to the target's primary key; where that is impossible
    `target_columns` is empty. `target_schema` is "" for the schema of the owning table.
    """

    columns: tuple[str, ...]
    target: str
    target_columns: tuple[str, ...] = ()
    target_schema: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """A table or view. `schema` is the namespace ("" where the engine has one only).

    `rows` is the engine's estimate, None where it has none. `members` names the partitions or shards that this
    table stands for.
    """

    name: str
    columns: tuple[Column, ...] = ()
    kind: TableKind = "table"
    schema: str = ""
    comment: str = ""
    foreign_keys: tuple[ForeignKey, ...] = ()
    unique: tuple[tuple[str, ...], ...] = ()
    rows: int | None = None
    members: tuple[str, ...] = ()

    @property
    def full_name(self) -> tuple[str, ...]:
        """("schema", "table"), or ("table",) where there is no schema."""
        return (self.schema, self.name) if self.schema else (self.name,)

    @property
    def primary_key(self) -> tuple[str, ...]:
        """Names of the primary key's columns in key order."""
        keyed = sorted((c for c in self.columns if c.primary_key), key=lambda c: c.primary_key)
        return tuple(c.name for c in keyed)

    def column(self, name: str) -> Column | None:
        """The column of that name: exact first, else the only one that differs in case."""
        return _named(self.columns, name)


@dataclass(frozen=True, slots=True)
class Schema:
    """All tables that the account may see, in a stable order.

    `hidden` names what exists but cannot be read, each with the reason. `dialect` is sqlglot's name for the
    engine's SQL. `default_schema` is the namespace that unqualified names resolve to.
    """

    tables: tuple[Table, ...] = ()
    dialect: str = "sqlite"
    name: str = ""
    default_schema: str = ""
    hidden: tuple[tuple[str, str], ...] = ()

    def __iter__(self) -> Iterator[Table]:
        return iter(self.tables)

    def table(self, name: str, schema: str = "") -> Table | None:
        """The table of that name: exact first, else the only one that differs in case; None if absent.

        Without `schema`, the default schema is looked at first, then all of them if the name is unique.
        """
        where = schema or self.default_schema
        inside = tuple(t for t in self.tables if t.schema.lower() == where.lower())
        found = _named(inside, name)
        if found is None and not schema:
            found = _named(self.tables, name)
        return found

    @property
    def foreign_keys(self) -> tuple[tuple[Table, ForeignKey], ...]:
        """Every foreign key with the table that owns it."""
        return tuple((table, key) for table in self.tables for key in table.foreign_keys)


def _named(items: tuple[_Item, ...], name: str) -> _Item | None:
    exact = [item for item in items if item.name == name]
    folded = exact or [item for item in items if item.name.lower() == name.lower()]
    return folded[0] if len(folded) == 1 else None
