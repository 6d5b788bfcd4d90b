"""A small world to learn in: two tables, twenty questions, and a solver that a skill's words make better or worse."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from dragoman.agent.skills import Skill
from dragoman.bench.dataset import Dataset
from dragoman.databases import Database
from dragoman.models.request import Request
from dragoman.questions import Example, Question
from dragoman.solver import Answer, Draw, Solver, SolverFor

HABITS = ("nulls", "duplicates", "grain", "dates")
"""Question n is answered under a skill that speaks of habit n modulo 4."""

SEEDS = tuple(Skill(name, f"Mind the {name}.", "Always.") for name in HABITS[:3])


def make_dataset(folder: Path, questions: int = 20) -> Dataset:
    """One SQLite database with a table of numbers; question n asks for n."""
    path = folder / "numbers.sqlite"
    if not path.exists():
        with closing(sqlite3.connect(path)) as connection:
            connection.executescript("CREATE TABLE number (n INTEGER); INSERT INTO number VALUES (1), (2), (3);")
    examples = tuple(
        Example(Question(f"Which is {n}?", id=f"q{n:02}"), f"SELECT {n} FROM number LIMIT 1", "numbers")
        for n in range(questions)
    )
    return Dataset("world", "all", examples, {"numbers": str(path)})


def solver_for(skill: Skill) -> SolverFor:
    """Right where the skill speaks of the question's habit."""

    def bind(database: Database) -> Solver:
        def solve(question: Question, draw: Draw) -> Answer:
            number = int(question.id[1:])
            found = number if HABITS[number % len(HABITS)] in skill.body else -1
            sql = f"SELECT MAX({found}) FROM number"
            return Answer(sql, database.execute(sql))

        return solve

    return bind


def reflection(words: str) -> Callable[[Request], str]:
    """A reflecting model that adds `words` to the strategy that it reads."""

    def answer(request: Request) -> str:
        text = request.messages[0].text
        body = text.split("```markdown\n", 1)[1].split("\n```", 1)[0]
        return f"It failed.\n```markdown\n{body} Mind the {words}.\n```"

    return answer
