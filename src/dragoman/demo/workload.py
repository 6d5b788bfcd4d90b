"""Questions about the demo database with their gold SQL."""

from __future__ import annotations

from importlib.resources import as_file, files

from dragoman.questions import Workload, read_workload


def workload() -> Workload:
    """All questions, those that the database cannot answer (difficulty "unanswerable", `sql` "") at the end.

    Frozen: made before any model was trained, and no training sees it, but to keep clear of it (README.md beside this
    file).
    """
    with as_file(files(__package__) / "workload.jsonl") as path:
        return Workload(read_workload(path).examples, "demo")
