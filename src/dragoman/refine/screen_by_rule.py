"""Screening by rules, which needs no model (EGRefine, signals S1 to S4, and one of ours)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from math import hypot

from dragoman.refine.expand_word import is_readable
from dragoman.refine.refinement import Place, tables_by_key
from dragoman.refine.screen import Judge, Judgement
from dragoman.refine.subject import Subject
from dragoman.schema import Schema

Embed = Callable[[Sequence[str]], Sequence[Sequence[float]]]
"""Texts to vectors of one length."""

SHORT, ALIKE, MINORITY, GENERIC, UNREADABLE = "S1", "S2", "S3", "S4", "S5"
SENTENCES = {
    SHORT: "S1: the name is very short",
    ALIKE: "S2: another name of the schema means nearly the same",
    MINORITY: "S3: it is written in another style than most names",
    GENERIC: "S4: the name alone is too general",
    UNREADABLE: "S5: a part of it is neither a word nor a number",
}
NO_EMBEDDINGS = "S2 (names that mean nearly the same) was not looked at: it needs a model that makes embeddings."


@dataclass(frozen=True, slots=True)
class Rules:
    """Which signals count, and their thresholds; `PAPER_RULES` are the paper's own.

    `shortest` is the longest name that counts as short, in letters. `cosine` is the likeness from which two names are
    alike; `whole` is the longest name that is embedded with its table. `primary_keys` lets these in, and `homonyms`
    names that several tables have with different types; the paper's rule mode leaves out both.
    """

    signals: tuple[str, ...] = (SHORT, ALIKE, MINORITY, GENERIC, UNREADABLE)
    shortest: int = 3
    cosine: float = 0.85
    whole: int = 5
    primary_keys: bool = True
    homonyms: bool = True


PAPER_RULES = Rules((SHORT, ALIKE, MINORITY, GENERIC), primary_keys=False, homonyms=False)


def screen_by_rule(schema: Schema, rules: Rules = Rules(), embed: Embed | None = None) -> Judge:
    """A judge that keeps a name where any signal speaks for it. S2 is left out without `embed` (see `rule_notes`)."""
    tables = [table for table in tables_by_key(schema).values() if table.kind == "table"]
    styles = Counter(style(column.name) for table in tables for column in table.columns)
    bearers = Counter(name for table in tables for name in {column.name.lower() for column in table.columns})
    table_styles = Counter(style(table.name) for table in tables)
    alike = _alike(schema, rules, embed) if embed and ALIKE in rules.signals else frozenset()

    def judge(subject: Subject) -> Judgement:
        name = subject.name
        if subject.column and subject.column.primary_key and not rules.primary_keys:
            return Judgement(False)
        if subject.column and bearers[name.lower()] > 1 and not rules.homonyms:
            return Judgement(False)
        found = {
            SHORT: len(name) <= rules.shortest,
            ALIKE: subject.place in alike,
            MINORITY: _is_minority(style(name), styles if subject.column else table_styles),
            GENERIC: name.lower() in _generic(),
            UNREADABLE: not is_readable(name),
        }
        signals = tuple(SENTENCES[signal] for signal in rules.signals if found[signal])
        return Judgement(bool(signals), signals)

    return lambda subjects: [judge(subject) for subject in subjects]


def rule_notes(rules: Rules = Rules(), embed: Embed | None = None) -> tuple[str, ...]:
    """What a run by these rules does not look at, in sentences."""
    return (NO_EMBEDDINGS,) if ALIKE in rules.signals and embed is None else ()


def style(name: str) -> str:
    """How a name is written: ALLCAPS, snake_case, camelCase, alllower, or other."""
    letters = re.sub(r"[\d_]", "", name)
    if letters and letters.isupper():
        return "ALLCAPS"
    if "_" in name and name == name.lower():
        return "snake_case"
    if letters != letters.lower() and " " not in name:
        return "camelCase"
    return "alllower" if name == name.lower() and letters.isalpha() else "other"


def _is_minority(own: str, styles: Mapping[str, int]) -> bool:
    """Whether most names are in another style. A single word in lower case is in snake case, too."""
    if len(styles) < 2:
        return False
    most = max(styles, key=lambda found: (styles[found], found))
    return own != most and {own, most} != {"snake_case", "alllower"}


def _alike(schema: Schema, rules: Rules, embed: Embed) -> frozenset[Place]:
    places = [(key, column.name) for key, table in tables_by_key(schema).items() for column in table.columns]
    texts = [column if len(column) > rules.whole else f"{table}.{column}" for table, column in places]
    vectors = [_unit(vector) for vector in embed(texts)]
    found: set[Place] = set()
    for number, (place, vector) in enumerate(zip(places, vectors, strict=True)):
        for other, second in zip(places[:number], vectors[:number], strict=True):
            same = place[1].lower() == other[1].lower()
            if not same and sum(a * b for a, b in zip(vector, second, strict=True)) >= rules.cosine:
                found |= {place, other}
    return frozenset(found)


def _unit(vector: Sequence[float]) -> Sequence[float]:
    length = hypot(*vector)
    return [value / length for value in vector] if length else vector


@cache
def _generic() -> frozenset[str]:
    text = resources.files("dragoman.refine").joinpath("words/generic.txt").read_text("utf-8")
    return frozenset(word for line in text.splitlines() if not line.startswith("#") for word in line.split())
