"""BIRD-Critic's tests on SQLite, as its public evaluation runs them.

Source: the evaluation published with BIRD-Critic (SWE-SQL). Test cases are Python source that comes with the data, so
they run only with `allow_code`, in a process of their own with limits on time, memory and files, on a throw-away copy
of the database. That keeps mistakes from doing harm; it is no wall against malice, for the network stays open.
Flaws kept: see `dragoman.metrics.critic_trial`.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from dragoman.errors import QueryError, QueryTimeout
from dragoman.metrics.case import Case, Outcome

SECONDS = 120.0
TRIAL = Path(__file__).with_name("critic_trial.py")


def bird_critic(case: Case) -> Outcome:
    """1 if the prediction runs and passes every test, and the SQL of the issue does not.

    `case.published` must hold "template", the SQLite file to copy; it may hold "test_cases" (Python sources that
    define `test_case`; without any the default comparison with the gold SQL is made), "issue_sql", "preprocess_sql",
    "clean_up_sql" (lists of statements), "conditions", "efficiency" and "seconds" for all of it. The score is None
    without `allow_code` or where the trial itself fails.
    """
    template = case.published.get("template")
    if not case.allow_code:
        return Outcome(None, "The tests of BIRD-Critic are code; they run only with --allow-code.")
    if template is None or case.database.dialect != "sqlite":
        return Outcome(None, "BIRD-Critic's tests run on SQLite files only.")
    work = {key: case.published.get(key) for key in ("preprocess_sql", "clean_up_sql", "conditions", "efficiency")}
    work |= {
        "test_cases": list(case.published.get("test_cases") or ()),
        "issue_sql": list(case.published.get("issue_sql") or ()),
        "predicted": statements(case.sql),
        "solution": statements(case.example.sql),
    }
    found = _tried(Path(template), work, float(case.published.get("seconds", SECONDS)))
    if found.get("error"):
        raise QueryError(str(found["error"]))
    passed = found.get("passed")
    return Outcome(None if passed is None else float(passed), str(found.get("detail", "")))


def statements(sql: str) -> list[str]:
    """The statements of a SQLite script, without their semicolons."""
    found, held = [], ""
    for piece in sql.split(";"):
        held += piece
        if sqlite3.complete_statement(f"{held};"):
            found.append(held.strip())
            held = ""
        else:
            held += ";"
    return [statement for statement in (*found, held.strip(" \n\t;")) if statement]


def _tried(template: Path, work: dict[str, Any], seconds: float) -> dict[str, Any]:
    """Run the trial on copies of `template` in a process group of its own, which ends with it."""
    with tempfile.TemporaryDirectory(prefix="dragoman-critic-") as folder:
        shutil.copyfile(template, Path(folder, "template.sqlite"))
        command = [sys.executable, "-I", str(TRIAL), folder, str(seconds)]
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=folder,
            env={"PATH": os.defpath, "LC_ALL": "C.UTF-8", "HOME": folder},
            start_new_session=True,
        )
        try:
            process.communicate(json.dumps(work).encode(), timeout=seconds)
        except subprocess.TimeoutExpired:
            raise QueryTimeout(f"The tests ran longer than {seconds:g} s and were ended.") from None
        finally:
            _end(process)
        report = Path(folder, "report.json")
        if not report.exists():
            return {"passed": None, "detail": f"The trial ended with status {process.returncode} and no report."}
        found: dict[str, Any] = json.loads(report.read_text(encoding="utf-8"))
        return found


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the whole group: a test may have started further processes."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
