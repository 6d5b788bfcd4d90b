"""Sets of names against the old ones, on questions that verifiers answer under each (EGRefine, section III-D)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from dragoman.questions import Example
from dragoman.refine.query_index import QueryIndex
from dragoman.refine.race import Ask, Outcome, Standing, race
from dragoman.refine.refinement import Place, Refinement
from dragoman.refine.threshold import Threshold
from dragoman.refine.trials import Cell, Trials
from dragoman.solver import Draw


@dataclass(frozen=True, slots=True)
class Scored:
    """What verification found of one name. Question ids are listed once a verifier, `verifier: id`.

    `asked` of `answers` were asked before the decision stood. `score` is the share of right answers, None where not all
    were asked; `most` is what it could still have reached. `lost` says why the name did not win, "" for the one that
    did.
    """

    name: str
    asked: int
    answers: int
    score: float | None
    most: float
    repaired: tuple[str, ...] = ()
    broken: tuple[str, ...] = ()
    lost: str = ""

    @property
    def flips(self) -> int:
        """Net answers gained, among those asked."""
        return len(self.repaired) - len(self.broken)


@dataclass(frozen=True, slots=True)
class Court:
    """Who judges by what: the questions, which of them each place matters to, and what a name must gain.

    `unjudged` maps the number of a question to why no answer to it can be judged. A question is put to every verifier
    in every draw. `names` gives the refinement under which a name is tried: the name itself and, for a key, those of
    the columns that refer to it, as they would be deployed. Questions in `held_out` decide on no name.
    `at_once` is the least number of questions that a name is asked together, more of which may be asked in vain.
    """

    trials: Trials
    examples: Sequence[Example]
    index: QueryIndex
    unjudged: dict[int, str]
    names: Callable[[Place, str], Refinement]
    threshold: Threshold = Threshold()
    draws: tuple[Draw, ...] = (Draw(),)
    held_out: frozenset[int] = frozenset()
    at_once: int = 1

    def questions(self, *places: Place) -> list[int]:
        """Numbers of the questions that decide on the places: those that read any of them."""
        return [n for n in self.index.of_all(places) if n not in self.unjudged and n not in self.held_out]

    def cells(self, numbers: Sequence[int]) -> list[Cell]:
        """The cells of these questions, those of one verifier together: their prompts begin alike."""
        verifiers = range(len(self.trials.verifiers))
        return [Cell(self.examples[n], v, draw) for v in verifiers for draw in self.draws for n in numbers]

    def right(self, refinement: Refinement, cells: Sequence[Cell]) -> list[bool | None]:
        """Whether the answer to each cell is right under the refinement, None where it cannot be scored."""
        found = self.trials.ask(refinement, cells)
        return [None if verdict is None else verdict.correct for verdict in found]


@dataclass(frozen=True, slots=True)
class Contest:
    """Which of the sets of names won, 0 for the old ones (the first is 1), and why none did, "" where one did.

    `need` net answers of `answers` were asked of a winner. `original` is the score of the old names, None where it is
    not known. `names` are those that were tried.
    """

    winner: int
    reason: str
    answers: int
    need: int
    original: float | None
    names: tuple[Scored, ...]


def contest(court: Court, numbers: Sequence[int], named: Sequence[tuple[str, Refinement]]) -> Contest:
    """Race sets of names, each under the name it is called by, over the questions `numbers` of a court.

    The old names stay on ties, below the threshold, and where their own answers cannot be scored or are too few right;
    of sets that gain the same the first wins.
    """
    cells = court.cells(numbers)
    need = court.threshold.need(len(cells), len(numbers))

    def ask(number: int, wanted: Sequence[int]) -> list[bool | None]:
        refinement = named[number - 1][1] if number else Refinement()
        return court.right(refinement, [cells[cell] for cell in wanted])

    outcome = _started(court, len(cells), need, ask, len(named))
    original = outcome.standings[0]
    score = sum(original.answers.values()) / len(cells) if len(original.answers) == len(cells) else None
    labels = [label(court, cell) for cell in cells]
    scored = tuple(
        _scored(named[number - 1][0], standing, original, labels)
        for number, standing in outcome.standings.items()
        if number
    )
    reason = "" if outcome.winner else outcome.abstained or _kept(original, scored, need, len(cells))
    return Contest(outcome.winner, reason, len(cells), need, score, scored)


def _started(court: Court, cells: int, need: int, ask: Ask, names: int) -> Outcome:
    """The race, unless the original's own answers are a reason to abstain."""
    original = ask(0, range(cells))
    right = sum(map(bool, original))
    if None not in original and right < court.threshold.least_baseline * cells:
        standing = Standing({cell: bool(answer) for cell, answer in enumerate(original)})
        least = court.threshold.least_baseline
        said = (
            f"only {right} of {cells} answers are right under the old name, and {least:.0%} are the least to judge by"
        )
        return Outcome(0, {0: standing}, said)
    return race(
        range(1, names + 1),
        cells,
        need,
        lambda name, wanted: [original[c] for c in wanted] if not name else ask(name, wanted),
        court.at_once,
    )


def _kept(original: Standing, names: Sequence[Scored], need: int, cells: int) -> str:
    wrong = cells - sum(original.answers.values())
    if not names:
        return f"{wrong} of {cells} answers are wrong under the old name, too few to gain {need}"
    return f"no name gains {need} of {cells} answers"


def _scored(name: str, standing: Standing, original: Standing, labels: Sequence[str]) -> Scored:
    cells = len(labels)
    before = sum(original.answers.values())
    whole = len(standing.answers) == cells
    open_ = sum(1 for cell, right in original.answers.items() if not right and cell not in standing.answers)
    return Scored(
        name,
        len(standing.answers),
        cells,
        (before + standing.gain) / cells if whole else None,
        (before + standing.gain + open_) / cells,
        tuple(labels[cell] for cell in sorted(standing.repaired)),
        tuple(labels[cell] for cell in sorted(standing.broken)),
        standing.lost,
    )


def label(court: Court, cell: Cell) -> str:
    """How reports call a cell: its verifier and its question."""
    name = court.trials.verifiers[cell.verifier].name
    return f"{name}: {cell.example.question.id or cell.example.question.text}"
