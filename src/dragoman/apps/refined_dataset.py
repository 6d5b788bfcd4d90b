"""A data set whose solvers see the names of a refinement, while gold queries run on the database as it is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from dragoman import compose
from dragoman.bench.dataset import Dataset
from dragoman.errors import SetupError
from dragoman.questions import Question
from dragoman.refine.follow_names import follow_names
from dragoman.refine.refinement_file import read_refinement
from dragoman.schema import Schema
from dragoman.sql.rename import Names


def refined_dataset(settings: compose.SolverSettings, found: Dataset) -> Dataset:
    """`found` under `settings.refinement`, or as it is without one; evidence follows the names.

    Raises `SetupError` for several databases.
    """
    if not settings.refinement:
        return found
    asked = {example.database for example in found.examples}
    if len(asked) > 1:
        raise SetupError(f"A refinement is of one database, and these questions need {len(asked)}. Narrow the set.")
    names = read_refinement(Path(settings.refinement).expanduser()).refinement.names
    schemas = [_schema(found, database) for database in asked]
    examples = [replace(e, question=_told(e.question, schemas[0], names)) for e in found.examples]
    renamed = {".".join(filter(None, place)): new for place, new in names.items()}
    return replace(
        found,
        examples=tuple(examples),
        view=lambda database: compose.seen_by_solvers(settings, database),
        renamed=dict.fromkeys(asked, renamed),
    )


def _schema(found: Dataset, name: str) -> Schema:
    database = found.open(name)
    try:
        return database.schema()
    finally:
        database.close()


def _told(question: Question, schema: Schema, names: Names) -> Question:
    return replace(question, evidence=follow_names(question.evidence, schema, names))
