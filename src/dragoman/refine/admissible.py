"""Whether a refinement changes names only, and leaves every two of them apart that were apart."""

from __future__ import annotations

from collections.abc import Iterator

from dragoman.refine.refinement import Place, Refinement, tables_by_key
from dragoman.refine.scope import Scopes
from dragoman.schema import Schema

LENGTHS = {"postgres": 63, "redshift": 127, "mysql": 64, "tsql": 128, "oracle": 128, "snowflake": 255, "bigquery": 300}
"""The longest name by dialect, in bytes of UTF-8; the others have no limit of their own."""
NO_LIMIT = 255
"""The longest name where the engine sets no limit."""


def inadmissible(schema: Schema, refinement: Refinement) -> tuple[str, ...]:
    """One sentence for each breach of admissibility, in the order of the schema; empty if there is none.

    EGRefine, definition 2, made sound: names are compared without case; a new name may not be the old one of
    another column of the table, so that a stale query fails and never means something else; within every scope two
    columns of which one is renamed bear different names, unless a key links them across tables (they hold the same
    values) or they always bore the same name in two tables. New names of tables differ from all other tables' names,
    old and new.
    """
    return (*_unknown(schema, refinement), *_problems(schema, refinement, Scopes(schema)))


def length_problem(name: str, dialect: str) -> str:
    """Why a name is too short or long for an engine, "" if it is not."""
    if not name or "\x00" in name:
        return "no engine takes an empty name or one with a zero byte"
    longest = LENGTHS.get(dialect, NO_LIMIT)
    return f"it is longer than {longest} bytes" if len(name.encode()) > longest else ""


def _unknown(schema: Schema, refinement: Refinement) -> Iterator[str]:
    tables = tables_by_key(schema)
    places = {*refinement.names, *refinement.descriptions}
    for table, column in sorted(places):
        if table not in tables:
            yield f"There is no table {table}."
        elif column and column not in {c.name for c in tables[table].columns}:
            yield f"There is no column {table}.{column}."


def _problems(schema: Schema, refinement: Refinement, scopes: Scopes) -> Iterator[str]:
    names = refinement.names
    for place in scopes.places:
        new, old = names.get(place), scopes.name(place)
        if new is None or new == old:
            continue
        shown = ".".join(filter(None, place))
        if problem := length_problem(new, schema.dialect):
            yield f"{shown} cannot become {new!r}: {problem}."
        if rival := taken_by(new, place, scopes, refinement):
            yield f"{shown} cannot become {new}: {'.'.join(filter(None, rival))} has or had that name."


def taken_by(name: str, place: Place, scopes: Scopes, refinement: Refinement) -> Place | None:
    """The first place that keeps `place` from bearing the name under this refinement, None if none does."""
    folded = name.lower()
    for rival in scopes.rivals(place):
        old = scopes.name(rival)
        new = refinement.columns.get(rival, old) if rival[1] else refinement.tables.get(rival[0], old)
        was_here = rival[0] == place[0] or not place[1]
        if (was_here and old.lower() == folded) or new.lower() == folded:
            return rival
    return None
