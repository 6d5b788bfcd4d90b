"""What the user says of an answer, written into the workload."""

from __future__ import annotations

from pathlib import Path

from dragoman import compose
from dragoman.apps.last_answers import recall
from dragoman.bench.draft.feedback import record_feedback
from dragoman.errors import SetupError
from dragoman.questions import Question


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
        line = record_feedback(asked, answered.sql, said, database, workload)
    finally:
        database.close()
    done = "Left for somebody to correct" if line["feedback"] == "wrong" else "Added"
    return f"{done}: {answered.question!r} in {workload}."
