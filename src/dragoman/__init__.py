"""Dragoman answers questions over SQL databases, and can prove that it does.

The names below are the public surface; each is imported from its room on first use, so that `import dragoman`
prints, reads and writes nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dragoman.databases import Database, Limits, Rows, connect
    from dragoman.errors import DragomanError
    from dragoman.models import Model, open_model
    from dragoman.questions import Example, Question, Workload
    from dragoman.schema import Column, ForeignKey, Schema, Table
    from dragoman.solver import Answer, Candidate, Draw, Solver, SolverFor

_ROOMS = {
    "Answer": "solver",
    "Candidate": "solver",
    "Column": "schema",
    "Database": "databases",
    "DragomanError": "errors",
    "Draw": "solver",
    "Example": "questions",
    "ForeignKey": "schema",
    "Limits": "databases",
    "Model": "models",
    "Question": "questions",
    "Rows": "databases",
    "Schema": "schema",
    "Solver": "solver",
    "SolverFor": "solver",
    "Table": "schema",
    "Workload": "questions",
    "connect": "databases",
    "open_model": "models",
}

__all__ = [
    "Answer",
    "Candidate",
    "Column",
    "Database",
    "DragomanError",
    "Draw",
    "Example",
    "ForeignKey",
    "Limits",
    "Model",
    "Question",
    "Rows",
    "Schema",
    "Solver",
    "SolverFor",
    "Table",
    "Workload",
    "connect",
    "open_model",
]


def __getattr__(name: str) -> Any:
    if name not in _ROOMS:
        raise AttributeError(f"module 'dragoman' has no attribute {name!r}")
    return getattr(importlib.import_module(f"dragoman.{_ROOMS[name]}"), name)


def __dir__() -> list[str]:
    return __all__
