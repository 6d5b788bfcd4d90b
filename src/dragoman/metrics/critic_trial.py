"""One trial of BIRD-Critic, in a process of its own: `python critic_trial.py FOLDER SECONDS`.

Needs nothing but the standard library. Reads the work as JSON from standard input and leaves report.json in FOLDER.
Flaws kept: the prediction runs once before the tests and again inside them, so that a statement that cannot be
repeated fails; the default comparison takes comments, DISTINCT (as a word between spaces) and ROUND out of both sides,
rounds to 2 decimals, cuts timestamps to dates, compares sets, sees 10,000 rows and fails on empty results; the cost of
a plan is 1 for every statement; an issue whose own SQL passes the tests counts as failed.
"""

from __future__ import annotations

import inspect
import json
import re
import resource
import shutil
import sqlite3
import sys
from collections.abc import Sequence
from datetime import date, datetime
from pathlib import Path
from typing import Any

MEMORY = 2 * 2**30
ROWS = 10_000


def main(folder: Path, seconds: float) -> None:
    """Try the work that stands on standard input and write the report."""
    work = json.load(sys.stdin)
    limit_resources(folder, seconds)
    report = trial(folder, work)
    (folder / "report.json").write_text(json.dumps(report), encoding="utf-8")


def limit_resources(folder: Path, seconds: float) -> None:
    """Limit processor time, memory, the size and the number of files, and core dumps of this process."""
    largest = (folder / "template.sqlite").stat().st_size + 2**30
    for name, limit in (
        (resource.RLIMIT_CPU, int(seconds) + 1),
        (resource.RLIMIT_AS, MEMORY),
        (resource.RLIMIT_FSIZE, largest),
        (resource.RLIMIT_NOFILE, 64),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(name, (limit, limit))


def trial(folder: Path, work: dict[str, Any]) -> dict[str, Any]:
    """{"passed": bool, "detail": sentence}, or {"error": the engine's message} where the prediction does not run."""
    issue = work["issue_sql"]
    if issue and not work.get("efficiency") and _passes(folder, work, issue) == "":
        return {"passed": False, "detail": "The SQL of the issue passes the tests already."}
    try:
        failure = _passes(folder, work, work["predicted"])
    except sqlite3.Error as error:
        return {"error": str(error)}
    return {"passed": not failure, "detail": failure}


def _passes(folder: Path, work: dict[str, Any], predicted: list[str]) -> str:
    """Why the statements fail, "" if they pass every test. Each call has a fresh copy of the database."""
    path = folder / "trial.sqlite"
    shutil.copyfile(folder / "template.sqlite", path)
    connection = sqlite3.connect(path)
    try:
        execute_queries(work.get("preprocess_sql") or [], str(path), connection)
        try:
            execute_queries(predicted, str(path), connection)
        except sqlite3.Error:
            if predicted is work["issue_sql"]:
                return "The SQL of the issue does not run."
            raise
        first, second = (work["issue_sql"], predicted) if work.get("efficiency") else (predicted, work["solution"])
        for number, source in enumerate(work["test_cases"] or [None], 1):
            failure = _failure(source, first, second, str(path), connection, work.get("conditions") or {})
            if failure:
                return f"Test {number} fails: {failure}"
        execute_queries(work.get("clean_up_sql") or [], str(path), connection)
    finally:
        connection.close()
    return ""


def _failure(
    source: str | None,
    first: list[str],
    second: list[str],
    path: str,
    connection: sqlite3.Connection,
    conditions: dict[str, Any],
) -> str:
    """What one test says against the statements, "" if nothing."""
    offered = {
        function.__name__: function
        for function in (execute_queries, ex_base, remove_comments, remove_distinct, remove_round, preprocess_results,
                         check_sql_function_usage, performance_compare_by_qep)
    }  # fmt: skip
    namespace: dict[str, Any] = {
        **offered,
        "sqlite3": sqlite3,
        "json": json,
        "re": re,
        "date": date,
        "datetime": datetime,
    }
    try:
        if source is None:
            passed: Any = ex_base(first, second, path, connection, conditions)
        else:
            exec(compile(source, "<test case>", "exec"), namespace)  # noqa: S102 - only with allow_code
            test = namespace["test_case"]
            takes_conditions = len(inspect.signature(test).parameters) > 4
            passed = test(first, second, path, connection, *([conditions] if takes_conditions else []))
    except BaseException as error:
        return f"{type(error).__name__}: {error}"[:300]
    return "" if passed is None or passed else "the results differ."


def execute_queries(queries: Sequence[str] | str, db_path: str, conn: sqlite3.Connection, *_: Any) -> Any:
    """Run the statements in turn; the first 10,000 rows of the last one, None if it gives none."""
    found: Any = None
    for query in [queries] if isinstance(queries, str) else queries:
        cursor = conn.execute(query)
        found = cursor.fetchmany(ROWS) if cursor.description else None
        conn.commit()
    return found


def ex_base(
    pred_sqls: Sequence[str],
    sol_sqls: Sequence[str],
    db_path: str,
    conn: sqlite3.Connection,
    conditions: dict[str, Any] | None = None,
) -> int:
    """The default test: 1 if the last results are equal, 0 if not or if either is empty."""
    predicted, solution = (
        preprocess_results(execute_queries(remove_round(remove_distinct(remove_comments(sqls))), db_path, conn) or [])
        for sqls in (list(pred_sqls), list(sol_sqls))
    )
    if not predicted or not solution:
        return 0
    if (conditions or {}).get("order"):
        return int(predicted == solution)
    return int(set(predicted) == set(solution))


def remove_comments(sqls: Sequence[str]) -> list[str]:
    """The statements without comments."""
    return [re.sub(r"--[^\n]*|/\*.*?\*/", "", sql, flags=re.DOTALL).strip() for sql in sqls]


def remove_distinct(sqls: Sequence[str]) -> list[str]:
    """The statements without the word DISTINCT where spaces stand around it."""
    return [" ".join(word for word in sql.split(" ") if word.lower() != "distinct") for sql in sqls]


def remove_round(sqls: Sequence[str]) -> list[str]:
    """The statements with every ROUND(x, n) replaced by x."""
    return [_without_round(sql) for sql in sqls]


def preprocess_results(results: Sequence[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Rows with numbers rounded to 2 decimals and timestamps cut to dates."""
    return [tuple(_plain(cell) for cell in row) for row in results]


def check_sql_function_usage(sqls: Sequence[str], required_keywords: Sequence[str]) -> int:
    """1 if every keyword occurs in the statements, whatever its case."""
    text = " ".join(sqls).lower()
    return int(all(word.lower() in text for word in required_keywords))


def performance_compare_by_qep(
    old_sqls: Sequence[str], sol_sqls: Sequence[str], db_path: str, conn: sqlite3.Connection
) -> int:
    """1 if the second list costs less than the first, at a cost of 1 for every statement."""
    return int(len(sol_sqls) < len(old_sqls))


def _without_round(sql: str) -> str:
    while found := re.search(r"\bround\s*\(", sql, re.IGNORECASE):
        depth, comma, end = 1, -1, found.end()
        while end < len(sql) and depth:
            depth += {"(": 1, ")": -1}.get(sql[end], 0)
            if sql[end] == "," and depth == 1 and comma < 0:
                comma = end
            end += 1
        if depth:
            return sql
        inner = sql[found.end() : comma if comma >= 0 else end - 1]
        sql = f"{sql[: found.start()]}{inner.strip()}{sql[end:]}"
    return sql


def _plain(cell: Any) -> Any:
    if isinstance(cell, float):
        return round(cell, 2)
    if isinstance(cell, str) and re.fullmatch(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d(\.\d+)?)?", cell):
        return cell[:10]
    return cell


if __name__ == "__main__":
    main(Path(sys.argv[1]), float(sys.argv[2]))
