"""The tables of the warehouse as they are written down in schema.sql and visits.sql."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from importlib.resources import files

LOOKUP = "lookup"

_TABLE = re.compile(r"CREATE TABLE ([^\s(]+) \((.*?)^\);", re.MULTILINE | re.DOTALL)
_COLUMN = re.compile(r"(\w*(?:\{[^}]*\})?\w*) (.+?)( PRIMARY KEY)?(?: REFERENCES ([\w.]+) \((\w+)\))?", re.DOTALL)
_RANGE = re.compile(r"\{(.*?)(\d+)\.\.\1(\d+)\}")
_ONLY = re.compile(r"\[([^\]]*?)\.\.([^\]]*)\] ?")
_DAY = "{day}"


@dataclass(frozen=True, slots=True)
class ColumnSpec:
    """One column; `rule` says how its values are drawn. It stands in shards from `first` to `last` ("" is open)."""

    name: str
    type: str
    rule: str = ""
    comment: str = ""
    key: bool = False
    refers: tuple[str, str] = ("", "")
    first: str = ""
    last: str = ""

    @property
    def nested(self) -> bool:
        """Whether values are structs, or arrays of them."""
        return self.type.startswith("STRUCT")


@dataclass(frozen=True, slots=True)
class TableSpec:
    """One table, `name` with its schema. `shard` is what its name has that its siblings' names have not, "" if none.

    `rows` is "lookup" where the rows are written down.
    """

    name: str
    columns: tuple[ColumnSpec, ...]
    rows: str = ""
    comment: str = ""
    shard: str = ""


def read_tables() -> tuple[TableSpec, ...]:
    """All tables but the daily ones, each after those that it draws from."""
    return tuple(_tables("schema.sql"))


def daily_tables() -> tuple[TableSpec, ...]:
    """The tables of visits, one for each day of 2024."""
    return tuple(_tables("visits.sql"))


def period(shard: str) -> tuple[datetime.date, datetime.date]:
    """First and last day of "2024", "2024q3", "202407", "2024_07" or "20240705"; of 2024 for ""."""
    digits = shard.replace("_", "")
    if len(digits) == 8:
        day = datetime.datetime.strptime(digits, "%Y%m%d").date()
        return day, day
    year = int(digits[:4] or 2024)
    first, last = 1, 12
    if "q" in digits:
        first, last = 3 * int(digits[5]) - 2, 3 * int(digits[5])
    elif len(digits) == 6:
        first = last = int(digits[4:])
    end = datetime.date(year + last // 12, last % 12 + 1, 1) - datetime.timedelta(1)
    return datetime.date(year, first, 1), end


def _tables(file: str) -> Iterator[TableSpec]:
    text = files(__package__).joinpath(file).read_text(encoding="utf-8")
    for name, body in _TABLE.findall(text):
        head, _, lines = body.partition("\n")
        rows, comment = _remark(head.removeprefix(" -- "))
        columns = [column for part in _parts(lines) for column in _columns(part)]
        for shard, filled in _expanded(name):
            kept = tuple(column for column in columns if _stands_in(column, shard))
            yield TableSpec(filled, kept, rows, comment, shard)


def _parts(lines: str) -> Iterator[tuple[str, str]]:
    """(definition, remark) of each column; a definition may take several lines."""
    waiting = ""
    for line in lines.splitlines():
        code, _, remark = line.strip().partition(" -- ")
        waiting = f"{waiting} {code}".strip()
        if waiting.count("(") == waiting.count(")"):
            yield waiting.removesuffix(","), remark
            waiting = ""


def _columns(part: tuple[str, str]) -> Iterator[ColumnSpec]:
    definition, remark = part
    found = _COLUMN.fullmatch(definition)
    if found is None:
        raise ValueError(f"not a column: {definition}")
    rule, comment = _remark(remark)
    only = _ONLY.match(rule)
    first, last = only.groups() if only else ("", "")
    refers = (found[4] or "", found[5] or "")
    type_ = re.sub(r"\( +| +\)", lambda bracket: bracket[0].strip(), found[2])
    spec = ColumnSpec("", type_, _ONLY.sub("", rule, 1), comment, bool(found[3]), refers, first, last)
    for _, name in _expanded(found[1]):
        yield replace(spec, name=name)


def _remark(text: str) -> tuple[str, str]:
    rule, _, comment = text.strip().partition(" -- ")
    return rule.strip(), comment.strip()


def _expanded(name: str) -> Iterator[tuple[str, str]]:
    """(what fills the braces, the name with it); ("", name) where there are none."""
    if _DAY in name:
        for number in range(366):
            day = f"{datetime.date(2024, 1, 1) + datetime.timedelta(number):%Y%m%d}"
            yield day, name.replace(_DAY, day)
        return
    found = _RANGE.search(name)
    if found is None:
        yield "", name
        return
    prefix, first, last = found.groups()
    for number in range(int(first), int(last) + 1):
        filled = f"{prefix}{number:0{len(first)}d}"
        yield filled, name.replace(found[0], filled)


def _stands_in(column: ColumnSpec, shard: str) -> bool:
    return column.first <= shard and (not column.last or shard <= column.last)
