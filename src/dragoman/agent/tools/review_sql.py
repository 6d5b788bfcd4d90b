"""review_sql: a critic, with a role of its own, looks at a draft."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from dragoman.agent.desk import Desk, Observation
from dragoman.agent.sentences import counted, prompt, say
from dragoman.errors import BudgetSpent, ModelError, Refused
from dragoman.linking.group_tables import group_tables
from dragoman.linking.schema_text import schema_text
from dragoman.models import Message, Reply, Settings
from dragoman.schema import Schema
from dragoman.solver import Candidate, Step
from dragoman.sql.parse import Tree, parse
from dragoman.sql.references import references, unresolved

MOST_TOKENS = 2000
LONGEST_OPINION, LONGEST_SCHEMA = 2500, 12_000


def review_sql(desk: Desk, sql: str) -> Observation:
    """The critic's opinion as data: it has read what comes from the database. It never sees cells."""
    draft = Candidate(sql, source="agent")
    try:
        tree = parse(sql, desk.schema.dialect)
    except Refused as error:
        text = f"{say('review_unreadable', code=error.code)}\n{desk.fence(str(error), 'error')}"
        return Observation(text, error.code, draft)
    try:
        reply = _ask(desk, sql, tree)
    except BudgetSpent:
        raise
    except ModelError as error:
        return Observation(say("no_review"), error.code, draft)
    step = Step("model", reply.text, "reviewer", {}, reply.usage, reply.cost, reply.seconds)
    return Observation(desk.fence(reply.text[:LONGEST_OPINION], "opinion"), "ok", draft, steps=(step,))


def _ask(desk: Desk, sql: str, tree: Tree) -> Reply:
    question, schema = desk.question, desk.schema
    system = prompt("review", dialect=schema.dialect, marker=desk.fence.marker)
    user = prompt(
        "review_user",
        question=question.text,
        evidence=desk.fence(question.evidence, "evidence") if question.evidence else "",
        dialect=schema.dialect,
        today=desk.toolbox.today,
        schema=desk.fence(schema_text(group_tables(_part(schema, tree))).text[:LONGEST_SCHEMA], "schema"),
        sql=desk.fence(sql, "query"),
        facts=_facts(desk, sql, tree),
    )
    settings = Settings(desk.draw.temperature, desk.draw.seed, desk.draw.sample, max_tokens=MOST_TOKENS)
    return desk.reviewer.complete([Message("system", system), Message("user", user)], settings=settings)


def _part(schema: Schema, tree: Tree) -> Schema:
    """The tables that the draft reads."""
    names = {table for table, _ in references(tree, schema)}
    return replace(schema, tables=tuple(t for t in schema if {t.name, ".".join(t.full_name)} & names))


def _facts(desk: Desk, sql: str, tree: Tree) -> str:
    """What running the draft has shown, without its cells."""
    unknown = unresolved(tree, desk.schema)
    if unknown:
        return desk.fence(" ".join(map(str, unknown)), "error")
    ran = desk.ran.get(sql)
    if ran is not None and ran.error is not None:
        return say("facts_failed", code=ran.error.code)
    if ran is None or ran.rows is None:
        return say("facts_not_run")
    rows = ran.rows
    repeated = len(rows) - len(Counter(map(repr, rows.rows)))
    return say(
        "facts_ran",
        rows=f"{'at least ' if rows.truncated else ''}{counted(len(rows), 'row')}",
        columns=counted(len(rows.columns), "column"),
        repeated=f", {counted(repeated, 'row')} repeated" if repeated else "",
    )
