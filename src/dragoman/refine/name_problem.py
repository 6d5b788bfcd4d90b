"""Why a proposed name will not do."""

from __future__ import annotations

import re
from functools import cache
from importlib import resources

from dragoman.refine.admissible import length_problem, taken_by
from dragoman.refine.refinement import Place, Refinement
from dragoman.refine.scope import Scopes
from dragoman.schema import Schema
from dragoman.sql.quote import quote

MOST_LETTERS = 48
"""Longer names cost more tokens than they tell."""
_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_ALIAS = re.compile(r"[A-Za-z]\d*|t\d+", re.IGNORECASE)
_UPPER = frozenset({"snowflake", "oracle"})


class Names:
    """Judges proposed names against one schema as it is."""

    def __init__(self, schema: Schema, scopes: Scopes | None = None) -> None:
        self.scopes = scopes or Scopes(schema)
        self._dialect = schema.dialect
        self._tables = {table.name.lower() for table in schema}

    def spelled(self, name: str) -> str:
        """The name in the case that the engine gives to names without quotes."""
        return name.upper() if self._dialect in _UPPER else name

    def problem(self, name: str, place: Place) -> str:
        """Why the name will not do for the column or table, in a part of a sentence; "" if it will.

        It must be a plain word that needs no quotes in the dialect, short enough for the engine and for a prompt, no
        alias and no function, different from the old name, from all tables and from all names in scope, whatever the
        case of the letters.
        """
        folded = name.lower()
        if not _PLAIN.fullmatch(name):
            return "it is not made of letters, digits and underscores"
        if _ALIAS.fullmatch(name):
            return "it reads like an alias"
        if problem := length_problem(name, self._dialect):
            return problem
        if len(name) > MOST_LETTERS:
            return f"it is longer than {MOST_LETTERS} letters"
        if folded == self.scopes.name(place).lower():
            return "it is the name that is there"
        if quote(self.spelled(name), self._dialect) != self.spelled(name):
            return "it is a reserved word or would need quotes"
        if folded in _bare_words():
            return "SQL has a function or word of that name"
        if place[1] and folded in self._tables:
            return "a table has that name"
        rival = taken_by(name, place, self.scopes, Refinement())
        return f"{'.'.join(filter(None, rival))} has that name" if rival else ""


@cache
def _bare_words() -> frozenset[str]:
    text = resources.files("dragoman.refine").joinpath("words/bare_words.txt").read_text("utf-8")
    return frozenset(word for line in text.splitlines() if not line.startswith("#") for word in line.split())
