"""Names proposed without a model: short forms and runs spelled out, after the words that stand near."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from statistics import geometric_mean

from dragoman.refine.expand_word import Reading, Surroundings, expand_word, likeness, within
from dragoman.refine.name_problem import Names
from dragoman.refine.propose import COUNT, Proposal, Proposed, Proposer, sift
from dragoman.refine.subject import Subject
from dragoman.refine.surroundings import surroundings
from dragoman.refine.topics import sort
from dragoman.refine.value_kind import value_kind
from dragoman.refine.vocabulary import filler, is_word, looks_like_word, name_words, plural, singular, snake

Ranked = tuple[float, Proposed]
WITH_TABLE, WITHOUT_FILLER, WITHOUT_TAIL, FROM_COMMENT, FROM_VALUES, WITH_IS = 0.8, 0.9, 0.75, 0.6, 0.5, 0.7
"""What a name is worth that is made in this way, beside the spelled-out name."""
LIKELY = 0.5
"""The least weight of a reading of a part, beside that of the likeliest one."""
RIVAL = 2.0
"""How fast the readings of a part lose where one is likelier."""
REFERRED = 0.9
"""The least weight of a reading that is the name of a table, where `id` follows."""
_KEYS = frozenset({"id", "no", "nr", "num", "nbr", "number", "key", "code", "cd"})
WITH_FILLER = 0.55
"""What a table's name is worth with the words that it can do without."""
MOST_WORDS = 5
_BEAM = 12


def propose_offline(names: Names, count: int = COUNT) -> Proposer:
    """A proposer that spells out what is short, by a list of short forms, a vocabulary and the surroundings.

    Further names put the table's word before a name that is too general, leave out what says nothing, or come from
    the comment or from what the values look like. Each has a reason. The same subject gives the same names.
    """

    def propose(subject: Subject) -> Proposal:
        ranked = list(_table_names(subject) if subject.column is None else _column_names(subject))
        ranked.sort(key=lambda item: -item[0])
        kept, rejects = sift((proposed for _, proposed in ranked), subject.place, names, count)
        rejects = tuple(item for item in rejects if item.name.lower() != subject.name.lower())
        failure = "" if kept else "no word is known for a part of the name, and nothing near it says more"
        return Proposal(subject.place, kept, rejects, failure)

    return lambda subjects: [propose(subject) for subject in subjects]


def expansions(name: str, near: Surroundings) -> tuple[tuple[float, tuple[str, ...], str], ...]:
    """(weight, words, reason) of the likeliest readings of a whole name, at most a dozen, the best first."""
    beam: list[tuple[Reading, ...]] = [()]
    parts = _parts(name)
    head = max((number for number, part in enumerate(parts) if not part.isdigit()), default=0)
    before = replace(near, against=near.against & sort("texts"))  # values and type speak of the last word above all
    for number, part in enumerate(parts):
        likely = expand_word(part, near if number == head else before)
        if parts[number + 1 : number + 2] and parts[number + 1] in _KEYS and not looks_like_word(part):
            referred = sorted(_referred(part, near), key=lambda reading: (-reading.weight, reading.words))
            likely = (*referred, *(reading for reading in likely if reading.words not in {r.words for r in referred}))
        best = max(reading.weight for reading in likely)
        kept = [reading for reading in likely if reading.weight >= LIKELY * best]
        likely = tuple(replace(r, weight=min(best, 1.0) * (r.weight / best) ** RIVAL) for r in kept)
        longer = [(*readings, reading) for readings in beam for reading in likely]
        beam = sorted(longer, key=_weight, reverse=True)[:_BEAM]
    return tuple((_weight(found), tuple(w for r in found for w in r.words), _reason(found)) for found in beam if found)


def _referred(part: str, near: Surroundings) -> Iterator[Reading]:
    """What a part before `id` stands for where it is short for the name of a table: its word, or its initials."""
    for words in dict.fromkeys(near.tables):
        told = f"{part} may be short for the table of {' '.join(words)}"
        if len(words) == 1 and 1 < len(part) < len(words[0]) - 1 and words[0][0] == part[0] and within(part, words[0]):
            yield Reading(words, REFERRED + (1 - REFERRED) * likeness(part, words[0]), told)
        elif len(words) > 1 and part == "".join(word[0] for word in words):
            yield Reading(words, 1.0, told)


def _parts(name: str) -> list[str]:
    """The words of a name; a digit that follows a single letter stays with it, as in `m3`."""
    parts: list[str] = []
    for word in name_words(name):
        if word.isdigit() and parts and len(parts[-1]) == 1:
            parts[-1] += word
        else:
            parts.append(word)
    return parts


