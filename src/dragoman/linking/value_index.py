"""Which values of the database does a question name? Distinct short texts, looked up by the question's words and their
other forms."""

from __future__ import annotations

import re
import sqlite3
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import cached_property, lru_cache
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

from dragoman.linking.one_edit import SHORTEST, is_one_edit, keys_within_one_edit
from dragoman.linking.other_forms import places_meant, singulars
from dragoman.linking.words import stop_words

Relevance = Callable[[str, str], float]
"""How much a question has to do with (table, column)."""

LONGEST_MATCH = 6
"""Words of a question that are looked up together."""
CANDIDATES = 60
"""Values of one half that are compared with a phrase."""
AT_ONCE = 500
"""Keys that one statement looks up."""
PLACES = 2
"""Columns that are named for one phrase."""
FORMAT = 5
"""Of the file; an index of another format is built anew."""

_WORD = re.compile(r"[\w'.&-]+")
_SELECT = 'SELECT p."table", p."column", v.value FROM named_value v JOIN place p ON p.id = v.place'
_SELECT_WHOLE = _SELECT.replace("SELECT ", "SELECT v.rowid, ") + " WHERE whole IN ({})"


class ValueHint(NamedTuple):
    """`value` stands in `column` of `table`, and the question names it."""

    table: str
    column: str
    value: str


class _Phrase(NamedTuple):
    """Words of a question from the place `start`, and the folded `forms` under which values are looked up."""

    start: int
    text: str
    forms: tuple[str, ...]


class ValueIndex:
    """Distinct values of the text columns in one SQLite file on disk, found by their folded form.

    The words of a question are looked up longest first; a word that was part of a match is not looked up again.
    Safe to use from several threads.
    """

    def __init__(self, path: Path) -> None:
        """Open an index that `build_value_index` wrote."""
        self.path = path

    def match(
        self, question: str, most: int = 4, edits: int = 0, relevance: Relevance | None = None
    ) -> tuple[ValueHint, ...]:
        """At most `most` hints, in the order in which longer phrases come first.

        With `edits` of 1, what is found nowhere as it is written may be one edit away from a value. Of many columns
        that hold a value the most relevant are named, without `relevance` the first.
        """
        words = [word.strip("'.-") for word in _WORD.findall(question)]
        phrases = [_Phrase(start, text, self._forms(words, start, text)) for start, text in _phrases(words)]
        with closing(self._open()) as index:
            exact = _exact(index, [form for phrase in phrases for form in phrase.forms], relevance)
            used: set[int] = set()
            hints = _take(phrases, lambda phrase: next((exact[f] for f in phrase.forms if f in exact), []), used)
            if edits:
                rest = [p for p in phrases if len(p.forms[0]) >= SHORTEST and not _is_loose(p.text)]
                hints += _take(rest, lambda phrase: _near(index, phrase.forms[0]), used)
        return tuple(hints[:most])

    def samples(self, most: int = 3) -> dict[tuple[tuple[str, ...], str], list[str]]:
        """The first `most` values of every column, by (full name of the table, column), for `schema_text`."""
        found: dict[tuple[tuple[str, ...], str], list[str]] = {}
        with closing(self._open()) as index:
            rows = index.execute(
                'SELECT p.namespace, p."table", p."column", v.value FROM place p JOIN named_value v'
                " ON v.rowid BETWEEN p.first AND p.first + ? - 1 AND v.place = p.id ORDER BY v.rowid",
                (most,),
            )
            for namespace, table, column, value in rows:
                name = (namespace, table) if namespace else (table,)
                found.setdefault((name, column), []).append(value)
        return found

    def _open(self) -> sqlite3.Connection:
        return sqlite3.connect(f"{self.path.resolve().as_uri()}?mode=ro", uri=True)

    @cached_property
    def _names(self) -> frozenset[str]:
        """The stems of all words in names of tables and columns."""
        with closing(self._open()) as index:
            return frozenset(word for (word,) in index.execute("SELECT word FROM name_word"))

    def _forms(self, words: Sequence[str], start: int, text: str) -> tuple[str, ...]:
        """The folded phrase itself, then what it may be called in the database."""
        end = start + text.count(" ") + 1
        said = fold(text)
        others = (said.removesuffix("'s"), *places_meant(words, start, end), *singulars(words, start, end, self._names))
        return said, *(f for f in dict.fromkeys(map(fold, others)) if f != said and f not in _plain_words())


