"""How many answers choosing took, and how many it would have taken without the race."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dragoman.refine.bundles import Bundle
from dragoman.refine.contest import Court
from dragoman.refine.propose import Proposal
from dragoman.refine.verify import Verification


def raced(court: Court, found: Iterable[Verification], together: Sequence[Bundle] = ()) -> int:
    """Answers that choosing took: each one under an old name once, and of the new names what was asked."""
    tried = [decision for decision in found if decision.answers]
    places = [(decision.place,) for decision in tried] + [bundle.places for bundle in together]
    old = {n for some in places for n in court.questions(*some)}
    each = len(court.trials.verifiers) * len(court.draws)
    new = sum(scored.asked for decision in tried for scored in decision.names)
    return len(old) * each + new + sum(bundle.taken for bundle in together)


def exhaustive(found: Iterable[Verification], proposals: Sequence[Proposal], together: Sequence[Bundle] = ()) -> int:
    """Answers of a schedule that asks everything of every name and of every bundle."""
    names = {proposal.place: len(proposal.names) for proposal in proposals}
    single = sum(decision.answers * (1 + names.get(decision.place, 0)) for decision in found)
    return single + sum(b.contest.answers + max(b.taken, b.contest.answers) for b in together)
