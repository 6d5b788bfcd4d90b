"""One name for every column and table, no two alike in a scope."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from dragoman.refine.admissible import length_problem, taken_by
from dragoman.refine.propagate import Keys
from dragoman.refine.refinement import Place, Refinement
from dragoman.schema import Schema


@dataclass(frozen=True, slots=True)
class Choice:
    """The names that a column or table may take, the best first, each with its gain over the original."""

    place: Place
    names: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class Resolved:
    """An admissible refinement. `lost` says in one sentence, by place, why a name that was chosen is not in it.

    `inherited` gives the key that a referring column has its name from; `kept` says why another does not follow.
    """

    refinement: Refinement
    lost: Mapping[Place, str] = field(default_factory=dict)
    inherited: Mapping[Place, Place] = field(default_factory=dict)
    kept: Mapping[Place, str] = field(default_factory=dict)


def resolve_conflicts(schema: Schema, choices: Sequence[Choice]) -> Resolved:
    """Give names out by descending gain, each with all that refer to it; who finds a name taken takes its next best.

    EGRefine, section III-E, to a fixed point: a name is compared with all names in scope, whether they were changed,
    inherited or never touched, so nothing is left to revert in the end. Equal gains go by the schema's order, then by
    the order of the names. A column whose key is renamed takes the key's name in place of its own.
    """
    keys = Keys(schema)
    order = {place: number for number, place in enumerate(keys.scopes.places)}
    wishes = sorted(
        (-gain, order[choice.place], rank, choice.place, name)
        for choice in choices
        for rank, (name, gain) in enumerate(choice.names)
    )
    chosen: dict[Place, str] = {}
    lost: dict[Place, str] = {}
    state, given = Refinement(), True
    while given:
        given = False
        for _, _, _, place, name in wishes:
            if _name(state, place) or keys.followed(place, state):
                continue
            rival = taken_by(name, place, keys.scopes, state)
            problem = f"{_shown(rival)} has or had that name" if rival else length_problem(name, schema.dialect)
            if problem:
                lost.setdefault(place, f"{_shown(place)} cannot become {name}: {problem}.")
            else:
                given = True
                chosen[place] = name
                state = keys.propagate(place, _with(state, place, name))
                if keys.is_referred(place) and any(_name(state, other) != own for other, own in chosen.items()):
                    chosen, state = _without_inherited(chosen, keys)
    followers = keys.followers(state)
    for choice in choices:
        if choice.place in followers:
            lost[choice.place] = f"{_shown(choice.place)} follows {_shown(followers[choice.place])}."
        elif choice.names and _name(state, choice.place) == choice.names[0][0]:
            lost.pop(choice.place, None)
    return Resolved(state, lost, followers, keys.strays(state))


def _without_inherited(chosen: Mapping[Place, str], keys: Keys) -> tuple[dict[Place, str], Refinement]:
    """`chosen` without the columns that now inherit their name, and the refinement that the rest makes anew.

    So nothing follows a name any more that was replaced.
    """
    own = dict(chosen)
    while True:
        state = Refinement(
            {place: name for place, name in own.items() if place[1]},
            {table: name for (table, column), name in own.items() if not column},
        )
        for place in own:
            state = keys.propagate(place, state)
        kept = {place: name for place, name in own.items() if _name(state, place) == name}
        if kept == own:
            return own, state
        own = kept


def _with(refinement: Refinement, place: Place, name: str) -> Refinement:
    if place[1]:
        return replace(refinement, columns={**refinement.columns, place: name})
    return replace(refinement, tables={**refinement.tables, place[0]: name})


def _name(refinement: Refinement, place: Place) -> str | None:
    return refinement.columns.get(place) if place[1] else refinement.tables.get(place[0])


def _shown(place: Place) -> str:
    return ".".join(filter(None, place))
