"""Practice questions over a database: `practice`, by templates from a phrase book, and `written`, by hand.

The words come from practice/demo.toml, the ways to ask from practice/templates.toml; what is written by hand stands in
practice/written/. Every query is executed; none is kept that has the same form, whatever its constants, as a query of
the workload that measures the model.
"""

from __future__ import annotations

import calendar
import random
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from string import Template
from typing import Any
from zlib import crc32

from dragoman.databases import Database
from dragoman.errors import QueryError, Refused, Unreadable
from dragoman.questions import Example, Question
from dragoman.schema import Schema, Table
from dragoman.sql.plain import plain_sql

FOLDER = Path(__file__).parent / "practice"
MONTHS = calendar.month_name
CONSTANT = re.compile(r"'(?:[^']|'')*'|\d+(?:\.\d+)?")
HELD_OUT = 16
MOST_ROWS = 2000
"""Answers of more rows are no practice."""

Words = dict[str, str]


def practice(database: Database, seed: int, each: int = 40, avoid: Iterable[str] = ()) -> tuple[Example, ...]:
    """Up to `each` examples a kind of question, in random order, with no query that has the form of one in `avoid`.

    Reads the phrase book that has the database's name. Raises `KeyError` where it names what the schema lacks.
    """
    order = random.Random(seed)
    book = tomllib.loads((FOLDER / f"{database.name}.toml").read_text("utf-8"))
    kinds = tomllib.loads((FOLDER / "templates.toml").read_text("utf-8"))
    schema = database.schema()
    forbidden = {form(sql, schema) for sql in avoid}
    found: list[Example] = []
    seen: set[str] = set()
    words = list(all_words(book, schema, database, order))
    for kind, template in kinds.items():
        order.shuffle(words)
        kept = 0
        for choice in words:
            sql, text = Template(template["sql"]), Template(order.choice(template["ask"]))
            if kept >= each:
                break
            if not choice.keys() >= {*sql.get_identifiers(), *text.get_identifiers()}:
                continue
            query, question = sql.substitute(choice), tidy(text.substitute(choice))
            if question in seen or not good(query, database, forbidden):
                continue
            seen.add(question)
            found.append(Example(Question(question, id=f"practice-{kind}-{kept}"), query, database.name))
            kept += 1
    order.shuffle(found)
    return tuple(found)


def written(database: Database, avoid: Iterable[str] = (), held_out: bool = False) -> tuple[Example, ...]:
    """What people wrote: blocks of one query and, line by line, the ways to ask it; one example a way.

    A query that has the form of one in `avoid`, fails, or finds nothing is left out with its questions. One block in
    `HELD_OUT` is never practised: with `held_out` those come, instead of the others.
    """
    schema = database.schema()
    forbidden = {form(sql, schema) for sql in avoid}
    found: list[Example] = []
    for path in sorted((FOLDER / "written").glob("*.txt")):
        for number, block in enumerate(path.read_text("utf-8").strip().split("\n\n")):
            query, *questions = block.strip().split("\n")
            if (crc32(query.encode()) % HELD_OUT == 0) == held_out and good(query, database, forbidden):
                ids = (f"written-{path.stem}-{number}-{way}" for way in range(len(questions)))
                asked = (Question(tidy(text), id=name) for text, name in zip(questions, ids, strict=True))
                found += (Example(question, query, database.name) for question in asked)
    return tuple(found)


def good(query: str, database: Database, forbidden: set[str]) -> bool:
    """Whether it runs, has an answer that is not empty, and has no forbidden form."""
    try:
        if form(query, database.schema()) in forbidden:
            return False
        rows = database.execute(query)
    except (QueryError, Refused, Unreadable):
        return False
    return 0 < len(rows) <= MOST_ROWS and any(cell is not None for row in rows for cell in row)


def form(sql: str, schema: Schema) -> str:
    """The query in one spelling without its texts, numbers, and the digits in names."""
    return CONSTANT.sub("?", plain_sql(sql, schema)).lower()


def all_words(book: Mapping[str, Any], schema: Schema, database: Database, order: random.Random) -> Iterator[Words]:
    """What the placeholders of one question may stand for, a hundred draws a table and fifty a join."""
    entries = dict(_tables(book, schema))
    for name, entry in entries.items():
        for _ in range(100 if "_20" not in name else 12):
            yield _table_words(_table(schema, name), entry, database, order)
    for join in book["joins"]:
        for _ in range(50):
            yield _join_words(join, entries, schema, database, order)