def _weight(readings: Sequence[Reading]) -> float:
    return geometric_mean([reading.weight for reading in readings]) if readings else 0.0


def _reason(readings: Sequence[Reading]) -> str:
    return ", ".join(dict.fromkeys(reading.reason for reading in readings if reading.reason))


def _column_names(subject: Subject) -> Iterator[Ranked]:
    near = surroundings(subject)
    found = expansions(subject.name, near)
    owner = _owner(subject)
    for weight, words, reason in found:
        yield weight, Proposed(snake(_tidy(words)), _sentence(reason or "the words of the name"))
        short = [word for word in words if word not in filler()["flags"]]
        if short and len(short) < len(words):
            yield (
                weight * WITHOUT_FILLER,
                Proposed(snake(short), _sentence("without what says how it is stored", reason)),
            )
            kind = value_kind(subject.samples)
            if kind and kind.name == "flag" and len(set(subject.samples)) == 2:
                yield weight * WITH_IS, Proposed(snake(["is", *short]), _sentence("it has two values", reason))
        if len(words) > 1 and words[-1] in filler()["tails"] and words[:-1] != (owner,):
            yield weight * WITHOUT_TAIL, Proposed(snake(words[:-1]), _sentence(f"{words[-1]} says little", reason))
        if owner and (len(words) == 1 or _is_short_of_words(words)) and owner not in words:
            told = f"{' '.join(words)} alone is too general; a row of the table is one {owner}."
            yield weight * WITH_TABLE, Proposed(snake([owner, *words]), told)
    best = found[0][0] if found else 0.0
    if phrase := _phrase(subject.column.comment if subject.column else ""):
        yield max(FROM_COMMENT, best * FROM_COMMENT), Proposed(snake(phrase), "the words of its comment.")
    kind = value_kind(subject.samples)
    if kind and owner != kind.words[0] and not set(kind.words) & {word for _, words, _ in found[:1] for word in words}:
        what = kind.words[0]
        told = f"the values look like {kind.name.replace('_', ' ')}."
        yield FROM_VALUES * (1 - best / 2), Proposed(snake([owner, what] if owner else [what]), told)


def _table_names(subject: Subject) -> Iterator[Ranked]:
    near = surroundings(subject)
    many = _plural_style(subject)
    for weight, words, reason in expansions(subject.name, near):
        told = _sentence(reason or "the words of the name")
        lean = [word for word in words if word not in filler()["tables"]]
        if lean:
            yield weight, Proposed(snake(_counted(lean, many)), told)
        yield weight * WITH_FILLER, Proposed(snake(words), told)
    if phrase := _phrase(subject.table.comment):
        yield FROM_COMMENT, Proposed(snake(_counted(phrase, many)), "the words of its comment.")


def _sentence(*parts: str) -> str:
    return "; ".join(filter(None, parts)) + "."


def _tidy(words: Sequence[str]) -> list[str]:
    """The words without one that follows itself."""
    return [word for number, word in enumerate(words) if not number or word != words[number - 1]]


def _is_short_of_words(words: Sequence[str]) -> bool:
    return all(len(word) < 3 for word in words)


def _owner(subject: Subject) -> str:
    """What a row of the table is, in one word; "" where its name does not say."""
    found = expansions(subject.table.name, Surroundings())
    words = [word for word in (found[0][1] if found else ()) if word not in filler()["tables"]]
    return singular(words[-1]) if words and is_word(words[-1]) else ""


def _phrase(comment: str) -> list[str]:
    """The words of a comment up to its first stop, where they are few enough for a name; none otherwise."""
    first = re.split(r"[,;:.(\n]|\s-\s", comment, maxsplit=1)[0].lower()
    words = [word for word in re.findall(r"[^\W_]+", first) if word not in filler()["comments"]]
    return words if 0 < len(words) < MOST_WORDS and all(map(looks_like_word, words)) else []


def _plural_style(subject: Subject) -> bool:
    """Whether most of the other tables that end in a known word have it in the plural."""
    last = [name_words(name)[-1:] for name in subject.tables if name != subject.name]
    votes = Counter(singular(word[0]) != word[0] for word in last if word and is_word(word[0]))
    return votes[True] > votes[False]


def _counted(words: Sequence[str], many: bool) -> list[str]:
    last = singular(words[-1])
    return [*words[:-1], plural(last) if many and is_word(last) else words[-1]]
