"""Puts questions to verifiers under a set of names, on real views, and keeps what became of each."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass, field, replace

from dragoman.bench.gold_elsewhere import GoldElsewhere
from dragoman.databases.database import Database
from dragoman.databases.guarded_database import GuardedDatabase
from dragoman.errors import BudgetSpent, SetupError
from dragoman.metrics import Case, GoldCache, judge
from dragoman.questions import Example, Question
from dragoman.refine.follow_names import follow_names
from dragoman.refine.gold_check import unjudged
from dragoman.refine.refined_database import How, RefinedDatabase
from dragoman.refine.refinement import Refinement
from dragoman.refine.verdict_store import StoredVerdict, VerdictStore, content_key
from dragoman.schema import Schema
from dragoman.solver import Answer, Draw, Solver, SolverFor

OPEN_AT_ONCE = 4
"""Refined databases that stay open, each with its verifiers bound."""
NO_REPLY = frozenset({"model_unavailable", "crash"})
"""Failures that say nothing about the names."""


@dataclass(frozen=True, slots=True)
class Verifier:
    """A solver that judges names by how often it answers right. `identity` tells all that decides its answers.

    The name alone is the identity where it is "" (method, model and settings belong into it).
    """

    name: str
    solver_for: SolverFor
    identity: str = ""


@dataclass(frozen=True, slots=True)
class Cell:
    """One question put to one verifier in one draw."""

    example: Example
    verifier: int
    draw: Draw = Draw()


@dataclass(frozen=True, slots=True)
class TrialSettings:
    """`workers` threads put questions at once; `rule` judges; `how` the views are made.

    `at_once` is the least number of questions in a batch: what is asked depends on it, and on `workers` nothing does.
    """

    workers: int = 1
    at_once: int = 1
    rule: str = "strict"
    how: How = "auto"


@dataclass(slots=True)
class Spent:
    """What was asked in this run, and what was known already. `cost` in US dollars, None where a price is unknown."""

    asked: int = 0
    known: int = 0
    calls: int = 0
    tokens: int = 0
    cost: float | None = 0.0
    seconds: float = 0.0
    unscored: list[str] = field(default_factory=list)


class Trials:
    """Verdicts on `base` under any refinement. Gold runs on the base, once; solvers see and run the new names alone."""

    def __init__(
        self,
        base: GuardedDatabase,
        verifiers: Sequence[Verifier],
        store: VerdictStore,
        settings: TrialSettings = TrialSettings(),
        on_verdict: Callable[[StoredVerdict], None] | None = None,
    ) -> None:
        self.base, self.verifiers, self.store, self.settings = base, tuple(verifiers), store, settings
        self.spent = Spent()
        self.schema: Schema = base.schema()
        self._on_verdict = on_verdict
        self._gold = GoldCache()
        self._mark = base.fingerprint()
        self._open: OrderedDict[str, tuple[Database, tuple[Solver, ...]]] = OrderedDict()
        self._met: set[str] = set()

    def ask(self, refinement: Refinement, cells: Sequence[Cell]) -> list[StoredVerdict | None]:
        """The verdict on each cell in order, None where no reply came. Raises `SetupError` and `BudgetSpent`."""
        if not cells:
            return []
        database, solvers = self._bound(refinement)
        names = _names(database.schema())
        keys = [self._key(names, cell) for cell in cells]
        missing = {key: cell for key, cell in zip(keys, cells, strict=True) if self.store.get(key) is None}
        self.spent.known += len({*keys} - missing.keys() - self._met)
        self._met |= {*keys}

        def put(item: tuple[str, Cell]) -> StoredVerdict | None:
            key, cell = item
            return self._put(key, cell, self._told(cell, refinement), (database, solvers[cell.verifier]))

        if self.settings.workers <= 1 or len(missing) <= 1:
            fresh = [put(item) for item in missing.items()]
        else:
            with ThreadPoolExecutor(min(self.settings.workers, len(missing))) as pool:
                running = [pool.submit(copy_context().run, put, item) for item in missing.items()]
                fresh = [future.result() for future in running]
        self._count(fresh)
        return [self.store.get(key) for key in keys]

    def unjudged(self, example: Example) -> str:
        """Why no answer to the example can be judged here, "" if one can: its gold must be right by its own measure."""
        if not example.sql:
            return "it has no gold SQL"
        return unjudged(Case(example, example.sql, self.base, self._gold), self.settings.rule)

    def close(self) -> None:
        """Close the refined databases; the base and the store stay open."""
        while self._open:
            self._close(self._open.popitem()[1][0])

    def _told(self, cell: Cell, refinement: Refinement) -> Question:
        """The question with the names in its evidence as they are now."""
        question = cell.example.question
        return replace(question, evidence=follow_names(question.evidence, self.schema, refinement.names))

    def _put(self, key: str, cell: Cell, told: Question, bound: tuple[Database, Solver]) -> StoredVerdict | None:
        started = time.monotonic()
        database, solver = bound
        answer = _answer(solver, told, cell.draw)
        if isinstance(answer, str):
            self.spent.unscored.append(answer)
            return None
        gold = self._gold if database is self.base else GoldElsewhere(self._gold, self.base)
        judgement = judge(cell.example, answer.sql, database, rule=self.settings.rule, gold=gold)
        if not judgement.scored:
            self.spent.unscored.append(judgement.detail)
            return None
        usage = answer.usage
        tokens = usage.prompt_tokens + usage.completion_tokens
        taken = round(time.monotonic() - started, 3)
        found = StoredVerdict(
            key, judgement.correct, str(judgement.verdict), answer.sql, usage.calls, tokens, answer.cost, taken
        )
        self.store.put(found)
        if self._on_verdict:
            self._on_verdict(found)
        return found

    def _count(self, fresh: Sequence[StoredVerdict | None]) -> None:
        spent = self.spent
        for verdict in fresh:
            spent.asked += 1
            if verdict is not None:
                spent.calls += verdict.calls
                spent.tokens += verdict.tokens
                spent.seconds += verdict.seconds
                spent.cost = None if spent.cost is None or verdict.cost is None else spent.cost + verdict.cost

    def _bound(self, refinement: Refinement) -> tuple[Database, tuple[Solver, ...]]:
        key = repr((sorted(refinement.names.items()), sorted(refinement.descriptions.items())))
        if key in self._open:
            self._open.move_to_end(key)
            return self._open[key]
        database: Database = self.base
        if refinement:
            database = RefinedDatabase(self.base, refinement, self.settings.how)
        bound = (database, tuple(verifier.solver_for(database) for verifier in self.verifiers))
        self._open[key] = bound
        while len(self._open) > OPEN_AT_ONCE:
            oldest = next(name for name in self._open)
            self._close(self._open.pop(oldest)[0])
        return bound

    def _close(self, database: Database) -> None:
        if database is not self.base:
            database.close()

    def _key(self, names: str, cell: Cell) -> str:
        verifier, example, draw = self.verifiers[cell.verifier], cell.example, cell.draw
        asked = [example.question.text, example.question.evidence, example.sql, *example.alternatives]
        drawn = [draw.seed, draw.temperature, draw.sample]
        return content_key([self._mark, names, verifier.identity or verifier.name, asked, drawn, self.settings.rule])


def _names(schema: Schema) -> str:
    """All that a solver may see of a schema, as one text."""
    return repr(schema.tables)


def _answer(solver: Solver, question: Question, draw: Draw) -> Answer | str:
    """The answer, or why there is none that tells anything about the names."""
    try:
        answer = solver(question, draw)
    except (SetupError, BudgetSpent):
        raise
    except Exception as error:  # one question's failure becomes a cell that is not scored
        return f"{type(error).__name__}: {error}"
    if answer.error is not None and answer.error.code in NO_REPLY:
        return answer.error.message
    return answer