def _tables(book: Mapping[str, Any], schema: Schema) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Entries by table name; one entry stands for all monthly tables, whose nouns get the month's name."""
    for name, entry in book.items():
        if name == "joins":
            continue
        if "*" not in name:
            yield name, entry
            continue
        pattern = re.compile(name.replace("*", r"(\d{4})_(\d\d)"))
        for table in schema:
            if match := pattern.fullmatch(table.name):
                month = f"{MONTHS[int(match[2])]} {match[1]}"
                yield table.name, {**entry, "many": [f"{many} of {month}" for many in entry["many"]]}


def _table_words(table: Table, entry: Mapping[str, Any], database: Database, order: random.Random) -> Words:
    columns, names = entry["name"].split(" | ")
    words = {"table": table.name, "columns": columns, "name": names, "one": entry["one"], "k": order.choice("2358")}
    words["many"] = order.choice(entry["many"])
    words["year"] = str(order.randint(2019, 2025))
    if "where" in entry:
        words["where"], words["condition"] = order.choice(list(entry["where"].items()))
    if "number" in entry:
        words["number"], phrases = order.choice(list(entry["number"].items()))
        words["quantity"], words["top"], words["bottom"] = phrases.split(" | ")
    if "group" in entry:
        words["group"], words["label"] = order.choice(list(entry["group"].items()))
        words |= _value(table.name, words["group"], database, order)
    if "date" in entry:
        words["date"], words["done"] = order.choice(list(entry["date"].items()))
    return words


def _join_words(
    join: Mapping[str, str], entries: Mapping[str, Any], schema: Schema, database: Database, order: random.Random
) -> Words:
    child, parent = _table(schema, join["child"]), _table(schema, join["parent"])
    key = next(k for k in child.foreign_keys if k.target.lower() == parent.name.lower() and len(k.columns) == 1)
    here, there = f"{child.name}.{key.columns[0]}", f"{parent.name}.{key.target_columns[0]}"
    mine = _table_words(child, entries[join["child"]], database, order)
    its = _table_words(parent, entries[join["parent"]], database, order)
    named = its["columns"].split(", ")
    words = {
        "child": child.name,
        "parent": parent.name,
        "on": f"{here} = {there}",
        "verb": join["verb"],
        "child_key": key.columns[0],
        "parent_id": there,
        "children": mine["many"],
        "child_columns": _qualified(child, mine["columns"]),
        "child_name": mine["name"],
        "parents": its["many"],
        "parent_one": its["one"],
        "parent_columns": _qualified(parent, its["columns"]),
        "parent_name": its["name"],
        "key": named[-1],
        "k": str(order.choice((1, 2, 3, 5, 10, 20))),
        **{word: mine[word] for word in ("number", "quantity") if word in mine and "(" not in mine[word]},
        **_value(parent.name, named[-1], database, order),
    }
    if "where" in mine:
        words |= {"child_where": mine["where"], "child_condition": _qualified_condition(child, mine["condition"])}
    if "where" in its:
        words |= {"parent_where": its["where"], "parent_condition": _qualified_condition(parent, its["condition"])}
    if "group" in its and "(" not in its["group"]:
        words |= {"parent_group": its["group"], "parent_label": its["label"]}
    return words


def _table(schema: Schema, name: str) -> Table:
    table = schema.table(name)
    if table is None:
        raise KeyError(f"The phrase book speaks of {name}, which the database lacks.")
    return table


def _value(table: str, column: str, database: Database, order: random.Random) -> Words:
    rows = database.execute(f"SELECT DISTINCT {column} FROM {table} WHERE {column} IS NOT NULL LIMIT 60")
    value = order.choice([row[0] for row in rows])
    text = str(value).replace("'", "''")
    return {"value": f"'{text}'" if isinstance(value, str) else text, "shown": str(value)}


def _qualified(table: Table, columns: str) -> str:
    return ", ".join(f"{table.name}.{column}" for column in columns.split(", "))


def _qualified_condition(table: Table, condition: str) -> str:
    names = "|".join(column.name for column in table.columns)
    return re.sub(rf"(?<![\w.'])({names})(?![\w'])", rf"{table.name}.\1", condition)


def tidy(question: str) -> str:
    """One space between words."""
    return " ".join(question.split())


def by_kind(examples: Iterable[Example]) -> dict[str, list[Example]]:
    """The examples by kind of question, to look at."""
    found: dict[str, list[Example]] = defaultdict(list)
    for example in examples:
        found[example.question.id.rsplit("-", 1)[0]].append(example)
    return dict(found)
