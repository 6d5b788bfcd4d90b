"""What the user says of an answer, written into the workload."""

from __future__ import annotations

from pathlib import Path

from dragoman import compose
from dragoman.apps.last_answers import recall
from dragoman.bench.draft.feedback import record_feedback
from dragoman.errors import Refused, SetupError
from dragoman.questions import Question
from dragoman.refine.refined_database import RefinedDatabase
from dragoman.refine.refinement import inverse
from dragoman.sql.rename import rename


def give_feedback(settings: compose.SolverSettings, question: str, said: str, workload: Path) -> str:
    """Write what was said of the last answer (to this question, if one is given), and say what was done."""
    answered = recall(compose.cache_folder(), question)
    database = compose.open_database(settings)
    try:
        if database.name != answered.database:
            raise SetupError(
                f"The last answer was about {answered.database}, not {database.name}. Give its --db beside --feedback."
            )
        asked = Question(answered.question, answered.evidence)
        sql, base = answered.sql, database
        if isinstance(database, RefinedDatabase):
            sql, said, base = _in_old_names(sql, database), _in_old_names(said, database), database.base
        line = record_feedback(asked, sql, said, base, workload)
    finally:
        database.close()
    done = "Left for somebody to correct" if line["feedback"] == "wrong" else "Added"
    return f"{done}: {answered.question!r} in {workload}."


def _in_old_names(sql: str, database: RefinedDatabase) -> str:
    """A query under a refinement as a workload keeps it, in the names of the base; what is no query stays as it is."""
    try:
        return rename(sql, database.schema(), inverse(database.base.schema(), database.refinement).names)
    except Refused:
        return sql
