"""A grammar (GBNF) of the queries that the SQL adapter may write over one schema.

Every name is one of the schema's, every column one of a table in the FROM it belongs to, tables join as `scopes`
says, aggregates stand where SQLite lets them, and both sides of a set operation have the same number of columns. So
whatever is decoded can be prepared on the database. One family of rules for each scope; the rules are in the .gbnf
files beside this one, in SQLite's dialect as sqlglot writes it. Not covered: outer joins, window functions, CASE,
subqueries in subqueries, correlated ones, common table
expressions.

Notation: https://github.com/ggml-org/llama.cpp/blob/master/grammars/README.md
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from string import Template
from typing import Literal

from dragoman.models.embedded.scopes import Join, Repeated, Scope, joins, joins_by_left, repeated, scopes
from dragoman.models.embedded.spelling import written
from dragoman.schema import Schema, Table

Order = Literal["from", "select"]

_MOST_SCOPES: Mapping[Order, int] = {"from": 250, "select": 150}
"""In SELECT-first order every scope is open until FROM is reached, which costs time at each token."""
_KINDS = ("query", "sub", "last", "one", "two", "three")
"""A whole query, a subquery of one column, and second halves of set operations: in a subquery, or by columns."""
_SUBQUERIES = {"scalar": '| "(" sub ")"', "list": "| sub", "exists": '| ("NOT ")? "EXISTS(" sub ")"'}


@lru_cache(maxsize=8)
def grammar(schema: Schema, order: Order = "from") -> str:
    """The grammar of one query over `schema`, preceded by a space; `root` is its first rule.

    Raises `ValueError` for a schema without a column.
    """
    tables = _tables(schema)
    if not tables:
        raise ValueError("a schema without columns has no queries")
    ways = joins(tables, schema)
    found = scopes(len(tables), ways, _MOST_SCOPES[order])
    twice = list(repeated(tables, schema))
    first = _from_first if order == "from" else _select_first
    rules = first(tables, ways, found, twice)
    return "\n".join(('root ::= " " (query | counted)', *rules, *_columns(tables), _text("words"))) + "\n"


def _tables(schema: Schema) -> list[Table]:
    """Tables with columns, the first of those that are spelt alike."""
    named: dict[str, Table] = {}
    for table in schema:
        if table.columns:
            named.setdefault(written(table.name), table)
    return list(named.values())


def _columns(tables: Sequence[Table]) -> Iterator[str]:
    """One rule a table: its columns."""
    for number, table in enumerate(tables):
        yield f"table{number} ::= {_either(_quoted(written(column.name)) for column in table.columns)}"


def _from_first(
    tables: Sequence[Table], ways: Sequence[Join], found: Sequence[Scope], twice: Sequence[Repeated]
) -> Iterator[str]:
    numbers = {scope: number for number, scope in enumerate(found)}
    by_left = joins_by_left(ways)
    for kind in _KINDS:
        starts = [f"{_quoted(written(t.name))} {kind}{numbers[frozenset([n])]}" for n, t in enumerate(tables)]
        starts += [f"{_quoted(text)} {kind}{n}" for n, each in enumerate(twice, len(found)) for text in each.froms]
        yield f'{kind} ::= "FROM " ({_either(starts)})'
    yield 'counted ::= "FROM (" query ") SELECT COUNT(*)"'
    for scope, number in numbers.items():
        wider = [
            (f" JOIN {written(tables[way.right].name)} ON {way.on}", numbers[scope | {way.right}])
            for left in sorted(scope)
            for way in by_left.get(left, ())
            if way.right not in scope and scope | {way.right} in numbers
        ]
        further = {kind: "".join(f"{_quoted(text)} {kind}{to} | " for text, to in wider) for kind in _KINDS}
        yield _rules("from", s=number, **further)
        yield _scope(number, _columns_of(scope, tables))
    for number, each in enumerate(twice, len(found)):
        yield _rules("from", s=number, **dict.fromkeys(_KINDS, ""))
        yield _scope(number, _qualified(each.members))


def _select_first(
    tables: Sequence[Table], ways: Sequence[Join], found: Sequence[Scope], twice: Sequence[Repeated]
) -> Iterator[str]:
    by_left, count = joins_by_left(ways), len(found) + len(twice)
    for kind in _KINDS:
        yield f'{kind} ::= "SELECT " ({_either(f"{kind}{number}" for number in range(count))})'
    yield 'counted ::= "SELECT COUNT(*) FROM (" query ")"'
    for number, scope in enumerate(found):
        starts = (f"{_quoted(f' FROM {written(tables[n].name)}')} {_path(number, frozenset([n]))}" for n in scope)
        yield f"from{number} ::= {_either(starts)}"
        yield from _paths(number, scope, tables, by_left)
        yield _rules("select", s=number)
        yield _scope(number, _columns_of(scope, tables))
    for number, each in enumerate(twice, len(found)):
        yield f"from{number} ::= {_either(_quoted(f' FROM {text}') for text in each.froms)}"
        yield _rules("select", s=number)
        yield _scope(number, _qualified(each.members))


def _path(number: int, reached: Scope) -> str:
    return f"from{number}-{'-'.join(map(str, sorted(reached)))}"


def _paths(number: int, scope: Scope, tables: Sequence[Table], by_left: Mapping[int, Sequence[Join]]) -> Iterator[str]:
    """Rules that join the rest of `scope` to every part of it that one can have reached."""
    waiting, seen = [frozenset([table]) for table in sorted(scope)], set[Scope]()
    while waiting:
        reached = waiting.pop()
        if reached in seen:
            continue
        seen.add(reached)
        further = []
        for way in (way for left in sorted(reached) for way in by_left.get(left, ())):
            if way.right in scope and way.right not in reached:
                then = reached | {way.right}
                further.append(
                    f"{_quoted(f' JOIN {written(tables[way.right].name)} ON {way.on}')} {_path(number, then)}"
                )
                waiting.append(then)
        yield f"{_path(number, reached)} ::= {_either(further) or _quoted('')}"


def _scope(number: int, columns: str) -> str:
    """Everything over one scope but its queries."""
    nested = _rules("facts", s=number, n=number, **_SUBQUERIES)
    flat = _rules("facts", s=number, n=f"-in{number}", **dict.fromkeys(_SUBQUERIES, ""))
    return "\n".join((_rules("scope", s=number, columns=columns), nested, flat))


def _columns_of(scope: Scope, tables: Sequence[Table]) -> str:
    """The columns of one table stand bare, those of several behind the table's name."""
    if len(scope) == 1:
        return _either(f"table{number}" for number in scope)
    return _qualified([(written(tables[number].name), number) for number in sorted(scope)])


def _qualified(members: Sequence[tuple[str, int]]) -> str:
    return _either(f"{_quoted(f'{name}.')} table{number}" for name, number in members)


def _either(alternatives: Iterator[str] | Sequence[str]) -> str:
    return " | ".join(dict.fromkeys(alternatives))


@cache
def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


@cache
def _text(name: str) -> str:
    lines = files(__package__).joinpath(f"grammar_{name}.gbnf").read_text("utf-8").splitlines()
    return "\n".join(line for line in lines if line and not line.startswith("#"))


def _rules(name: str, **names: object) -> str:
    return Template(_text(name)).substitute(names)
