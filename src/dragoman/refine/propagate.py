"""A key's new name reaches the columns that refer to it."""

from __future__ import annotations

from dataclasses import replace

from dragoman.refine.admissible import length_problem, taken_by
from dragoman.refine.refinement import Place, Refinement
from dragoman.refine.scope import Scopes, links
from dragoman.refine.vocabulary import name_words, snake
from dragoman.schema import Schema


class Keys:
    """The columns of one schema that refer to others, found once."""

    def __init__(self, schema: Schema, scopes: Scopes | None = None) -> None:
        self.scopes = scopes or Scopes(schema)
        self._dialect = schema.dialect
        self._pairs = [(one, other) for one, other in dict.fromkeys(links(schema)) if one != other]
        self._referring: dict[Place, list[Place]] = {}
        self._referred: dict[Place, list[Place]] = {}
        for one, other in self._pairs:
            self._referring.setdefault(other, []).append(one)
            self._referred.setdefault(one, []).append(other)

    def is_referred(self, place: Place) -> bool:
        """Whether a foreign key refers to the column."""
        return place in self._referring

    def propagate(self, place: Place, refinement: Refinement) -> Refinement:
        """`refinement`, which renames `place`, with the new name taken along all chains of keys that lead to it.

        A name of its own that a referring column had is replaced: the root of a chain names it (EGRefine, section
        III-F, which follows one hop only). A column keeps its name where the new one is taken in its scope, or where
        its own says a role (`home_team_id` becomes `home_club_id` and not `club_id`; `approved_by` stays).
        """
        if place not in self._referring:
            return refinement
        columns = dict(refinement.columns)
        waiting, seen = [place], {place}
        while waiting:
            key = waiting.pop(0)
            for referring in self._referring.get(key, ()):
                made = replace(refinement, columns=columns)
                if referring in seen or self.problem(referring, key, made):
                    continue
                seen.add(referring)
                columns[referring] = self.inherited(referring, key, made)
                waiting.append(referring)
        kept = {where: name for where, name in columns.items() if name != where[1]}
        return replace(refinement, columns=kept)

    def inherited(self, referring: Place, key: Place, refinement: Refinement) -> str:
        """The name that a column would take from a key it refers to, "" where its own name says a role."""
        new = refinement.columns.get(key, key[1])
        return inherited_name(referring[1], key[1], new, self.scopes.name((key[0], "")))

    def problem(self, referring: Place, key: Place, refinement: Refinement) -> str:
        """Why a column cannot take the name it would inherit, "" if it can."""
        name = self.inherited(referring, key, refinement)
        if not name:
            return "its own name says a role"
        if refinement.columns.get(referring, referring[1]) == name:
            return ""
        if problem := length_problem(name, self._dialect):
            return problem
        rest = {other: new for other, new in refinement.columns.items() if other != referring}
        rival = taken_by(name, referring, self.scopes, replace(refinement, columns=rest))
        return f"{'.'.join(rival)} has or had that name" if rival else ""

    def followed(self, place: Place, refinement: Refinement) -> Place | None:
        """The renamed key that a column refers to and shares the inherited name with, None if there is none."""
        for key in self._referred.get(place, ()):
            named = refinement.columns.get(place, place[1])
            if key in refinement.columns and named == self.inherited(place, key, refinement):
                return key
        return None

    def followers(self, refinement: Refinement) -> dict[Place, Place]:
        """Column -> the renamed key it follows."""
        return {place: key for place in self._referred if (key := self.followed(place, refinement))}

    def strays(self, refinement: Refinement) -> dict[Place, str]:
        """Column -> one sentence why it does not follow the renamed key it refers to, so that the two names differ."""
        following = self.followers(refinement)
        return {
            one: f"{'.'.join(one)} does not follow {'.'.join(other)} to {refinement.columns[other]}: "
            f"{self.problem(one, other, refinement) or 'it has a name of its own'}."
            for one, other in self._pairs
            if other in refinement.columns and one not in following
        }


def inherited_name(own: str, old: str, new: str, table: str) -> str:
    """What a referring column called `own` becomes when the key it refers to goes from `old` to `new`; "" for no name.

    The key's new name where both had the same one, or where the old says nothing more than the key and its table do;
    with the role before it where there was a role before the key's old name.
    """
    if own.lower() == old.lower():
        return new
    words, key, fresh = name_words(own), name_words(old), name_words(new)
    if len(words) > len(key) and words[-len(key) :] == key:
        role = [word for word in words[: -len(key)] if not _stands_for(word, [*fresh, *name_words(table)])]
        return snake([*role, *fresh]) if role else new
    known = [*fresh, *key, *name_words(table)]
    return new if all(_stands_for(word, known) for word in words) else ""


def _stands_for(short: str, words: list[str]) -> bool:
    """Whether a word is one of the words, or a short form of one: its letters in that order, the first one first."""
    return any(word.startswith(short[0]) and _within(short, word) for word in words)


def _within(short: str, word: str) -> bool:
    letters = iter(word)
    return all(letter in letters for letter in short)
