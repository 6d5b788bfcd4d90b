"""How well the words of a question and the clauses of a query go together, without a model."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import resources

LEAST_LETTERS = 3
"""Shorter words of a question say nothing about names."""
STEM = 5
"""Words that begin with the same five letters, an s at the end left out, are taken for the same word."""

_TEXT = re.compile(r"'(?:[^']|'')*'")
_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?![\w.])")
_QUOTED = re.compile(r"[\"“']([^\"“”']{2,60})[\"”'](?!\w)")
_CAPITAL = re.compile(r"(?<=[a-z,] )[A-Z][\w-]+")
_WORD = re.compile(r"[A-Za-z]+")
_KEYWORDS = frozenset(
    re.findall(
        r"\w+",
        "select from where join on as and or not in is null like between group by order limit having distinct union "
        "all intersect except case when then else end count sum avg min max asc desc inner left outer right cross "
        "exists cast with over partition offset",
    )
)


def question_fit(question: str, sql: str) -> dict[str, float | None]:
    """For each cue of cues.toml 0 (neither has it), 1 (the query alone), 2 (the question alone) or 3 (both); and

    `values_found`: the share of numbers, quoted words and names in the question that the query holds, None without
    any; `words_named`: the share of the question's words that are part of a name in the query; `names_asked`: the
    share of the words in the query's names that the question has.
    """
    asked, bare = question.lower(), _TEXT.sub("''", sql).upper()
    fit: dict[str, float | None] = {}
    for name, (says, holds) in _cues().items():
        fit[f"cue_{name}"] = 2.0 * bool(says.search(asked)) + bool(holds.search(bare))
    mentions = _mentions(question)
    held = sql.lower()
    fit["values_found"] = sum(m.lower() in held for m in mentions) / len(mentions) if mentions else None
    words, names = _stems(_WORD.findall(asked)), _stems(_named(sql))
    fit["words_named"] = len(words & names) / len(words) if words else None
    fit["names_asked"] = len(words & names) / len(names) if names else None
    return fit


def _mentions(question: str) -> tuple[str, ...]:
    found = (*_NUMBER.findall(question), *_QUOTED.findall(question), *_CAPITAL.findall(question))
    return tuple(dict.fromkeys(found))


def _named(sql: str) -> list[str]:
    """The words that the names of a query are made of."""
    parts = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", _TEXT.sub(" ", sql)).replace("_", " ")
    return [word for word in map(str.lower, _WORD.findall(parts)) if word not in _KEYWORDS]


def _stems(words: Iterable[str]) -> frozenset[str]:
    return frozenset(word.lower().rstrip("s")[:STEM] for word in words if len(word) >= LEAST_LETTERS)


@cache
def _cues() -> Mapping[str, tuple[re.Pattern[str], re.Pattern[str]]]:
    """Cue -> (what questions say, what queries hold)."""
    found = tomllib.loads(resources.files("dragoman.ensemble").joinpath("data/cues.toml").read_text("utf-8"))
    return {
        name: (re.compile(rf"\b(?:{'|'.join(map(re.escape, cue['says']))})\b"), re.compile(cue["holds"]))
        for name, cue in found.items()
    }
