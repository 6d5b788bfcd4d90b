"""Columns whose names are left alone for what they are in the schema (EGRefine, section III-B)."""

from __future__ import annotations

from collections.abc import Mapping

from dragoman.refine.refinement import Place, tables_by_key
from dragoman.refine.scope import links
from dragoman.schema import Schema

FOREIGN_KEY = "part of a foreign key: it takes its name from the key it refers to"
REFERRED = "referred to by a foreign key and no primary key"
HOMONYM = "the same name with the same type in several tables"
NOT_A_TABLE = "of a view or another thing that is no table"


def structural_exclusion(schema: Schema) -> Mapping[Place, str]:
    """Column -> why its name is left alone; tables and all other columns are open to screening.

    Primary keys stay in, also as part of a foreign key. Both ends of a foreign key are left alone otherwise. A name
    that two tables or more have is left alone where all columns that bear it have one type; names are compared
    without case and types by affinity, neither of which the reference code does.
    """
    keys = {key: table for key, table in tables_by_key(schema).items() if table.kind == "table"}
    primary = {(key, name) for key, table in keys.items() for name in table.primary_key}
    referring = {one for one, _ in links(schema)}
    referred = {other for _, other in links(schema)}
    bearers: dict[str, list[tuple[Place, str]]] = {}
    for key, table in keys.items():
        for column in table.columns:
            bearers.setdefault(column.name.lower(), []).append(((key, column.name), affinity(column.type)))
    homonyms = {
        place
        for found in bearers.values()
        if len({place[0] for place, _ in found}) > 1 and len({kind for _, kind in found}) == 1
        for place, _ in found
    }
    reasons: dict[Place, str] = {}
    for key, table in tables_by_key(schema).items():
        for column in table.columns:
            place = key, column.name
            if key not in keys:
                reasons[place] = NOT_A_TABLE
            elif place in primary:
                continue
            elif place in referring:
                reasons[place] = FOREIGN_KEY
            elif place in referred:
                reasons[place] = REFERRED
            elif place in homonyms:
                reasons[place] = HOMONYM
    return reasons


def affinity(declared: str) -> str:
    """The kind of a declared type, after SQLite's rules of affinity, with times and truth values kept apart."""
    name = declared.upper()
    if not name:
        return "TEXT"
    kinds = {
        "TEXT": ("CHAR", "CLOB", "TEXT", "STRING", "ENUM", "UUID", "NAME"),
        "TIME": ("DATE", "TIME", "INTERVAL"),
        "INTEGER": ("INT", "SERIAL", "YEAR"),
        "BOOLEAN": ("BOOL",),
        "BLOB": ("BLOB", "BINARY", "BYTEA"),
        "REAL": ("REAL", "FLOA", "DOUB"),
    }
    return next((kind for kind, parts in kinds.items() if any(part in name for part in parts)), "NUMERIC")
