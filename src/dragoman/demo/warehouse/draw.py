"""How the values of a column are drawn: rules as schema.sql writes them behind its columns."""

from __future__ import annotations

import datetime
import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from importlib.resources import files
from typing import Any

from dragoman.demo.dice import Bag, Dice

Row = dict[str, Any]
Draw = Callable[[Row, int], Any]
"""(the row so far, its number from 0) -> the value."""


@dataclass(frozen=True, slots=True)
class Scene:
    """What rules draw from: `tables` that are filled, and the shard with its first and last day."""

    dice: Dice
    tables: Mapping[str, Sequence[Row]]
    shard: str
    first: datetime.date
    last: datetime.date


def drawing(rule: str, type_: str, scene: Scene) -> Draw:
    """The rule ready to draw values of the SQL type. Raises `KeyError` for a rule that nobody knows."""
    name, _, rest = rule.partition(" ")
    return RULES[name](rest, type_, scene)


def words(name: str) -> Any:
    """A list of words.json."""
    return json.loads(files(__package__).joinpath("words.json").read_text(encoding="utf-8"))[name]


def _serial(rest: str, _: str, scene: Scene) -> Draw:
    """serial FIRST [shard]: counts up, in a shard behind its digits."""
    start, _, sharded = rest.partition(" ")
    first = int(start) + (10_000 * int(re.sub(r"\D", "", scene.shard)) if sharded else 0)
    return lambda row, number: first + number


def _nth(column: str, _: str, __: Scene) -> Draw:
    """nth COLUMN: 1 for the first row with the value that stands in the column, 2 for the second."""
    seen: Counter[Any] = Counter()

    def draw(row: Row, _: int) -> int:
        seen[row[column]] += 1
        return seen[row[column]]

    return draw


def _one(rest: str, type_: str, scene: Scene) -> Draw:
    """one of A B C: all equally likely."""
    items = [_literal(text, type_) for text in rest.removeprefix("of ").split()]
    return lambda row, number: scene.dice.pick(items)


def _weighted(rest: str, type_: str, scene: Scene) -> Draw:
    """weighted A:3 B:1: as likely as the numbers say."""
    parts = (text.rpartition(":") for text in rest.split())
    bag = Bag(*((_literal(text, type_), int(weight)) for text, _, weight in parts))
    return lambda row, number: scene.dice.weighted(bag)


def _cycle(rest: str, type_: str, _: Scene) -> Draw:
    """cycle A B C: one after the other, and from the start again."""
    items = [_literal(text, type_) for text in rest.split()]
    return lambda row, number: items[number % len(items)]


