"""From settings to a database."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields

from dragoman.compose.solver_settings import SolverSettings, path_of
from dragoman.databases import Database, Limits, connect
from dragoman.databases.query_log import QueryLog
from dragoman.demo import locate
from dragoman.errors import SetupError
from dragoman.models.embedded.cache_folder import cache_folder
from dragoman.refine.refined_database import refined_database
from dragoman.refine.refinement_file import read_refinement
from dragoman.sql.access import AccessPolicy


def open_database(settings: SolverSettings) -> Database:
    """The database of `settings.db` (one made by code, a path, or a URL), within `settings.access` and logged.

    With `settings.refinement` it is seen under the names of that file; one made for another schema is refused.
    """
    access = _access(settings.access)
    log = QueryLog(path_of(settings.log), settings.log_values) if settings.log else None
    database = connect(locate(settings.db, cache_folder()), access, log)
    return seen_by_solvers(settings, database) if settings.refinement else database


def seen_by_solvers(settings: SolverSettings, database: Database) -> Database:
    """The database under the names of `settings.refinement`, or as it is."""
    if not settings.refinement:
        return database
    return refined_database(database, read_refinement(path_of(settings.refinement)).refinement)


def limits(settings: SolverSettings) -> Limits:
    """What one query may cost."""
    return Limits(settings.limit, settings.timeout, cost=settings.max_cost)


def _access(lists: Mapping[str, list[str]]) -> AccessPolicy | None:
    known = {f.name for f in fields(AccessPolicy)}
    for name, entries in lists.items():
        if name not in known or not isinstance(entries, list) or not all(isinstance(entry, str) for entry in entries):
            raise SetupError(f"[access] takes lists of names under {', '.join(sorted(known))}; mend {name}.")
    return AccessPolicy(**{name: tuple(entries) for name, entries in lists.items()}) if lists else None
