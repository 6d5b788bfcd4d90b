"""A small database and a workload over it, made by code, with a solver that really asks a model and runs its SQL."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from pathlib import Path

from dragoman.bench.dataset import Dataset
from dragoman.databases import Database
from dragoman.errors import QueryError, Refused
from dragoman.models import CachedModel, Message, Model, Request, ScriptedModel, Settings
from dragoman.questions import Example, Question
from dragoman.solver import Answer, Candidate, Draw, Failure, Solver, SolverFor, Step

CITIES = ("Oslo", "Lima", "Kyoto", "Cairo", "Quito", "Perth")
LEVELS = ("easy", "medium", "hard")


def shop(folder: Path, databases: int = 3, questions: int = 20) -> Dataset:
    """`databases` SQLite files below `folder`, and `questions` questions about each of them."""
    opened, examples = {}, []
    for number in range(databases):
        name = f"shop_{number}"
        path = folder / name / f"{name}.sqlite"
        if not path.exists():
            path.parent.mkdir(parents=True)
            _build(path, number)
        opened[name] = str(path)
        for place in range(questions):
            text, sql = _pair(number, place)
            question = Question(text, id=f"{name}-{place}")
            examples.append(Example(question, sql, name, LEVELS[place % 3]))
    return Dataset("shop", "test", tuple(examples), opened)


def reply(request: Request) -> str:
    """What the scripted model says: a plan first, then SQL that is right, wrong, or broken, by the question alone."""
    asked = request.messages[-1].text
    if asked.startswith("Plan: "):
        return "Find the customers of the city."
    number, place = (int(part) for part in asked.rsplit("#", 1)[1].split("-"))
    right = _pair(number, place)[1]
    kind = (number + place + request.settings.sample) % 5
    if kind == 3:
        return right.replace("customers", "clients")
    if kind == 4:
        return right.replace(">=", ">").replace("= '", "<> '")
    return right


def solver_for(model: Model) -> SolverFor:
    """Asks the model twice a question and runs what it says."""

    def bind(database: Database) -> Solver:
        def solve(question: Question, draw: Draw) -> Answer:
            settings = Settings(draw.temperature, draw.seed, draw.sample)
            plan = model.complete([Message("user", f"Plan: {question.text}")], settings=settings)
            made = model.complete([Message("user", f"SQL: {question.text}")], settings=settings)
            steps = (
                Step("model", plan.text, "linker", usage=plan.usage, cost=plan.cost, seconds=plan.seconds),
                Step("model", made.text, "generator", usage=made.usage, cost=made.cost, seconds=made.seconds),
            )
            try:
                candidate = Candidate(made.text, database.execute(made.text))
            except (QueryError, Refused) as error:
                candidate = Candidate(made.text, error=Failure(error.code, str(error)))
            return Answer(made.text, candidate.rows, error=candidate.error, candidates=(candidate,), steps=steps)

        return solve

    return bind


def scripted(folder: Path, on_call: Callable[[Request], None] | None = None, pause: float = 0.0) -> CachedModel:
    """The scripted model behind a cache in `folder`; `on_call` sees each call that is really made."""

    def answer(request: Request) -> str:
        if on_call:
            on_call(request)
        time.sleep(pause)
        return reply(request)

    return CachedModel(ScriptedModel(answer), folder / "replies.sqlite")


def _pair(number: int, place: int) -> tuple[str, str]:
    city = CITIES[place % len(CITIES)]
    if place % 2:
        sql = f"SELECT name FROM customers WHERE city = '{city}' AND age >= {20 + place} ORDER BY id"
        return f"Who in {city} is at least {20 + place}? #{number}-{place}", sql
    sql = f"SELECT city, count(*) FROM customers WHERE age >= {20 + place} GROUP BY city"
    return f"How many are at least {20 + place}, by city? #{number}-{place}", sql


def _build(path: Path, number: int) -> None:
    connection = sqlite3.connect(path)
    with connection:
        connection.execute("CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, city TEXT, age INTEGER)")
        rows = [(i, f"Name {i}", CITIES[(i * 7 + number) % 6], 18 + (i * 13 + number) % 50) for i in range(120)]
        connection.executemany("INSERT INTO customers VALUES (?, ?, ?, ?)", rows)
    connection.close()
