"""Spider's exact set match, as its public evaluation computes it.

Source: Yu et al., "Spider: A Large-Scale Human-Labeled Dataset for Complex and Cross-Domain Semantic Parsing and
Text-to-SQL Task", EMNLP 2018, and the evaluation published with it. Flaws kept: values, DISTINCT, the number behind
LIMIT, the conditions of joins and the tables of grouping columns do not count; columns that a foreign key links are
one; only a small part of SQL can be read, and whatever else is written equals the empty query.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

from dragoman.metrics.case import Case, Outcome
from dragoman.metrics.gold import GoldFailed
from dragoman.schema import Schema
from dragoman.sql.spider_clauses import Clauses, Conditions, spider_clauses

Column = tuple[str, str]


def spider_exact_set(case: Case) -> Outcome:
    """1 if every clause of the two queries is equal as a set. Nothing is executed; only the first gold query counts.

    Raises `GoldFailed` where the gold query itself lies outside what Spider's parser reads.
    """
    schema = case.database.schema()
    gold = spider_clauses(case.example.sql, schema)
    if gold is None:
        raise GoldFailed("The gold query is outside the part of SQL that this rule reads.")
    predicted = spider_clauses(case.sql, schema)
    linked = linked_columns(schema)
    match = clauses_match(_linked(gold, linked), _linked(predicted or Clauses(), linked))
    return Outcome(float(match), "" if predicted else "The query is outside the part of SQL that this rule reads.")


def clauses_match(gold: Clauses, predicted: Clauses) -> bool:
    """Whether two queries are equal clause by clause. Columns must be unified already."""
    return (
        Counter(gold.select) == Counter(predicted.select)
        and Counter(gold.where.units) == Counter(predicted.where.units)
        and set(gold.where.connectors) == set(predicted.where.connectors)
        and _groups_match(gold, predicted)
        and _orders_match(gold, predicted)
        and gold.operator == predicted.operator
        and (gold.branch is None or (predicted.branch is not None and clauses_match(gold.branch, predicted.branch)))
        and keywords(gold) == keywords(predicted)
        and (not gold.tables or Counter(gold.tables) == Counter(predicted.tables))
    )


def keywords(clauses: Clauses) -> frozenset[str]:
    """The words that a query uses."""
    conditions = [*clauses.joins.units, *clauses.where.units, *clauses.having.units]
    connectors = {*clauses.joins.connectors, *clauses.where.connectors, *clauses.having.connectors}
    present = {
        "where": bool(clauses.where.units),
        "group": bool(clauses.group),
        "having": bool(clauses.having.units),
        "order": bool(clauses.order),
        str(clauses.order[0]) if clauses.order else "": bool(clauses.order),
        "limit": clauses.limit is not None,
        clauses.operator: bool(clauses.operator),
        "or": "or" in connectors,
        "not": any(condition[0] for condition in conditions),
        "in": any(condition[1] == "in" for condition in conditions),
        "like": any(condition[1] == "like" for condition in conditions),
    }
    return frozenset(word for word, used in present.items() if used)


def linked_columns(schema: Schema) -> dict[Column, Column]:
    """Every column of a foreign key -> the one that stands for all that are linked with it."""
    root: dict[Column, Column] = {}
    for table, key in schema.foreign_keys:
        for name, target in zip(key.columns, key.target_columns, strict=False):
            ends = sorted(_find(root, (t.lower(), c.lower())) for t, c in ((table.name, name), (key.target, target)))
            root[ends[1]] = ends[0]
    return {column: _find(root, column) for column in root}


def _groups_match(gold: Clauses, predicted: Clauses) -> bool:
    if Counter(unit[-1] for unit in gold.group) != Counter(unit[-1] for unit in predicted.group):
        return False
    return not gold.group or (gold.group == predicted.group and gold.having == predicted.having)


def _orders_match(gold: Clauses, predicted: Clauses) -> bool:
    if not gold.order:
        return not predicted.order
    return gold.order == predicted.order and (gold.limit is None) == (predicted.limit is None)


def _find(root: Mapping[Column, Column], column: Column) -> Column:
    while root.get(column, column) != column:
        column = root[column]
    return column


def _linked(part: Any, linked: Mapping[Column, Column]) -> Any:
    """A copy in which linked columns are one."""
    if isinstance(part, Clauses | Conditions):
        return replace(part, **{f.name: _linked(getattr(part, f.name), linked) for f in fields(part)})
    if not isinstance(part, tuple):
        return part
    if part[:1] == ("column",):
        return (*part[:2], *linked.get(part[2:], part[2:]))
    return tuple(_linked(item, linked) for item in part)
