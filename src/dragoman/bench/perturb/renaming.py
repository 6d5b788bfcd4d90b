"""Decides the new names of a schema's columns."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from dragoman.bench.perturb.abbreviate import by_list, by_rule
from dragoman.bench.perturb.synonym import synonym
from dragoman.bench.perturb.words import change_words
from dragoman.schema import Schema, Table
from dragoman.sql.quote import quote

ChangeWord = Callable[[str], str]

KINDS = ("rule", "list", "synonym")
"""Abbreviation by rule, abbreviation by a list, another word for the same."""


def renaming(schema: Schema, kind: str, random: Random, share: float = 1.0) -> dict[tuple[str, str], str]:
    """New names by (table, column), for base tables; a name gets the same new name wherever it stands.

    `share` of the names that can be changed are, drawn by `random`. A name stays where its new one alone would need
    quotes, or would equal another name of a table that has it, whatever the case of the letters.
    """
    change = word_change(kind, random)
    tables = [table for table in schema if table.kind == "table"]
    places: dict[str, list[Table]] = {}
    for table in tables:
        for column in table.columns:
            places.setdefault(column.name, []).append(table)
    taken = {id(table): {column.name.lower() for column in table.columns} for table in tables}
    found: dict[tuple[str, str], str] = {}
    for name, owners in places.items():
        new = change_words(name, change)
        quoted = quote(new, schema.dialect) != new and quote(name, schema.dialect) == name
        if new == name or quoted or random.random() >= share:
            continue
        if any(new.lower() in taken[id(owner)] - {name.lower()} for owner in owners):
            continue
        for owner in owners:
            taken[id(owner)].add(new.lower())
            found[owner.name, name] = new
    return found


def word_change(kind: str, random: Random) -> ChangeWord:
    """The change that `kind` makes to a word. By rule, a word that comes again is changed as it was before."""
    if kind == "list":
        return by_list
    if kind == "synonym":
        return synonym
    if kind != "rule":
        raise ValueError(f"no kind of perturbation is called {kind!r}")
    known: dict[str, str] = {}

    def change(word: str) -> str:
        if word not in known:
            known[word] = by_rule(word, random)
        return known[word]

    return change
