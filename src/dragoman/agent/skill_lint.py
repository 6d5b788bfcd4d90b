"""Is a skill general? It must hold for databases and dialects that its writer has not seen."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

from dragoman.agent.skills import Skill
from dragoman.agent.tools import TOOLS
from dragoman.agent.trajectory import Trajectory
from dragoman.schema import Schema
from dragoman.statistics import similarity_matrix

LONGEST = 12_000
"""Characters of a strategy (DivSkill-SQL, Table 6)."""
ALIKE = 0.85
"""Skills whose trajectories are that similar behave like repeats of one skill (section 4.4: 0.73 to 0.89)."""

_IDENTIFIER = re.compile(r"\b[A-Za-z]\w*_\w+\b|\b[a-z]+[A-Z]\w*\b|\b[a-z]\w*\.[a-z]\w*\b")
_CALL = re.compile(r"\b([A-Za-z_]\w*)\(")
_NAME = re.compile(r"\w+")
_STANDARD = frozenset(
    "count sum avg min max coalesce nullif cast row_number rank dense_rank lag lead abs".split()  # noqa: SIM905
)


@dataclass(frozen=True, slots=True)
class Finding:
    """What is wrong with a skill: the rule it breaks, and a sentence."""

    skill: str
    rule: str
    message: str


def lint_skill(skill: Skill, schemas: Sequence[Schema] = ()) -> tuple[Finding, ...]:
    """What makes a skill less general than it must be; `schemas` are of databases whose names must not be in it.

    Everyday words are no names: a table or column counts if it is written like an identifier, or has several words.
    """
    found = [*_length(skill), *_names(skill, schemas), *_functions(skill)]
    if not skill.when:
        found.append(("when", "It does not say when to use it."))
    return tuple(Finding(skill.label, rule, message) for rule, message in found)


def near_duplicates(runs: Mapping[str, Mapping[str, Trajectory]], limit: float = ALIKE) -> tuple[Finding, ...]:
    """Pairs of skills whose recorded trajectories (by skill, then by question) are too alike."""
    names, matrix = list(runs), similarity_matrix(runs)
    return tuple(
        Finding(
            name,
            "near-duplicate",
            f"It works like {names[j]}: their trajectories are {matrix[i][j]:.2f} alike (at most {limit:.2f}).",
        )
        for i, name in enumerate(names)
        for j in range(i)
        if matrix[i][j] >= limit
    )


def _length(skill: Skill) -> Iterable[tuple[str, str]]:
    if len(skill.body) > LONGEST:
        yield "length", f"It has {len(skill.body):,} characters; {LONGEST:,} are allowed."


def _names(skill: Skill, schemas: Sequence[Schema]) -> Iterable[tuple[str, str]]:
    written = dict.fromkeys(match[0] for match in _IDENTIFIER.finditer(skill.body))
    for word in written:
        if word.lower() not in TOOLS and word.lower() not in _STANDARD:
            yield "name", f"{word} is written like the name of a table or column. Say it in plain words."
    text = f" {' '.join(_NAME.findall(skill.body.lower()))} "
    for name in sorted({name for schema in schemas for name in _special_names(schema)} - {w.lower() for w in written}):
        if f" {name} " in text:
            yield "name", f"{name} is a table or column of a database. Say it in plain words."


def _special_names(schema: Schema) -> Iterable[str]:
    """Names, in lower case, that are no everyday words: those with digits or several words."""
    for table in schema:
        for name in (table.name, *(column.name for column in table.columns)):
            words = _NAME.findall(name.lower())
            if len(words) > 1 or any(not word.isalpha() for word in words):
                yield " ".join(words)


def _functions(skill: Skill) -> Iterable[tuple[str, str]]:
    called = {match[1].lower() for match in _CALL.finditer(skill.body)} - _STANDARD - TOOLS.keys()
    said = {word.lower() for word in _NAME.findall(skill.body)} & _dialect_functions()
    for name in sorted(called | said):
        yield "function", f"{name} is a function or word of some dialects only. Say what it is for."


@cache
def _dialect_functions() -> frozenset[str]:
    return frozenset(resources.files("dragoman.agent").joinpath("dialect_functions.txt").read_text("utf-8").split())
