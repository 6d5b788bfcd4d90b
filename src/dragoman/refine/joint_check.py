"""The whole refinement at once, on questions that no name was chosen by: renames that hurt together are dropped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dragoman.refine.contest import Court
from dragoman.refine.flips import Flips, flips, own_net
from dragoman.refine.refinement import Place
from dragoman.refine.resolve_conflicts import Choice, Resolved, resolve_conflicts
from dragoman.schema import Schema


@dataclass(frozen=True, slots=True)
class JointCheck:
    """`resolved` is what is left. `first` are the flips of the whole refinement, `last` those of what is left.

    `dropped` says of each place that was given up why. `questions` were put to each verifier.
    """

    resolved: Resolved
    questions: int
    first: Flips
    last: Flips
    dropped: Mapping[Place, str]


def joint_check(court: Court, schema: Schema, choices: Sequence[Choice], numbers: Sequence[int]) -> JointCheck:
    """Try all names together on the questions `numbers`, and give names up until the old ones are not better.

    Names act on each other: two columns may come to look alike, and a prompt changes for every question (EGRefine,
    remark 3). While fewer answers are right than under the old names, the name goes whose own questions lost most; if
    none lost any, the one with the least gain. `choices` hold the chosen name of each place with its gain.
    """
    judged = [n for n in numbers if n not in court.unjudged]
    cells = court.cells(judged)
    left = [choice for choice in choices if choice.names]
    resolved = resolve_conflicts(schema, left)
    first = last = flips(court, cells, resolved.refinement)
    dropped: dict[Place, str] = {}
    while last.net < 0 and left:
        own = {choice.place: own_net(court, cells, last, choice.place, resolved.inherited) for choice in left}
        worst = min(left, key=lambda choice: (own[choice.place], choice.names[0][1]))
        lost = own[worst.place]
        reason = f"its own questions lost {-lost} answers" if lost < 0 else "it gained least"
        dropped[worst.place] = f"all names together lost {-last.net} of {last.answers} answers, and {reason}"
        left.remove(worst)
        resolved = resolve_conflicts(schema, left)
        last = flips(court, cells, resolved.refinement)
    return JointCheck(resolved, len(judged), first, last, dropped)
