"""Texts that speak of a schema - evidence, comments - follow its names through a refinement."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from dragoman.refine.vocabulary import looks_like_word
from dragoman.schema import Schema
from dragoman.sql.catalog import catalog_of
from dragoman.sql.rename import Names

_STRING = r"'(?:[^']|'')*'(?!\w)"
_QUOTES = {"`": "`", '"': '"', "[": "]"}
_USED = re.compile(r"\s*(?:[=<>!+*/%]|-\s|\bIN\b|\bIS\b|\bLIKE\b|\bBETWEEN\b)", re.IGNORECASE)
_USED_BEFORE = re.compile(r"(?:[=<>+*/(]|\b(?:SUM|AVG|MIN|MAX|COUNT|WHERE|AND|OR|BY|DISTINCT)\b)\s*$", re.IGNORECASE)


def follow_names(text: str, schema: Schema, names: Names) -> str:
    """`text` with the old names that stand in it replaced by the new ones, all else as it was.

    `names` are a refinement's.
    A name is replaced where it is written as one: qualified by its table, in backticks, brackets or double quotes, or
    bare if it is no plain word (`cst_no`) or stands where SQL has a name (`type = 'x'`, `SUM(amount)`). Strings in
    single quotes are values and stay. A name that two tables share and that changes differently is replaced only where
    the text names one of these tables.
    """
    folded, catalog = text.lower(), catalog_of(schema)
    tables = {catalog.key(table): table.name for table in schema} if any(not column for _, column in names) else {}
    if not any((column or tables.get(table, table)).lower() in folded for table, column in names):
        return text
    known = _Known(schema, names, text)
    return known.pattern.sub(known.replacement, text)


class _Known:
    """The old names that a text may hold, and what each becomes."""

    def __init__(self, schema: Schema, names: Names, text: str) -> None:
        catalog = catalog_of(schema)
        mentioned = {t.name for t in schema if re.search(rf"(?<!\w){re.escape(t.name)}(?!\w)", text, re.IGNORECASE)}
        self.text = text
        self.tables: dict[str, str] = {}
        self.qualified: dict[tuple[str, str], str] = {}
        meanings: dict[str, dict[str, str]] = {}
        for table in schema:
            key, folded = catalog.key(table), table.name.lower()
            if (key, "") in names:
                self.tables[folded] = names[key, ""]
            for column in table.columns:
                new = names.get((key, column.name), column.name)
                self.qualified[folded, column.name.lower()] = new
                meanings.setdefault(column.name.lower(), {})[table.name] = new
        self.bare = {name: new for name, by_table in meanings.items() if (new := _one(by_table, mentioned))}
        owners = _either(table.name for table in schema)
        owner = rf"(?P<open>[`\"\[]?)(?<!\w)(?P<table>{owners})(?!\w)(?P<close>[`\"\]]?)\."
        words = _either({*self.tables, *meanings})
        name = rf"(?P<left>[`\"\[]?)(?<!\w)(?P<name>{words})(?!\w)(?P<right>[`\"\]]?)"
        self.pattern = re.compile(rf"{_STRING}|(?:{owner})?{name}", re.IGNORECASE)

    def replacement(self, match: re.Match[str]) -> str:
        name = match["name"]
        if name is None:
            return match[0]
        folded, table = name.lower(), (match["table"] or "").lower()
        if table:
            new = self.qualified.get((table, folded), name)
            owner = self.tables.get(table, match["table"])
            return f"{match['open']}{owner}{match['close']}.{match['left']}{new}{match['right']}"
        return f"{match['left']}{self._new(match, folded, name)}{match['right']}"

    def _new(self, match: re.Match[str], folded: str, name: str) -> str:
        quoted = _QUOTES.get(match["left"], "") == match["right"] != ""
        before, after = self.text[: match.start("name")], self.text[match.end("name") :]
        used = bool(_USED.match(after) or _USED_BEFORE.search(before))
        if folded in self.bare and (quoted or used or _is_code(name)):
            return self.bare[folded]
        if folded in self.tables and (quoted or _is_code(name) or after.startswith(".")):
            return self.tables[folded]
        return name


def _one(by_table: Mapping[str, str], mentioned: set[str]) -> str:
    """What a column's name becomes without its table, "" where that is not one thing."""
    choice = {new for table, new in by_table.items() if table in mentioned} or set(by_table.values())
    return choice.pop() if len(choice) == 1 else ""


def _either(names: Iterable[str]) -> str:
    """A pattern for any of the names, the longest first."""
    return "|".join(re.escape(name) for name in sorted(names, key=lambda name: (-len(name), name)))


def _is_code(name: str) -> bool:
    """Whether the name would not be written in plain English."""
    return not looks_like_word(name.lower()) or not name.isalpha()
