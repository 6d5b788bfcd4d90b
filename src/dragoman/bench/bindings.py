"""The databases of a run with the solver bound to each, opened when first asked for."""

from __future__ import annotations

import threading
from dataclasses import dataclass

from dragoman.bench.dataset import Dataset
from dragoman.bench.touched import Names, new_names, old_names
from dragoman.databases import Database
from dragoman.solver import Solver, SolverFor


@dataclass(frozen=True, slots=True)
class Binding:
    """`gold` answers gold queries, `database` is what the solver sees and answers its queries; often the same.

    `gold_names` and `names` are what was renamed, as gold queries and as answers spell it.
    """

    gold: Database
    database: Database
    solver: Solver
    gold_names: Names
    names: Names


class Bindings:
    """Binds each database once, however many threads ask. `close` closes all that was opened."""

    def __init__(self, solver_for: SolverFor, dataset: Dataset) -> None:
        self._solver_for = solver_for
        self._dataset = dataset
        self._bound: dict[str, Binding] = {}
        self._locks: dict[str, threading.Lock] = {}
        self._lock = threading.Lock()

    def get(self, name: str) -> Binding:
        """The binding of one database. Raises `SetupError` where it cannot be opened."""
        with self._lock:
            lock = self._locks.setdefault(name, threading.Lock())
        with lock:
            if name not in self._bound:
                gold = self._dataset.open(name)
                database = self._dataset.view(gold) if self._dataset.view else gold
                renamed = self._dataset.renamed.get(name, {})
                names = new_names(renamed)
                gold_names = old_names(renamed) if self._dataset.view else names
                self._bound[name] = Binding(gold, database, self._solver_for(database), gold_names, names)
            return self._bound[name]

    def close(self) -> None:
        for binding in self._bound.values():
            if binding.database is not binding.gold:
                binding.database.close()
            binding.gold.close()
