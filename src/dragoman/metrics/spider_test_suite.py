"""Spider's execution accuracy on test suites, as its public evaluation computes it.

Source: Zhong, Yu and Klein, "Semantic Evaluation for Text-to-SQL with Distilled Test Suites", EMNLP 2020, and the
evaluation published with it. Flaws kept: the order of rows counts wherever the gold text says "order by", also inside
a subquery, and never forgives ties; columns may stand in any order; DISTINCT is taken out of both queries; two empty
results are equal whatever their columns; floats must be equal to the last digit; every "value" in the predicted text
becomes "1" and every YEAR(CURDATE()) 2020; bytes that are not UTF-8 are dropped. Without further databases this is
the single-database mode, which accepts too much.
"""

from __future__ import annotations

import re
from dataclasses import replace

from dragoman.databases.database import Database, Rows
from dragoman.errors import QueryError, Unreadable
from dragoman.metrics.case import Case, Outcome
from dragoman.metrics.digest import digest_query
from dragoman.metrics.flags import Flags
from dragoman.metrics.rows_match import rows_match
from dragoman.metrics.undecodable import without_undecodable
from dragoman.sql.without_distinct import without_distinct

_THIS_YEAR = re.compile(r"YEAR\s*\(\s*CURDATE\s*\(\s*\)\s*\)\s*", re.IGNORECASE)
EXACT = Flags(column_order=False, relative=0, absolute=0)


def spider_test_suite(case: Case) -> Outcome:
    """1 if the results are equal on the database and on all its neighbours. Only the first gold query counts.

    `case.published["keep_distinct"]` leaves DISTINCT where it is. The published evaluation stops at a gold query that
    fails; here it raises `GoldFailed`.
    """
    gold_sql, predicted_sql = _spaced(case.example.sql), _spaced(case.sql).replace("value", "1")
    ordered = "order by" in gold_sql.lower()
    for database in (case.database, *case.neighbours):
        gold, predicted = gold_sql, predicted_sql
        if not case.published.get("keep_distinct"):
            gold, predicted = _plain(gold, database.dialect), without_distinct(predicted, database.dialect)
        if not results_match(case.gold.rows(database, gold), _run(case, database, predicted), ordered):
            return Outcome(0.0, f"The results differ on {database.name}.")
    return Outcome(1.0)


def results_match(gold: Rows, predicted: Rows, ordered: bool) -> bool:
    """Whether the rows are equal under some order of the columns, exactly and with their duplicates."""
    if not gold.rows and not predicted.rows:
        return True
    sides = [Rows(side.columns, without_undecodable(side.rows), side.truncated) for side in (gold, predicted)]
    return rows_match(sides[0], sides[1], replace(EXACT, row_order=ordered))


def _spaced(sql: str) -> str:
    for apart, together in (("> =", ">="), ("< =", "<="), ("! =", "!=")):
        sql = sql.replace(apart, together)
    return _THIS_YEAR.sub("2020", sql)


def _plain(sql: str, dialect: str) -> str:
    try:
        return without_distinct(sql, dialect)
    except Unreadable:
        return sql  # it will fail on the database, and say so


def _run(case: Case, database: Database, sql: str) -> Rows:
    kept = digest_query(database, sql, case.gold.bound).kept
    if kept is None:
        raise QueryError(f"The result is larger than {case.gold.bound.keep} bytes.")
    return kept