def fold(text: str) -> str:
    """Case, accents and underscores away, so that "Sao Paulo" finds "São Paulo", and "page view" page_view."""
    folded = text.casefold().replace("_", " ")
    if not folded.isascii():
        folded = "".join(c for c in unicodedata.normalize("NFKD", folded) if not unicodedata.combining(c))
    return folded.strip()


def whole_key(folded: str) -> int:
    """The key by which a folded value is found as a whole."""
    return crc32(folded.encode("utf-8", "surrogatepass"))


def _exact(index: sqlite3.Connection, folded: Sequence[str], relevance: Relevance | None) -> dict[str, list[ValueHint]]:
    """`PLACES` values of each folded phrase that there are values of, in the order of the schema."""
    asked, found = set(folded) - {""}, dict[str, list[ValueHint]]()
    keys = sorted({whole_key(phrase) for phrase in asked})
    rows = (
        row
        for begin in range(0, len(keys), AT_ONCE)
        for row in index.execute(
            _SELECT_WHOLE.format(",".join("?" * len(keys[begin : begin + AT_ONCE]))), keys[begin : begin + AT_ONCE]
        )
    )
    for _, *row in sorted(rows):
        hint = ValueHint(*row)
        if (form := fold(hint.value)) in asked:
            found.setdefault(form, []).append(hint)
    return {form: _most_relevant(hints, relevance) for form, hints in found.items()}


def _most_relevant(hints: list[ValueHint], relevance: Relevance | None) -> list[ValueHint]:
    if relevance is None or len(hints) <= PLACES:
        return hints[:PLACES]
    chosen = sorted(hints, key=lambda hint: -relevance(hint.table, hint.column))[:PLACES]
    return [hint for hint in hints if hint in chosen]


def _near(index: sqlite3.Connection, folded: str) -> list[ValueHint]:
    """The first `PLACES` values that are one edit away."""
    found: dict[ValueHint, None] = {}
    for head, tail in keys_within_one_edit(folded):
        for column, key in (("head", head), ("tail", tail)):
            for row in index.execute(f"{_SELECT} WHERE {column} = ? ORDER BY v.rowid LIMIT {CANDIDATES}", (key,)):
                hint = ValueHint(*row)
                if is_one_edit(fold(hint.value), folded):
                    found[hint] = None
        if found:
            break
    return list(found)[:PLACES]


def _take(phrases: Sequence[_Phrase], find: Callable[[_Phrase], list[ValueHint]], used: set[int]) -> list[ValueHint]:
    """What `find` gives for the phrases, in order; places of words in `used` are passed over and added to."""
    hints: list[ValueHint] = []
    for phrase in phrases:
        span = range(phrase.start, phrase.start + phrase.text.count(" ") + 1)
        if used.isdisjoint(span) and (found := find(phrase)):
            hints += found
            used.update(span)
    return hints


def _phrases(words: list[str]) -> Iterator[tuple[int, str]]:
    """(place of the first word, phrase), longest first; single words only where they mean something alone."""
    for length in range(min(LONGEST_MATCH, len(words)), 0, -1):
        for start in range(len(words) - length + 1):
            phrase = " ".join(words[start : start + length])
            if length > 1 or (len(phrase) >= 2 and phrase.lower() not in stop_words() and phrase not in _pronouns()):
                yield start, phrase


@lru_cache
def _pronouns() -> frozenset[str]:
    """Short words that are names only in capitals: "owe us" does not speak of the US."""
    return frozenset(word for word in stop_words("function_words.txt") if len(word) <= 3)


def _is_loose(phrase: str) -> bool:
    """Whether the phrase begins or ends with a word that means nothing alone."""
    words = phrase.lower().split(" ")
    return words[0] in stop_words() or words[-1] in stop_words()


@lru_cache
def _plain_words() -> frozenset[str]:
    """Words for which no other form is looked up: "it's" does not speak of IT."""
    return stop_words() | stop_words("function_words.txt")
