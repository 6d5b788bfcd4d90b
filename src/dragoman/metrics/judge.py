"""The verdict on one answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dragoman.databases.database import Database
from dragoman.errors import QueryError, Refused, SetupError
from dragoman.metrics.case import Case
from dragoman.metrics.classify import classify, quoted_references
from dragoman.metrics.gold import GoldCache, GoldFailed
from dragoman.metrics.rules import RULES
from dragoman.metrics.verdict import Judgement, Verdict
from dragoman.questions import Example


def judge(
    example: Example,
    sql: str,
    database: Database,
    *,
    rule: str = "strict",
    gold: GoldCache | None = None,
    extras: Mapping[str, Any] | None = None,
) -> Judgement:
    """Judge `sql`, the answer to `example` on `database`, by one of `RULES`.

    `gold` keeps the results of gold queries between calls. `extras` are the further fields of `Case`. An example
    whose gold SQL is "" cannot be answered: then no SQL is right, and any is wrong. Raises `SetupError` for a rule
    that nobody knows.
    """
    return judge_case(Case(example, sql, database, gold or GoldCache(), **(extras or {})), rule)


def judge_case(case: Case, rule: str = "strict") -> Judgement:
    """Judge a case by one of `RULES`; one case may be judged by several rules and its query runs once."""
    if rule not in RULES:
        raise SetupError(f"There is no rule {rule!r}. Choose one of {', '.join(RULES)}.")
    if not case.example.sql:
        right = not case.sql.strip()
        detail = "The question cannot be answered from this database."
        return Judgement(Verdict.CORRECT if right else Verdict.WRONG, rule, detail, float(right))
    try:
        outcome = RULES[rule](case)
    except GoldFailed as error:
        return Judgement(Verdict.UNSCORED, rule, str(error))
    except (QueryError, Refused) as error:
        kind = classify(error, case.sql, case.database)
        return Judgement(kind.verdict, rule, str(error), 0.0, kind.invalid_reference, kind.missing_function)
    names = quoted_references(case.sql, case.database)
    if names and rule == "strict" and outcome.score is not None:
        detail = f'"{names[0]}" names no column; SQLite takes it for a string.'
        return Judgement(Verdict.INVALID_REFERENCE, rule, detail, 0.0, True)
    if outcome.score is None:
        return Judgement(Verdict.UNSCORED, rule, outcome.detail, 0.0, bool(names))
    verdict = Verdict.CORRECT if outcome.correct else Verdict.WRONG if case.sql.strip() else Verdict.NO_ANSWER
    return Judgement(verdict, rule, outcome.detail, outcome.score, bool(names))
