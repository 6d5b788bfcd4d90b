"""Runs skills on questions and keeps every run, so that none is made twice, whenever the process was killed."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass
from pathlib import Path

from dragoman.agent.skills import Skill
from dragoman.agent.trajectory import trajectory
from dragoman.bench.bindings import Binding, Bindings
from dragoman.bench.dataset import Dataset
from dragoman.bench.ledger import Ledger, read_ledger
from dragoman.bench.score import Judging
from dragoman.errors import BudgetSpent, ModelUnavailable, SetupError
from dragoman.learn.condense import condense
from dragoman.learn.rollout import Rollout, read_rollout, rollout_record
from dragoman.metrics import judge
from dragoman.questions import Example
from dragoman.solver import Answer, Draw, Failure, SolverFor

ROLLOUTS = "rollouts.jsonl"


@dataclass(frozen=True, slots=True)
class Drawing:
    """How runs are drawn: `temperature` of the model, base `seed`, `workers` threads, `seconds` for the whole run."""

    temperature: float = 0.2
    seed: int = 0
    workers: int = 4
    seconds: float | None = None


class Attempts:
    """`Attempt` over the databases of a data set; `solver_for` binds a skill. Safe to use from several threads.

    `made` counts the runs made by this process, `reused` those taken from the folder. `close` closes the databases.
    """

    def __init__(
        self, solver_for: Callable[[Skill], SolverFor], dataset: Dataset, folder: Path, drawing: Drawing = Drawing()
    ) -> None:
        self._solver_for = solver_for
        self._dataset = dataset
        self._drawing = drawing
        self._judging = Judging(extras=dataset.extras)
        self._bindings: dict[str, Bindings] = {}
        self._lock = threading.Lock()
        self._began = time.monotonic()
        self._ledger = Ledger(folder / ROLLOUTS)
        self._kept = {rollout.key: rollout for rollout in read_rollouts(folder)}
        self.made = 0
        self.reused = 0

    def __call__(self, skill: Skill, examples: Sequence[Example], sample: int) -> tuple[Rollout, ...]:
        """One run of the skill on each example, in their order whatever the number of threads.

        Raises `ModelUnavailable` where a model could not be reached, so that an outage counts for nothing, and
        `BudgetSpent` where a limit is reached; all finished runs are kept then. A request that the model rejects, for
        example too long a one, is a failed run.
        """
        with ThreadPoolExecutor(max(1, min(self._drawing.workers, len(examples)))) as pool:
            running = [pool.submit(copy_context().run, self._one, skill, example, sample) for example in examples]
            try:
                return tuple(future.result() for future in running)
            except BaseException:
                pool.shutdown(wait=True, cancel_futures=True)
                raise

    def close(self) -> None:
        for bindings in self._bindings.values():
            bindings.close()
        self._ledger.close()

    def _one(self, skill: Skill, example: Example, sample: int) -> Rollout:
        key = (skill.id, example.question.id, sample)
        with self._lock:
            if key in self._kept:
                self.reused += 1
                return self._kept[key]
        if self._drawing.seconds is not None and time.monotonic() - self._began > self._drawing.seconds:
            raise BudgetSpent(f"The time limit of {self._drawing.seconds:g} seconds is reached. Run again to go on.")
        rollout = self._made(skill, example, sample)
        with self._lock:
            self._ledger.append(rollout_record(rollout))
            self._kept[key] = rollout
            self.made += 1
        return rollout

    def _made(self, skill: Skill, example: Example, sample: int) -> Rollout:
        with self._lock:
            bindings = self._bindings.setdefault(skill.id, Bindings(self._solver_for(skill), self._dataset))
        binding = bindings.get(example.database)
        answer = _answer(binding, example, Draw(self._drawing.seed, self._drawing.temperature, sample))
        _check_reached(answer)
        judging = self._judging
        extras = judging.extras.get(example.question.id)
        judgement = judge(example, answer.sql, binding.database, rule=judging.rule, gold=judging.gold, extras=extras)
        failed = answer.error.message if answer.error else ""
        return Rollout(
            skill.id,
            example.question.id,
            sample,
            judgement.correct,
            str(judgement.verdict),
            answer.sql,
            judgement.detail or failed if answer.sql else failed,
            trajectory(answer.steps, binding.database.dialect),
            condense(answer.steps),
            answer.usage,
            answer.cost,
        )


def read_rollouts(folder: Path) -> tuple[Rollout, ...]:
    """All runs in a folder of learning. Raises `SetupError` for a damaged file."""
    try:
        return tuple(map(read_rollout, read_ledger(folder / ROLLOUTS)))
    except (KeyError, TypeError) as error:
        raise SetupError(
            f"{folder / ROLLOUTS} is not of this version of dragoman ({error}). Use another folder."
        ) from None


def _answer(binding: Binding, example: Example, draw: Draw) -> Answer:
    try:
        return binding.solver(example.question, draw)
    except (SetupError, BudgetSpent, ModelUnavailable):
        raise
    except Exception as error:  # one run's failure becomes its record
        return Answer(error=Failure("crash", f"{type(error).__name__}: {error}"))


def _check_reached(answer: Answer) -> None:
    """Raise `ModelUnavailable` for a run in which a model, also the reviewer, could not be reached."""
    if answer.error is not None and answer.error.code == ModelUnavailable.code:
        raise ModelUnavailable(f"{answer.error.message} Run again to go on where this run stands.")
    if any(step.data.get("outcome") == ModelUnavailable.code for step in answer.steps):
        raise ModelUnavailable("The reviewer could not be reached. Run again to go on where this run stands.")
