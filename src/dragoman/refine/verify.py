"""Phase 3: a name is kept only where verifiers answer more of a column's questions right under it (EGRefine, III-D)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from dragoman.questions import Example
from dragoman.refine.query_index import QueryIndex
from dragoman.refine.race import Outcome, Standing, race
from dragoman.refine.refinement import Place, Refinement
from dragoman.refine.threshold import Threshold
from dragoman.refine.trials import Cell, Trials
from dragoman.solver import Draw

NO_QUESTIONS = "no question of the workload reads it"
UNSCORABLE = "no gold query of its questions can be judged"
NO_NAMES = "no name was proposed"


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
class Verification:
    """The decision on one column or table (`place[1]` is "" for a table): `chosen` is its new name, "" to keep it.

    `questions` read it and can be judged, of them `fallback` by their words alone; `unjudged` more cannot. `need` is
    the number of net answers, of `answers`, that the threshold stood for. `original` is the score of the old name,
    None where it is not known. `reason` says why the old name stays, "" where it does not.
    """

    place: Place
    chosen: str
    reason: str
    questions: int = 0
    fallback: int = 0
    unjudged: int = 0
    answers: int = 0
    need: int = 0
    original: float | None = None
    names: tuple[Scored, ...] = ()

    @property
    def gain(self) -> float:
        """Score of the chosen name minus that of the original; 0 where the original stays."""
        won = next((scored for scored in self.names if scored.name == self.chosen), None)
        return won.flips / self.answers if won and self.answers else 0.0


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

    def questions(self, place: Place) -> list[int]:
        """Numbers of the questions that decide on the place."""
        return [n for n in self.index.of(place) if n not in self.unjudged and n not in self.held_out]

    def cells(self, numbers: Sequence[int]) -> list[Cell]:
        """The cells of these questions, those of one verifier together: their prompts begin alike."""
        verifiers = range(len(self.trials.verifiers))
        return [Cell(self.examples[n], v, draw) for v in verifiers for draw in self.draws for n in numbers]


def verify(
    court: Court, place: Place, candidates: Sequence[str], without: frozenset[str] = frozenset()
) -> Verification:
    """Decide between the name that a column has and its candidates, given by descending rank.

    Every candidate is deployed on real views and asked about the questions that read the column, as far as the
    decision needs (`race`); it is the decision of asking everything. Names in `without` stay out: with what was chosen
    before in it, this finds the next best. The original stays on ties, below the threshold, where it cannot be scored,
    and where there is nothing to score it by.
    """
    numbers = [n for n in court.index.of(place) if n not in court.held_out]
    judged = court.questions(place)
    fallback = sum(n in court.index.fallback for n in judged)
    about = Verification(place, "", "", len(judged), fallback, len(numbers) - len(judged))
    names = [name for name in candidates if name not in without]
    reason = _no_trial(court, len(judged), len(numbers), bool(names))
    if reason:
        return replace(about, reason=reason)
    cells = court.cells(judged)
    need = court.threshold.need(len(cells))
    named = [place[1] or place[0], *names]

    def ask(number: int, wanted: Sequence[int]) -> list[bool | None]:
        refinement = court.names(place, named[number]) if number else Refinement()
        found = court.trials.ask(refinement, [cells[cell] for cell in wanted])
        return [None if verdict is None else verdict.correct for verdict in found]

    outcome = _started(court, len(cells), need, ask, len(named))
    original = outcome.standings[0]
    score = sum(original.answers.values()) / len(cells) if len(original.answers) == len(cells) else None
    labels = [_label(court, cell) for cell in cells]
    scored = tuple(
        _scored(named[number], standing, original, labels) for number, standing in outcome.standings.items() if number
    )
    chosen = named[outcome.winner] if outcome.winner else ""
    reason = "" if chosen else outcome.abstained or _kept(original, scored, need, len(cells))
    return replace(about, chosen=chosen, reason=reason, answers=len(cells), need=need, original=score, names=scored)


def _started(
    court: Court, cells: int, need: int, ask: Callable[[int, Sequence[int]], list[bool | None]], names: int
) -> Outcome:
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
        range(1, names),
        cells,
        need,
        lambda name, wanted: [original[c] for c in wanted] if not name else ask(name, wanted),
    )


def _no_trial(court: Court, judged: int, read: int, names: bool) -> str:
    """Why there is nothing to try, "" if there is."""
    if not read:
        return NO_QUESTIONS
    if not judged:
        return UNSCORABLE
    if judged < court.threshold.least_questions:
        return f"only {judged} question reads it, and {court.threshold.least_questions} are the least to judge by"
    return "" if names else NO_NAMES


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


def _label(court: Court, cell: Cell) -> str:
    name = court.trials.verifiers[cell.verifier].name
    return f"{name}: {cell.example.question.id or cell.example.question.text}"
