"""What of a schema a refinement depends on, small enough to be kept beside it, and what has changed since."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from dragoman.refine.admissible import inadmissible
from dragoman.refine.refinement import Place, Refinement, tables_by_key
from dragoman.refine.scope import links
from dragoman.schema import Schema


@dataclass(frozen=True, slots=True)
class Outline:
    """Tables with their columns and declared types, keys as "table.column > table.column", dialect and name."""

    tables: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    keys: Mapping[str, str] = field(default_factory=dict)
    dialect: str = ""
    name: str = ""

    @property
    def fingerprint(self) -> str:
        """SHA-256 of tables, columns, types and keys, in hexadecimal; the order of tables does not matter."""
        text = json.dumps([self.dialect, self.tables, self.keys], sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()


@dataclass(frozen=True, slots=True)
class Drift:
    """What has changed since. `broken` are names that cannot stand any more, `changed` what may matter, in sentences.

    `added` are the columns and tables that were not there; `removed` the refined places that are gone.
    """

    broken: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    added: tuple[Place, ...] = ()
    removed: tuple[Place, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.broken or self.changed)


def outline(schema: Schema) -> Outline:
    """The outline of a schema."""
    tables = {key: {column.name: column.type for column in t.columns} for key, t in tables_by_key(schema).items()}
    keys: dict[str, list[str]] = {}
    for one, other in links(schema):
        keys.setdefault(".".join(one), []).append(".".join(other))
    ends = {one: ", ".join(sorted(others)) for one, others in keys.items()}
    return Outline(tables, ends, schema.dialect, schema.name)


def schema_drift(before: Outline, schema: Schema, refinement: Refinement) -> Drift:
    """What a schema has that an older outline of it has not, and what that means for a refinement made then."""
    now = outline(schema)
    if now.fingerprint == before.fingerprint:
        return Drift()
    added: list[Place] = []
    changed: list[str] = []
    for table, columns in now.tables.items():
        known = before.tables.get(table)
        if known is None:
            added.append((table, ""))
            changed.append(f"The table {table} is new; none of its names was looked at.")
            continue
        for column, kind in columns.items():
            if column not in known:
                added.append((table, column))
                changed.append(f"The column {table}.{column} is new; its name was not looked at.")
            elif known[column] != kind:
                changed.append(f"{table}.{column} was {known[column] or 'untyped'} and is {kind or 'untyped'}.")
    for table, columns in before.tables.items():
        if table not in now.tables:
            changed.append(f"The table {table} is gone.")
        changed += [f"{table}.{c} is gone." for c in columns if table in now.tables and c not in now.tables[table]]
    for place in sorted({*before.keys, *now.keys}):
        if before.keys.get(place) != now.keys.get(place):
            changed.append(
                f"{place} referred to {before.keys.get(place, 'nothing')}, now {now.keys.get(place, 'nothing')}."
            )
    removed = [place for place in refinement.names if place[1] not in ("", *now.tables.get(place[0], ()))]
    removed += [(table, "") for table in refinement.tables if table not in now.tables]
    return Drift(inadmissible(schema, refinement), tuple(changed), tuple(added), tuple(removed))
