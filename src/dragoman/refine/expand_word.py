"""What a part of a name may stand for: a word, a short form of one, or several of both in a run."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from statistics import geometric_mean

from dragoman.refine.topics import topics_of
from dragoman.refine.vocabulary import (
    filler,
    is_form,
    is_word,
    looks_like_word,
    name_words,
    plural,
    short_forms,
    singular,
    snake,
    tiers,
)

LISTED = (0.9, 0.55, 0.4, 0.3)
"""Weights of the readings of a short form, the likeliest first."""
TIER = {1: 1.0, 2: 0.8, 3: 0.6}
NEAR, TOPIC, AGAINST = 1.5, 0.5, 0.35
"""What a word gains that stands near by (for a weight of 1), what it gains where its topic does, and the factor for one
that the values speak against."""
IN_A_RUN, TWO_LETTERS, SHORTEST_RUN, LIKELY = 0.8, 0.8, 5, 0.4
"""Factors for every cut of a run and for a piece of two letters; the fewest letters of a run; and the weight of a
single word from which a run is half as likely."""
GUESSED, UNREAD = 0.5, 0.05
"""Weights of a part that stays as it is: where it looks like a word that is not known, and where it does not."""
UNLISTED = 0.6
"""Weight of a word that is in no list and stands near."""
_KEPT = 6
_VOWELS = frozenset("aeiou")


@dataclass(frozen=True, slots=True)
class Reading:
    """What a part may stand for. `weight` compares readings of one part; `reason` is a part of a sentence."""

    words: tuple[str, ...]
    weight: float
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What stands near a name: words, each with (weight from 0 to 1, where), and their topics, weighed alike.

    Values and type speak against the words and terms of `against`. `tables` are the words of each table's name.
    """

    near: Mapping[str, tuple[float, str]] = field(default_factory=dict)
    against: frozenset[str] = frozenset()
    topics: Mapping[str, float] = field(default_factory=dict)
    tables: tuple[tuple[str, ...], ...] = ()

    def weigh(self, reading: Reading) -> Reading:
        """The reading with what speaks for it and against it."""
        weight, reasons = reading.weight, [reading.reason] if reading.reason else []
        words = {*map(singular, reading.words), snake(reading.words)}
        if found := [self.near[word] for word in words if word in self.near]:
            share, where = max(found)
            weight *= 1 + NEAR * share
            reasons.append(where)
        elif shared := [self.topics[topic] for topic in topics_of(words) if topic in self.topics]:
            weight *= 1 + TOPIC * max(shared)
        if self.against & words:
            weight *= AGAINST
        return Reading(reading.words, weight, "; ".join(reasons))


def expand_word(word: str, surroundings: Surroundings = Surroundings()) -> tuple[Reading, ...]:
    """The readings of one part of a name in lower case, the likeliest first; never none."""
    found: dict[tuple[str, ...], Reading] = {}
    for reading in map(surroundings.weigh, (*_readings(word), *_near(word, surroundings))):
        known = found.get(reading.words)
        if known is None or known.weight < reading.weight:
            found[reading.words] = reading
    ranked = sorted(found.values(), key=lambda reading: (-reading.weight, reading.words))
    return tuple(ranked[:_KEPT])


def is_readable(name: str) -> bool:
    """Whether every part of a name is a number or reads as a word, and none is a run with a short form in it."""
    return all(part.isdigit() or (looks_like_word(part) and not _is_run(part)) for part in name_words(name))


@lru_cache(1 << 14)
def _is_run(part: str) -> bool:
    """Whether a part that is no known word falls into words and listed short forms."""
    known = [pieces for pieces in segment(part) if all(is_word(p) or p in short_forms() for p in pieces)]
    return not is_form(part) and bool(known)


def _near(word: str, surroundings: Surroundings) -> Iterator[Reading]:
    """Words that stand near and are in no list, which a part may be short for, in the singular."""
    if looks_like_word(word) or word in short_forms() or not word.isalpha():
        return
    for near in surroundings.near:
        other = near[:-1] if near.endswith("s") and not near.endswith("ss") else near
        if len(other) > 3 and other not in tiers() and not _is_run(other) and (weight := likeness(word, other)):
            yield Reading((other,), weight * UNLISTED, f"{word} may be {other} cut short")


def _readings(word: str) -> Iterator[Reading]:
    if word.isdigit() or looks_like_word(word):
        yield Reading((word,), 1.0 if is_form(word) or not word.isascii() else GUESSED)
    listed = tuple(_listed(word))
    yield from listed
    if is_form(word):
        return
    if word.isascii() and word.isalpha():
        yield from _shortened(word)
        if not listed:
            yield from _plurals(word)
            yield from _run(word)
    yield Reading((word,), UNREAD)


def _listed(word: str) -> Iterator[Reading]:
    for weight, long in zip(LISTED, short_forms().get(word, ()), strict=False):
        parts = tuple(long.split("_"))
        yield Reading(parts, weight * (0.6 if is_word(word) else 1.0), f"{word} is short for {' '.join(parts)}")


