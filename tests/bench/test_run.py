"""Running, being killed, going on."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from dragoman.bench.run import RESULTS, TIMES, RunSettings, read_lines, read_run_times, run
from dragoman.databases import Database
from dragoman.errors import BudgetSpent, SetupError
from dragoman.models import Budget, BudgetedModel, Message, ModelsByRole, Request, ScriptedModel
from dragoman.questions import Question
from dragoman.solver import Answer, Draw, Failure, Solver
from tests.bench.shop import scripted, shop, solver_for

ROOT = Path(__file__).resolve().parents[2]
QUESTIONS, REPEATS = 60, 2


def start(data: Path, out: Path, workers: int) -> subprocess.Popen[bytes]:
    out.parent.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "tests.bench.run_shop", str(data), str(out), str(workers)]
    return subprocess.Popen(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)})


def stored(cache: Path) -> set[str]:
    if not cache.exists():
        return set()
    with sqlite3.connect(cache) as connection:
        try:
            return {key for (key,) in connection.execute("SELECT key FROM replies")}
        except sqlite3.OperationalError:
            return set()


def calls(out: Path) -> list[str]:
    path = out.with_suffix(".calls")
    return path.read_text().split() if path.exists() else []


@pytest.mark.slow
def test_killed_ten_times_and_resumed_gives_the_same_bytes(tmp_path: Path) -> None:
    """Killed with -9 once a random number of lines stands, each time; then finished."""
    random = Random(4)
    whole, broken = tmp_path / "whole" / "run", tmp_path / "broken" / "run"
    assert start(tmp_path / "data", whole, 1).wait() == 0
    kills = 0
    while kills < 10:
        kept, before = stored(broken.parent / "replies.sqlite"), len(calls(broken))
        process = start(tmp_path / "data", broken, 3)
        target = before + random.randrange(1, 22)
        while process.poll() is None and len(calls(broken)) < target:
            time.sleep(0.003)
        process.send_signal(signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL, "the run ended before ten kills"
        kills += 1
        assert not kept & set(calls(broken)[before:]), "a stored reply was asked again"
    kept, before = stored(broken.parent / "replies.sqlite"), len(calls(broken))
    assert start(tmp_path / "data", broken, 3).wait() == 0
    assert not kept & set(calls(broken)[before:])
    assert (broken / RESULTS).read_bytes() == (whole / RESULTS).read_bytes()
    assert len(read_lines(broken)) == QUESTIONS * REPEATS
    assert len(calls(whole)) == 2 * QUESTIONS * REPEATS == len(set(calls(broken)))
    assert read_run_times(broken).keys() == read_run_times(whole).keys()


def test_lines_come_in_the_order_of_the_set_whatever_the_threads(tmp_path: Path) -> None:
    dataset = shop(tmp_path)
    results = []
    for workers in (1, 5):
        out = tmp_path / f"run{workers}"
        run(solver_for(scripted(tmp_path)), dataset, out, RunSettings(repeat=2, workers=workers))
        results.append((out / RESULTS).read_bytes())
    assert results[0] == results[1]
    keys = [(record["id"], record["repeat"]) for record in map(json.loads, results[0].splitlines())]
    assert keys == [(example.question.id, repeat) for example in dataset.examples for repeat in range(2)]


def test_verdicts_usage_and_times(tmp_path: Path) -> None:
    outcome = run(solver_for(scripted(tmp_path)), shop(tmp_path), tmp_path / "run")
    verdicts = Counter(line.verdict for line in outcome.lines)
    assert verdicts.keys() == {"correct", "wrong", "invalid_reference"}
    assert verdicts["invalid_reference"] == 12
    line = outcome.lines[0]
    assert (line.usage["linker"].calls, line.usage["generator"].calls) == (1, 1)
    assert [slot.verdict for slot in line.slots] == [line.verdict]
    assert read_lines(tmp_path / "run") == outcome.lines
    times = read_run_times(tmp_path / "run")
    assert set(times) == {line.key for line in outcome.lines}
    assert all(found.seconds >= 0 and found.paid == {"linker": 0.0, "generator": 0.0} for found in times.values())
    assert "seconds" not in (tmp_path / "run" / RESULTS).read_text()


def test_a_finished_run_asks_nothing(tmp_path: Path) -> None:
    seen: list[Request] = []
    dataset = shop(tmp_path)
    run(solver_for(scripted(tmp_path / "a", seen.append)), dataset, tmp_path / "run")
    before, number = (tmp_path / "run" / RESULTS).read_bytes(), len(seen)
    again = run(solver_for(scripted(tmp_path / "b", seen.append)), dataset, tmp_path / "run")
    assert len(seen) == number == 2 * len(dataset)
    assert (tmp_path / "run" / RESULTS).read_bytes() == before
    assert len(again.lines) == len(dataset)


def test_repeats_can_be_added_and_not_taken_away(tmp_path: Path) -> None:
    dataset, model = shop(tmp_path), scripted(tmp_path)
    run(solver_for(model), dataset, tmp_path / "run")
    assert len(run(solver_for(model), dataset, tmp_path / "run", RunSettings(repeat=3)).lines) == 3 * len(dataset)
    with pytest.raises(SetupError, match="3 repeats"):
        run(solver_for(model), dataset, tmp_path / "run", RunSettings(repeat=1))


def test_a_line_cut_short_is_asked_again(tmp_path: Path) -> None:
    dataset, model = shop(tmp_path), scripted(tmp_path)
    run(solver_for(model), dataset, tmp_path / "run")
    path = tmp_path / "run" / RESULTS
    whole = path.read_bytes()
    for cut in (1, 100, len(whole) // 2):
        path.write_bytes(whole[:-cut])
        run(solver_for(model), dataset, tmp_path / "run")
        assert path.read_bytes() == whole


def test_another_run_in_the_folder_is_refused(tmp_path: Path) -> None:
    model = scripted(tmp_path)
    run(solver_for(model), shop(tmp_path), tmp_path / "run", asked={"model": "a"})
    with pytest.raises(SetupError, match=r"other settings \(model\).*--out"):
        run(solver_for(model), shop(tmp_path), tmp_path / "run", asked={"model": "b"})
    with pytest.raises(SetupError, match=r"examples, digest"):
        run(solver_for(model), shop(tmp_path, questions=5), tmp_path / "run", asked={"model": "a"})


def test_one_failure_becomes_one_line(tmp_path: Path) -> None:
    def bind(database: Database) -> Solver:
        good = solver_for(scripted(tmp_path))(database)

        def solve(question: Question, draw: Draw) -> Answer:
            if question.id == "shop_1-3":
                raise ZeroDivisionError("division by zero")
            return good(question, draw)

        return solve

    outcome = run(bind, shop(tmp_path), tmp_path / "run")
    failed = [line for line in outcome.lines if line.failure == "crash"]
    assert [line.id for line in failed] == ["shop_1-3"]
    assert failed[0].verdict == "no_answer"
    assert failed[0].reason == "ZeroDivisionError: division by zero"


def test_a_server_that_was_lost_is_asked_again(tmp_path: Path) -> None:
    lost = True

    def bind(database: Database) -> Solver:
        good = solver_for(scripted(tmp_path))(database)

        def solve(question: Question, draw: Draw) -> Answer:
            if lost and question.id.endswith("-7"):
                return Answer(error=Failure("model_unavailable", "The server does not answer."))
            return good(question, draw)

        return solve

    dataset = shop(tmp_path)
    assert run(bind, dataset, tmp_path / "run").unanswered == 3
    lost = False
    assert run(bind, dataset, tmp_path / "run").unanswered == 0
    whole = run(bind, dataset, tmp_path / "whole")
    assert (tmp_path / "run" / RESULTS).read_bytes() == (whole.out / RESULTS).read_bytes()


def test_a_spent_budget_ends_the_run_and_keeps_what_was_paid(tmp_path: Path) -> None:
    dataset, model = shop(tmp_path), scripted(tmp_path)
    settings = RunSettings(workers=3)
    with pytest.raises(BudgetSpent):
        run(solver_for(BudgetedModel(model, Budget(calls=31))), dataset, tmp_path / "run", settings)
    kept = len(read_lines(tmp_path / "run"))
    assert 10 <= kept <= 15
    assert len(run(solver_for(model), dataset, tmp_path / "run", settings).lines) == len(dataset)


def test_an_absent_database_is_the_users_to_mend(tmp_path: Path) -> None:
    dataset = shop(tmp_path)
    (tmp_path / "shop_1" / "shop_1.sqlite").unlink()
    with pytest.raises(SetupError, match="shop_1"):
        run(solver_for(scripted(tmp_path)), dataset, tmp_path / "run")
    assert (tmp_path / "run" / TIMES).exists()


def test_the_record_of_the_run(tmp_path: Path) -> None:
    run(solver_for(scripted(tmp_path)), shop(tmp_path), tmp_path / "run", RunSettings(seed=7), {"model": "scripted"})
    record = json.loads((tmp_path / "run" / "run.json").read_text())
    assert record["asked"] == {"model": "scripted", "rule": "strict", "seed": 7, "temperature": 0.0}
    assert record["dataset"]["name"] == "shop"
    assert record["made_with"][0]["version"]


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals")
def test_an_interrupt_ends_running_examples_at_their_next_model_call(tmp_path: Path) -> None:
    model = ModelsByRole(ScriptedModel(lambda request: "hm")).for_role("generator")
    begun: list[str] = []
    main = threading.main_thread().ident or 0

    def solver_for_ever(database: Database) -> Solver:
        def solve(question: Question, draw: Draw) -> Answer:
            begun.append(question.id)
            if len(begun) == 1:
                return Answer(error=Failure("no_sql", "Nothing."))
            if len(begun) == 4:
                signal.pthread_kill(main, signal.SIGINT)
            while True:
                model.complete([Message("user", "hi")])
                time.sleep(0.01)

        return solve

    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored where tests run behind nohup
    try:
        with pytest.raises(KeyboardInterrupt):
            run(solver_for_ever, shop(tmp_path / "data", 1, 20), tmp_path / "out", RunSettings(workers=3))
    finally:
        signal.signal(signal.SIGINT, before)
    assert [line.id for line in read_lines(tmp_path / "out")] == begun[:1]
    assert len(begun) < 6
