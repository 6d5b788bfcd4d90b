"""A language model as the judge of a tournament."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from string import Template

from dragoman.agent.fence import Fence, fence_for
from dragoman.agent.result_text import result_text
from dragoman.agent.sentences import counted
from dragoman.databases import Database, Rows
from dragoman.ensemble.judge import Comparison, Judge, Judgement
from dragoman.ensemble.read_verdict import read_verdict
from dragoman.errors import BudgetSpent, ModelError, Refused, SetupError
from dragoman.linking.group_tables import group_tables
from dragoman.linking.ranking import Ranking
from dragoman.linking.schema_text import schema_text
from dragoman.models import Message, Model, Settings
from dragoman.schema import Schema
from dragoman.solver import Answer, Step
from dragoman.sql.parse import parse
from dragoman.sql.references import references


@dataclass(frozen=True, slots=True)
class Judging:
    """How a model judges. `cells` is the leave to show it cells of the results; without, it sees columns and counts.

    `today` is the date as prompts show it. A preview has `rows` rows of cells of at most `cell` characters and about
    `preview` characters in all; the schema of the tables that the two queries read has about `schema` tokens.
    `temperature` is the paper's (DivSkill-SQL, appendix B).
    """

    today: str
    cells: bool = True
    temperature: float = 0.2
    rows: int = 10
    cell: int = 80
    preview: int = 2000
    schema: int = 3000
    most_tokens: int = 4000


def model_judge(database: Database, model: Model, how: Judging) -> Judge:
    """A judge that asks `model` once a comparison. A reply that cannot be read, or none at all, is undecided.

    The step's `data` says why in `failure`: "unreadable", "cut_off" or the code of the model's error. Raises
    `SetupError`, when bound, for a model that writes SQL only.
    """
    if model.sql_form is not None:
        raise SetupError(
            f"The model {model.name} writes SQL only and cannot judge. Name a chat model with --model-for judge=NAME, "
            "or choose with --select vote or learned."
        )
    schema = database.schema()

    def judge(compared: Comparison) -> Judgement:
        fence = fence_for(compared.draw.seed, database.name)
        system = _prompt("judge").substitute(dialect=schema.dialect, marker=fence.marker)
        messages = [Message("system", system), Message("user", _user(compared, schema, fence, how))]
        draw = compared.draw
        settings = Settings(how.temperature, draw.seed, draw.sample, max_tokens=how.most_tokens)
        try:
            reply = model.complete(messages, settings=settings)
        except BudgetSpent:
            raise
        except ModelError as error:
            return Judgement("undecided", Step("judge", str(error), "judge", {"failure": error.code}))
        winner = read_verdict(reply.text)
        failure = "" if winner else "cut_off" if reply.choices[0].finish == "length" else "unreadable"
        data = {"failure": failure} if failure else {}
        step = Step("judge", reply.text, "judge", data, reply.usage, reply.cost, reply.seconds)
        return Judgement(winner or "undecided", step)

    return judge


def _user(compared: Comparison, schema: Schema, fence: Fence, how: Judging) -> str:
    question, first, second = compared.question, compared.first, compared.second
    return _prompt("judge_user").substitute(
        question=question.text,
        evidence=fence(question.evidence, "evidence") if question.evidence else "",
        dialect=schema.dialect,
        today=how.today,
        schema=fence(tables_text(schema, (first.sql, second.sql), how.schema), "schema"),
        first=fence(first.sql, "query"),
        first_facts=_facts(first.rows),
        first_result=_preview(first, fence, how),
        second=fence(second.sql, "query"),
        second_facts=_facts(second.rows),
        second_result=_preview(second, fence, how),
    )


def tables_text(schema: Schema, queries: Iterable[str], budget: int) -> str:
    """The tables that any of the queries reads, within `budget` tokens; the columns they read come first."""
    seen: set[tuple[str, str]] = set()
    for sql in queries:
        try:
            seen |= references(parse(sql, schema.dialect), schema, stars=True)
        except Refused:
            continue
    names = {table for table, _ in seen}
    tables = tuple(t for t in schema if {t.name, ".".join(t.full_name)} & names)
    full = {name: t.full_name for t in tables for name in (t.name, ".".join(t.full_name))}
    columns = {(full[table], column): 1.0 for table, column in seen if column and table in full}
    ranking = Ranking({t.full_name: 1.0 for t in tables}, columns)
    return schema_text(group_tables(replace(schema, tables=tables)), budget, ranking).text


def _facts(rows: Rows | None) -> str:
    if rows is None:
        return "It has no result."
    least = "at least " if rows.truncated else ""
    return f"It gave {least}{counted(len(rows), 'row')} of {counted(len(rows.columns), 'column')}."


def _preview(answer: Answer, fence: Fence, how: Judging) -> str:
    rows = answer.rows
    if rows is None:
        return fence(answer.error.message, "error") if answer.error else ""
    shown, number = result_text(rows, how.rows if how.cells else 0, how.cell, how.preview)
    more = f"\n({counted(len(rows) - number, 'row')} not shown)" if len(rows) > number else ""
    return fence(shown, "result") + more


@cache
def _prompt(name: str) -> Template:
    return Template(resources.files("dragoman.ensemble").joinpath(f"prompts/{name}.md").read_text("utf-8"))