def _shortened(word: str) -> Iterator[Reading]:
    for other in _same_first(word[0]):
        if weight := likeness(word, other):
            yield Reading((other,), weight * TIER[tiers()[other]], f"{word} may be {other} cut short")


def _plurals(word: str) -> Iterator[Reading]:
    if not word.endswith("s") or len(word) < 3:
        return
    sure = 0.9 if len(word) > 3 else 0.6
    for reading in (*_listed(word[:-1]), *_shortened(word[:-1])):
        if reading.reason and len(reading.words) == 1:
            yield Reading((plural(reading.words[0]),), sure * reading.weight, f"{reading.reason}, in the plural")


def likeness(short: str, word: str) -> float:
    """How well a word's own letters explain a shorter form of it: cut off, or left out; 0 if they do not."""
    if len(short) < 2 or len(short) >= len(word) or short[0] != word[0]:
        return 0.0
    bones = skeleton(word)
    close = math.sqrt(math.sqrt(len(short) / len(word)))
    if word.startswith(short):
        return (0.3 if len(short) == 2 else 0.7 if len(short) == 3 else 0.8) * close
    if short == bones or short == _without_vowels(word):
        return (0.35 if len(short) == 2 else 0.8) * close
    if len(short) < 3 or not within(short, word):
        return 0.15 * close if len(short) == 2 and within(short, word) and short[-1] == word[-1] else 0.0
    if bones.startswith(short) or (short[-1] == word[-1] and within(short, bones)):
        return 0.55 * close
    if within(bones, short):
        return 0.65 * close
    return (0.45 if short[-1] == word[-1] else 0.25) * close


def skeleton(word: str) -> str:
    """The first letter and the consonants after it, repeated ones once."""
    kept = word[0]
    for letter in word[1:]:
        if letter not in _VOWELS and letter != kept[-1]:
            kept += letter
    return kept


def _without_vowels(word: str) -> str:
    return word[0] + "".join(letter for letter in word[1:] if letter not in _VOWELS)


def within(short: str, word: str) -> bool:
    """Whether the letters of one stand in the other in their order."""
    letters = iter(word)
    return all(letter in letters for letter in short)


def _run(run: str) -> Iterator[Reading]:
    """Readings of parts that were written without anything between them, as in `custnm`."""
    whole = max((reading.weight for reading in _shortened(run)), default=0.0)
    for pieces in segment(run) if len(run) >= SHORTEST_RUN else ():
        readings = [max(_single(piece), key=lambda reading: reading.weight) for piece in pieces]
        words = tuple(word for reading in readings for word in reading.words)
        fits = [
            reading.weight * (TWO_LETTERS if len(piece) == 2 else 1)
            for piece, reading in zip(pieces, readings, strict=True)
        ]
        weight = geometric_mean(fits) * IN_A_RUN ** (len(pieces) - 1) * (1.0 if whole < LIKELY else 0.5)
        told = ", ".join(reading.reason for reading in readings if reading.reason)
        yield Reading(words, weight, f"{run} is {' + '.join(pieces)}" + (f", {told}" if told else ""))


def _single(piece: str) -> Iterator[Reading]:
    """Readings of a part that is no run itself."""
    if is_word(piece):
        yield Reading((piece,), 1.0)
    yield from (*_listed(piece), *_shortened(piece), *_plurals(piece), Reading((piece,), UNREAD))


def segment(run: str) -> Sequence[tuple[str, ...]]:
    """The best ways to cut a run of letters into words and short forms, at most two; none if a rest is left."""
    costs = _pieces()
    best: list[list[tuple[float, tuple[str, ...]]]] = [[(0.0, ())]]
    for end in range(1, len(run) + 1):
        ways = [
            (cost + costs[run[start:end]], (*pieces, run[start:end]))
            for start in range(max(0, end - 15), end)
            if run[start:end] in costs
            for cost, pieces in best[start]
        ]
        best.append(sorted(ways)[:2])
    return [pieces for _, pieces in best[-1] if len(pieces) > 1] if run else []


@cache
def _pieces() -> Mapping[str, float]:
    """What a run can be made of, with its cost: less for words than for short forms, less for common ones."""
    found: dict[str, float] = {}
    for word, tier in tiers().items():
        forms = [(word, 1.6 + 0.3 * tier)]
        if tier < 3:
            forms += [(skeleton(word), 2.6 + 0.3 * tier), *((word[:n], 3.0 + 0.3 * tier) for n in (3, 4, 5))]
        if tier == 1:
            forms.append((plural(word), 2.0))
        for form, cost in forms:
            if len(form) > 2 or (form == word and len(word) > 1):
                found[form] = min(cost, found.get(form, cost))
    for short in short_forms():
        found[short] = min(2.4 if len(short) > 2 else 2.9, found.get(short, 9.0))
    return found


@cache
def _same_first(letter: str) -> Sequence[str]:
    return tuple(word for word in tiers() if word[0] == letter and word not in filler()["comments"])
