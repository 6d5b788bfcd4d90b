"""Asks a solver every question of a data set, in threads, and goes on where an interrupted run stood."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextvars import copy_context
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from dragoman.bench.bindings import Bindings
from dragoman.bench.dataset import Dataset
from dragoman.bench.ledger import Ledger, read_ledger, replace_ledger
from dragoman.bench.line import Key, Line, Times, database_seconds, line_record, read_line, read_times, times_by_role
from dragoman.bench.provenance import begin
from dragoman.bench.score import Judging, score
from dragoman.errors import BudgetSpent, SetupError
from dragoman.metrics import RULES
from dragoman.models.stoppable import stoppable
from dragoman.questions import Example
from dragoman.solver import Answer, Draw, Failure, SolverFor

RESULTS = "results.jsonl"
TIMES = "times.jsonl"

ASK_AGAIN = frozenset({"model_unavailable"})
"""Failures that say nothing about the solver: a resumed run asks these examples again."""


@dataclass(frozen=True, slots=True)
class RunSettings:
    """`repeat` runs of every example, `workers` threads, `rule` judges. Repeat number n draws sample n of `seed`."""

    repeat: int = 1
    workers: int = 4
    rule: str = "strict"
    seed: int = 0
    temperature: float = 0.0


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a finished run leaves: its folder, all lines in order, and how many the model gave no reply to."""

    out: Path
    lines: tuple[Line, ...]
    unanswered: int


OnLine = Callable[[Line, int, int], None]
"""Called with each new line, how many are done and how many there are."""


def run(
    solver_for: SolverFor,
    dataset: Dataset,
    out: Path,
    settings: RunSettings = RunSettings(),
    asked: Mapping[str, Any] | None = None,
    on_line: OnLine | None = None,
) -> Outcome:
    """Answer and judge every example that `out` has no line for; write results, times and the record of the run.

    Each line is written as its example finishes. At the end lines are sorted by example and repeat, so that the
    results are the same bytes whatever the number of threads and interruptions. What fails for one example becomes
    its line; `SetupError` and `BudgetSpent` end the run, and so does Ctrl-C, with all finished lines kept.
    """
    if settings.rule not in RULES:
        raise SetupError(f"There is no rule {settings.rule!r}. Choose one of {', '.join(RULES)}.")
    fixed = {"rule": settings.rule, "seed": settings.seed, "temperature": settings.temperature}
    begin(out, dataset, {**(asked or {}), **fixed})
    order = {(e.question.id, r): (e, r) for e in dataset.examples for r in range(settings.repeat)}
    done = _finished(out, order)
    bindings, judging = Bindings(solver_for, dataset), Judging(settings.rule, extras=dataset.extras)
    results, times = Ledger(out / RESULTS), Ledger(out / TIMES)

    def ask(example: Example, repeat: int) -> Line:
        line, taken = _ask(bindings, judging, example, repeat, settings)
        times.append(asdict(taken))
        results.append(line_record(line))
        return line

    try:
        pending = [place for key, place in order.items() if key not in done]
        with stoppable() as stop:
            for line in _in_threads(ask, pending, settings.workers, stop):
                done[line.key] = line
                if on_line:
                    on_line(line, len(done), len(order))
    finally:
        results.close()
        times.close()
        bindings.close()
    lines = tuple(done[key] for key in order)
    replace_ledger(out / RESULTS, map(line_record, lines))
    replace_ledger(out / TIMES, map(asdict, _sorted_times(out, order)))
    return Outcome(out, lines, sum(line.failure in ASK_AGAIN for line in lines))


def read_lines(out: Path) -> tuple[Line, ...]:
    """The lines of a run, finished or not, the last one where an example was asked again.

    Raises `SetupError` for a damaged file.
    """
    try:
        found = {line.key: line for line in map(read_line, read_ledger(out / RESULTS))}
    except (KeyError, TypeError) as error:
        raise SetupError(f"{out / RESULTS} is not of this version of dragoman ({error}). Run again.") from None
    return tuple(found.values())


def read_run_times(out: Path) -> dict[Key, Times]:
    """Times of a run by example and repeat."""
    try:
        return {times.key: times for times in map(read_times, read_ledger(out / TIMES))}
    except TypeError as error:
        raise SetupError(f"{out / TIMES} is not of this version of dragoman ({error}). Run again.") from None


def _finished(out: Path, order: Mapping[Key, object]) -> dict[Key, Line]:
    """Lines that stand. Those to be asked again, and a line cut short by a kill, are removed from the file."""
    Ledger(out / RESULTS).close()
    Ledger(out / TIMES).close()
    found = read_lines(out)
    kept = [line for line in found if line.failure not in ASK_AGAIN]
    if len(kept) < len(found):
        replace_ledger(out / RESULTS, map(line_record, kept))
    repeats = max((line.repeat + 1 for line in kept if line.key not in order), default=0)
    if repeats:
        raise SetupError(f"{out} holds {repeats} repeats. Give --repeat {repeats} or more, or another folder.")
    return {line.key: line for line in kept}


def _ask(
    bindings: Bindings, judging: Judging, example: Example, repeat: int, settings: RunSettings
) -> tuple[Line, Times]:
    binding = bindings.get(example.database)
    started = time.monotonic()
    answer = _answer(binding.solver, example, Draw(settings.seed, settings.temperature, repeat))
    seconds = time.monotonic() - started
    line = score(example, repeat, answer, binding, judging)
    return line, Times(
        example.question.id, repeat, seconds, *times_by_role(answer.steps), database_seconds(answer.steps)
    )


def _answer(solver: Callable[..., Answer], example: Example, draw: Draw) -> Answer:
    try:
        answer = solver(example.question, draw)
    except (SetupError, BudgetSpent):
        raise
    except Exception as error:  # one example's failure becomes its line
        return Answer(error=Failure("crash", f"{type(error).__name__}: {error}"))
    for step in answer.steps:
        if step.kind == "budget":  # good enough for a person, not for a measurement
            raise BudgetSpent(step.text)
    return answer


def _sorted_times(out: Path, order: Mapping[Key, object]) -> list[Times]:
    found = read_run_times(out)
    return [found[key] for key in order if key in found]


def _in_threads(
    ask: Callable[[Example, int], Line], pending: list[tuple[Example, int]], workers: int, stop: threading.Event
) -> Iterator[Line]:
    """Lines as they finish. The first exception lets running examples finish and starts no more.

    An interrupt sets `stop`, which ends running examples at their next model call.
    """
    ended = threading.Event()

    def guarded(place: tuple[Example, int]) -> Line | None:
        if ended.is_set():
            return None
        try:
            return ask(*place)
        except BaseException:
            ended.set()
            raise

    with ThreadPoolExecutor(max(1, workers), thread_name_prefix="dragoman-bench") as pool:
        try:
            futures = [pool.submit(copy_context().run, guarded, place) for place in pending]
            for future in as_completed(futures):
                line = future.result()
                if line is not None:
                    yield line
        except KeyboardInterrupt:
            stop.set()
            raise
        finally:
            ended.set()
            pool.shutdown(wait=True, cancel_futures=True)