def _every(rest: str, type_: str, scene: Scene) -> Draw:
    """every N A B C, or every N @TABLE.COLUMN: each N times in a row."""
    times, *texts = rest.split()
    items = _column(texts[0][1:], scene) if texts[0][0] == "@" else [_literal(text, type_) for text in texts]
    return lambda row, number: items[number // int(times)]


def _number(rest: str, _: str, scene: Scene) -> Draw:
    """number LOW HIGH: whole."""
    low, high = map(int, rest.split())
    return lambda row, number: scene.dice.between(low, high)


def _money(rest: str, _: str, scene: Scene) -> Draw:
    """money LOW HIGH: with two decimals."""
    low, high = (100 * int(part) for part in rest.split())
    return lambda row, number: Decimal(scene.dice.between(low, high)).scaleb(-2)


def _scaled(rest: str, _: str, scene: Scene) -> Draw:
    """scaled COLUMN LOW HIGH: the column's value times something between, with two decimals."""
    column, low, high = rest.split()
    least, most = (int(1000 * float(part)) for part in (low, high))
    return lambda row, number: (row[column] * scene.dice.between(least, most) / 1000).quantize(Decimal("0.01"))


def _flag(rest: str, _: str, scene: Scene) -> Draw:
    """flag P: true with this probability."""
    return lambda row, number: scene.dice.chance(float(rest))


def _day(rest: str, _: str, scene: Scene) -> Draw:
    """day [FIRST LAST]: without days, those of the shard."""
    first, last = map(datetime.date.fromisoformat, rest.split()) if rest else (scene.first, scene.last)
    return lambda row, number: first + datetime.timedelta(scene.dice.below((last - first).days + 1))


def _moment(rest: str, type_: str, scene: Scene) -> Draw:
    """moment [FIRST LAST]: a second of these days."""
    day = _day(rest, type_, scene)
    return lambda row, number: _at(day(row, number), scene.dice.below(86_400))


def _same(rest: str, _: str, scene: Scene) -> Draw:
    """same COLUMN SECONDS: less than this after the begin of the day that stands in the column."""
    column, seconds = rest.split()
    return lambda row, number: _at(row[column], scene.dice.below(int(seconds)))


def _plus(rest: str, _: str, scene: Scene) -> Draw:
    """plus COLUMN LOW HIGH [hours]: so many days, or hours, later; NULL after NULL."""
    column, low, high, *unit = rest.split()

    def draw(row: Row, _: int) -> Any:
        much = scene.dice.between(int(low), int(high))
        return row[column] and row[column] + (datetime.timedelta(hours=much) if unit else datetime.timedelta(much))

    return draw


def _written(rest: str, type_: str, scene: Scene) -> Draw:
    """written FORMAT RULE: a day as text."""
    form, _, rule = rest.partition(" ")
    day = drawing(rule, type_, scene)
    return lambda row, number: day(row, number).strftime(form)


def _text(rest: str, _: str, __: Scene) -> Draw:
    """text FORMAT: with the number of the row, from 1."""
    return lambda row, number: rest.format(number + 1)


def _name(rest: str, _: str, scene: Scene) -> Draw:
    """name LIST: one of a list of words.json."""
    items = words(rest)
    return lambda row, number: scene.dice.pick(items)


def _from(rest: str, _: str, scene: Scene) -> Draw:
    """from TABLE.COLUMN [during DAY]: a value that stands there; {} in the table's name is the shard.

    With a column of days, one of a row whose day lies in the time of the shard.
    """
    place, _, day = rest.replace("{}", scene.shard).partition(" during ")
    table, _, column = place.rpartition(".")
    items = [row[column] for row in scene.tables[table] if not day or scene.first <= row[day] <= scene.last]
    return lambda row, number: scene.dice.pick(items)


def _popular(rest: str, _: str, scene: Scene) -> Draw:
    """popular TABLE.COLUMN: like from, but some values far more often."""
    items = scene.dice.shuffled(_column(rest, scene))
    return lambda row, number: items[scene.dice.low(len(items))]


def _of(rest: str, _: str, scene: Scene) -> Draw:
    """of TABLE.COLUMN KEY: the value of a row there whose KEY is that of this row."""
    place, key = rest.split()
    table, _, column = place.rpartition(".")
    found: defaultdict[Any, list[Any]] = defaultdict(list)
    for other in scene.tables[table]:
        found[other[key]].append(other[column])
    return lambda row, number: scene.dice.pick(found[row[key]])


def _chance(rest: str, type_: str, scene: Scene) -> Draw:
    """chance P RULE: else NULL."""
    probability, _, rule = rest.partition(" ")
    value = drawing(rule, type_, scene)
    return lambda row, number: value(row, number) if scene.dice.chance(float(probability)) else None


def _when(rest: str, type_: str, scene: Scene) -> Draw:
    """when COLUMN VALUE RULE: NULL in other rows."""
    column, wanted, rule = rest.split(" ", 2)
    value = drawing(rule, type_, scene)
    return lambda row, number: value(row, number) if row[column] == wanted else None


def _record(rest: str, _: str, scene: Scene) -> Draw:
    """record A=RULE; B=RULE: a struct. Inside another one, commas part the fields."""
    parts = (part.split("=", 1) for part in rest.split("; " if "; " in rest else ", "))
    fields = {name: drawing(rule, "", scene) for name, rule in parts}
    return lambda row, number: {name: draw(row, number) for name, draw in fields.items()}


def _list(rest: str, _: str, scene: Scene) -> Draw:
    """list N RULE: up to N values."""
    most, _, rule = rest.partition(" ")
    value = drawing(rule, "", scene)
    return lambda row, number: [value(row, number) for _ in range(scene.dice.between(0, int(most)))]


RULES: Mapping[str, Callable[[str, str, Scene], Draw]] = {
    "serial": _serial,
    "nth": _nth,
    "one": _one,
    "weighted": _weighted,
    "cycle": _cycle,
    "every": _every,
    "number": _number,
    "money": _money,
    "scaled": _scaled,
    "flag": _flag,
    "day": _day,
    "moment": _moment,
    "same": _same,
    "plus": _plus,
    "written": _written,
    "text": _text,
    "name": _name,
    "from": _from,
    "popular": _popular,
    "of": _of,
    "chance": _chance,
    "when": _when,
    "record": _record,
    "list": _list,
}


def value_of(text: Any, type_: str) -> Any:
    """A value of lookups.json, or a literal of a rule, as the SQL type has it."""
    if text is None or type_ in ("TEXT", "BOOLEAN"):
        return text
    if type_ == "DATE":
        return datetime.date.fromisoformat(text)
    return Decimal(str(text)) if type_.startswith("DECIMAL") else int(text)


def _literal(text: str, type_: str) -> Any:
    """Inside records no type is known: what looks like a number is one."""
    if not type_ or (type_[-1] in ")]" and not type_.startswith("DECIMAL")):
        return int(text) if re.fullmatch(r"[1-9]\d*", text) else text
    return value_of(text, type_)


def _column(place: str, scene: Scene) -> list[Any]:
    table, _, column = place.rpartition(".")
    return [row[column] for row in scene.tables[table]]


def _at(day: datetime.date, second: int) -> datetime.datetime:
    return datetime.datetime(day.year, day.month, day.day) + datetime.timedelta(seconds=second)
