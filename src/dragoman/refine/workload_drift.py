"""What a new workload means for a refinement that was made with another."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass

from dragoman.questions import Example
from dragoman.refine.query_index import query_index
from dragoman.refine.refinement import Place
from dragoman.refine.refinement_file import RefinementFile
from dragoman.refine.verify import NO_QUESTIONS
from dragoman.schema import Schema


@dataclass(frozen=True, slots=True)
class WorkloadDrift:
    """`unread` are renamed places that no question of the new workload reads: nothing there says that they help.

    `waiting` are places that had names proposed, or were screened in, but no question to try them on, and now have
    some. `touching` of `questions` read a renamed place. `same` says that it is the workload that the file knows.
    """

    same: bool
    questions: int
    touching: int
    unread: tuple[Place, ...] = ()
    waiting: tuple[Place, ...] = ()


def workload_digest(examples: Iterable[Example]) -> str:
    """SHA-256 of questions, evidence and gold queries, in hexadecimal; their order does not matter."""
    texts = sorted(json.dumps([e.question.text, e.question.evidence, e.sql, *e.alternatives]) for e in examples)
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()


def workload_drift(file: RefinementFile, examples: Iterable[Example], schema: Schema) -> WorkloadDrift:
    """Compare a refinement with a workload in base names, without asking any question."""
    asked = [example for example in examples if example.sql]
    index = query_index(asked, schema)
    renamed = file.refinement.names
    touching = {number for place in renamed for number in index.of(place)}
    waiting = [
        record.place
        for record in file.records
        if record.reason == NO_QUESTIONS and not record.decision and index.of(record.place)
    ]
    return WorkloadDrift(
        workload_digest(asked) == file.made_from.workload,
        len(asked),
        len(touching),
        tuple(place for place in renamed if not index.of(place)),
        tuple(waiting),
    )
