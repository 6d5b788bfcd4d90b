"""A population of solvers that is made, not trained: success rates and the ties between errors are known.

A solver is right where its skill, a share `common` of luck that all solvers have together on a question, and luck of
its own are above zero: a probit model with one common factor, so that `rates` are exact and errors go together. Who is
wrong gives one of the question's mistakes: with `attraction` the popular one, else any of `mistakes`; or the query
fails. A judge has a taste for each class of a question, which favours the right one by `sees`, likes what it sees
first, and doubts anew in each game. Everything follows from the seed: a game is always judged alike.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from statistics import NormalDist

from dragoman.databases import Rows
from dragoman.ensemble import Comparison, Entrant, Judge, Judgement
from dragoman.models import Usage
from dragoman.questions import Question
from dragoman.solver import Answer, Draw, Failure, Solver, Step

RIGHT = 0
"""The cell of the right answer's result."""


@dataclass(frozen=True, slots=True)
class Population:
    """`rates` are the solvers' success rates; the other fields are shares from 0 to 1, `mistakes` a number."""

    rates: tuple[float, ...]
    common: float = 0.5
    attraction: float = 0.4
    mistakes: int = 12
    failing: float = 0.15
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Taste:
    """All in standard deviations of a class's taste, but `tastes` itself, which scales that deviation."""

    sees: float = 1.0
    tastes: float = 0.7
    first: float = 0.3
    doubts: float = 0.3
    seed: int = 0


def entrants(population: Population) -> list[Entrant]:
    """The solvers, by the number of each."""
    return [Entrant(f"solver {n}", _solver(population, n)) for n in range(len(population.rates))]


def questions(count: int) -> list[Question]:
    """Questions by number."""
    return [Question(f"Question {number}") for number in range(count)]


def judge(taste: Taste) -> Judge:
    """A judge of that taste; each judgement costs one call."""

    def judged(compared: Comparison) -> Judgement:
        question = compared.question.text
        a, b = class_of(compared.first), class_of(compared.second)
        doubt = Random(f"doubt {taste.seed} {question} {a} {b}").gauss(0, taste.doubts)
        lead = _liking(taste, question, a) - _liking(taste, question, b) + taste.first + doubt
        return Judgement("first" if lead > 0 else "second", Step("judge", role="judge", usage=Usage(calls=1)))

    return judged


def in_one_order(judge: Judge) -> Judge:
    """The judge, who is shown every pair in one order alone, and so says the same of both."""

    def judged(compared: Comparison) -> Judgement:
        first, second = sorted((compared.first, compared.second), key=_scrambled(compared.question.text))
        said = judge(Comparison(compared.question, first, second, compared.draw))
        won = first if said.winner == "first" else second
        return Judgement("first" if won is compared.first else "second", said.step)

    return judged


def class_of(answer: Answer) -> int:
    """The class of a result: RIGHT, or the number of a mistake."""
    assert answer.rows is not None
    return int(answer.rows.rows[0][0])


def is_right(answer: Answer) -> bool:
    """Whether the answer is right."""
    return answer.rows is not None and class_of(answer) == RIGHT


def _scrambled(question: str) -> Callable[[Answer], float]:
    """An order of classes that has nothing to do with which is right."""
    return lambda answer: Random(f"order {question} {class_of(answer)}").random()


def _liking(taste: Taste, question: str, number: int) -> float:
    return taste.sees * (number == RIGHT) + Random(f"taste {taste.seed} {question} {number}").gauss(0, taste.tastes)


def _solver(population: Population, number: int) -> Solver:
    skill = NormalDist().inv_cdf(population.rates[number])

    def solve(question: Question, draw: Draw) -> Answer:
        common = Random(f"common {population.seed} {question.text}").gauss(0, 1)
        own = Random(f"own {population.seed} {question.text} {number}")
        luck = population.common**0.5 * common + (1 - population.common) ** 0.5 * own.gauss(0, 1)
        sql = f"SELECT {number}"
        if skill + luck > 0:
            return _answered(sql, RIGHT)
        if own.random() < population.failing:
            return Answer(sql, error=Failure("query", "no such column"))
        return _answered(sql, 1 if own.random() < population.attraction else own.randint(1, population.mistakes))

    return solve


def _answered(sql: str, number: int) -> Answer:
    return Answer(sql, Rows(("answer",), ((number,),)), steps=(Step("model", usage=Usage(calls=1)),))


def share(flags: Sequence[bool]) -> float:
    """The share that is true."""
    return sum(flags) / len(flags)
