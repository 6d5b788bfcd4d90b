"""Phase 3: a name is kept only where verifiers answer more of a column's questions right under it (EGRefine, III-D)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from dragoman.refine.contest import Court, Scored, contest
from dragoman.refine.refinement import Place

NO_QUESTIONS = "no question of the workload reads it"
HELD_OUT = "the questions that read it are held out"
UNSCORABLE = "no gold query of its questions can be judged"
NO_NAMES = "no name was proposed"


@dataclass(frozen=True, slots=True)
class Verification:
    """The decision on one column or table (`place[1]` is "" for a table): `chosen` is its new name, "" to keep it.

    `questions` read it and can be judged, of them `fallback` by their words alone; `unjudged` more cannot. `need` is
    the number of net answers, of `answers`, that the threshold stood for. `original` is the score of the old name,
    None where it is not known. `reason` says why no name was chosen here, "" where one was.
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
    held = len(court.index.of(place)) - len(numbers)
    reason = _no_trial(court, len(judged), len(numbers), held, bool(names))
    if reason:
        return replace(about, reason=reason)
    found = contest(court, judged, [(name, court.names(place, name)) for name in names])
    return replace(
        about,
        chosen=names[found.winner - 1] if found.winner else "",
        reason=found.reason,
        answers=found.answers,
        need=found.need,
        original=found.original,
        names=found.names,
    )


def _no_trial(court: Court, judged: int, read: int, held: int, names: bool) -> str:
    """Why there is nothing to try, "" if there is; `held` more questions read it and are held out."""
    if not read:
        return HELD_OUT if held else NO_QUESTIONS
    if not judged:
        return UNSCORABLE
    if judged < court.threshold.least_questions:
        reading = "1 question reads it" if judged == 1 else f"{judged} questions read it"
        beside = f" ({held} more are held out)" if held else ""
        return f"only {reading}{beside}, and {court.threshold.least_questions} are the least to judge by"
    return "" if names else NO_NAMES
