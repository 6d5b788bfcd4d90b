"""What an agent did, as a sequence of actions (DivSkill-SQL, section 4.4).

The alphabet: schema_inspect, value_probe, draft_execute, intermediate_execute, repair, docs, pattern, template,
review, submit. It is read off the steps of an answer by fixed rules; calls that could not be carried out are no action.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

from dragoman.errors import Unreadable
from dragoman.solver import Step
from dragoman.sql.shape import shape

Trajectory = tuple[str, ...]

ACTIONS = (
    "schema_inspect",
    "value_probe",
    "draft_execute",
    "intermediate_execute",
    "repair",
    "docs",
    "pattern",
    "template",
    "review",
    "submit",
)

_OF_TOOL = {
    "lookup_docs": "docs",
    "get_sql_pattern": "pattern",
    "get_sql_templates": "template",
    "review_sql": "review",
    "submit_final_sql": "submit",
}
_FAILED = frozenset({"query", "timeout", "unresolved", "refused", "unreadable"})
_CATALOGUE = re.compile(
    r"\A\s*(?:pragma|describe|desc|show)\b|\b(?:sqlite_master|sqlite_schema|information_schema|pg_catalog|pragma_\w+)\b",
    re.IGNORECASE,
)
_TOKENS = re.compile(r"\w+|[^\w\s]")
NEAR = 0.5
"""Share of tokens that a query keeps of another one to count as a version of it."""


def trajectory(steps: Sequence[Step], dialect: str) -> Trajectory:
    """The actions of one run, in order.

    A query over the catalogue is `schema_inspect`; one over a single table that neither aggregates nor joins, and is
    DISTINCT or limited, `value_probe`; one near a query that has just failed `repair`; one near the query submitted
    `draft_execute`; any other `intermediate_execute`.
    """
    used = [step.data for step in steps if step.kind == "tool" and step.data["outcome"] not in ("malformed", "not_run")]
    submitted = [str(data["argument"]) for data in used if data["tool"] == "submit_final_sql"]
    final = submitted[-1] if submitted else ""
    actions: list[str] = []
    failed = ""
    for data in used:
        tool, argument = str(data["tool"]), str(data["argument"])
        if tool == "execute_sql":
            actions.append(_execution(argument, failed, final, dialect))
            failed = argument if data["outcome"] in _FAILED else ""
        else:
            actions.append(_OF_TOOL[tool])
    return tuple(actions)


def _execution(sql: str, failed: str, final: str, dialect: str) -> str:
    if failed and _likeness(sql, failed) >= NEAR:
        return "repair"
    if _CATALOGUE.search(sql):
        return "schema_inspect"
    if _is_probe(sql, dialect):
        return "value_probe"
    return "draft_execute" if final and _likeness(sql, final) >= NEAR else "intermediate_execute"


def _is_probe(sql: str, dialect: str) -> bool:
    try:
        form = shape(sql, dialect)
    except Unreadable:
        return False
    single = form.tables == 1 and not (form.subquery or form.set_operation or form.window or form.ordered)
    counted = form.groups == 1 and form.selected == 2 and form.filters == 0
    plain = (form.distinct or form.limited) and form.aggregates == 0 and form.groups == 0
    return single and (plain or counted)


def _likeness(one: str, other: str) -> float:
    pair = (_TOKENS.findall(one.lower()), _TOKENS.findall(other.lower()))
    return SequenceMatcher(None, *pair, autojunk=False).ratio()
