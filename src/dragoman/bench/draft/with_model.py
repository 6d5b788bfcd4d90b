"""Drafts a workload with a model that writes its questions without having seen the schema's names.

The isolation protocol of EGRefine, section V-G: questions are written from descriptions and sample values alone, every
name hidden; only when a question is fixed does the model see real names, to write its SQL.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.resources import files
from string import Template

from dragoman.bench.draft.accept import Draft, Proposal, accept
from dragoman.databases import Database, Limits
from dragoman.errors import QueryError, Refused
from dragoman.models.fence import fence_for
from dragoman.models.model import Message, Model, Settings
from dragoman.schema import Schema, Table, ddl
from dragoman.sql.extract import extract
from dragoman.sql.quote import quote, quote_table

SAMPLES = 5
QUESTIONS_A_CALL = 10
MOST_CALLS = 20
_MARK = re.compile(r"^\s*(?:[-*•]|\(?\d+[.):])\s*")
_HIDDEN = re.compile(r"\b[tc]\d+\b")


def draft_with_model(database: Database, model: Model, number: int, seed: int = 0, values: bool = True) -> Draft:
    """Up to `number` proposals that hold up. Each call asks for ten questions as a sample of its own.

    Without `values` no cell of the database is shown to the model.

    Raises `ModelError` where the model cannot be reached.
    """
    return accept(_proposals(database, model, number, (seed, values)), database, number)


def _proposals(database: Database, model: Model, number: int, how: tuple[int, bool]) -> Iterator[Proposal]:
    seed, values = how
    schema = database.schema()
    data = hidden(database, schema, values)
    fence = fence_for(seed, database.name)
    seen: set[str] = set()
    for call in range(min(MOST_CALLS, 2 + 2 * number // QUESTIONS_A_CALL)):
        prompt = _prompt("questions").substitute(number=QUESTIONS_A_CALL, marker=fence.marker, data=fence(data, "data"))
        settings = Settings(temperature=0.8, seed=seed, sample=call, max_tokens=2000)
        reply = model.complete([Message("user", prompt)], settings=settings)
        for question in read_questions(reply.text):
            if question.lower() not in seen:
                seen.add(question.lower())
                yield question, _sql(question, database, model, seed)


def hidden(database: Database, schema: Schema, values: bool = True) -> str:
    """What the data are, every name hidden: descriptions, types and sample values, and which columns refer to which."""
    numbers = {table.full_name: n for n, table in enumerate(schema, 1)}
    names = _technical_names(schema)
    lines = []
    for table in schema:
        lines.append(f"t{numbers[table.full_name]}: {_described(table.comment, names)}")
        for n, column in enumerate(table.columns, 1):
            samples = ", ".join(_samples(database, schema, table, column.name)) if values else ""
            lines.append(f"  c{n} {column.type}: {_described(column.comment, names)}; for example {samples or '-'}")
        places = {column.name: n for n, column in enumerate(table.columns, 1)}
        for key in table.foreign_keys:
            target = schema.table(key.target, key.target_schema)
            if target is not None:
                columns = ", ".join(f"c{places[name]}" for name in key.columns if name in places)
                lines.append(f"  {columns} refers to t{numbers[target.full_name]}")
    return "\n".join(lines)


def _technical_names(schema: Schema) -> re.Pattern[str]:
    """Finds names that are no plain words, for descriptions that give away how the data are stored."""
    names = {name for table in schema for name in (table.name, *(column.name for column in table.columns))}
    technical = sorted((n for n in names if not re.fullmatch(r"[A-Za-z]?[a-z]+", n)), key=len, reverse=True)
    return re.compile("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in technical) or r"(?!)", re.IGNORECASE)


def _described(comment: str, names: re.Pattern[str]) -> str:
    return names.sub("(a hidden name)", " ".join(comment.split())) or "no description"


def read_questions(text: str) -> list[str]:
    """One question a line; numbering is taken off, and lines that are no question or name a hidden name left out."""
    lines = (_MARK.sub("", line).strip().strip('"') for line in text.splitlines())
    return [line for line in lines if len(line.split()) >= 3 and line[-1] in "?." and not _HIDDEN.search(line)]


def _sql(question: str, database: Database, model: Model, seed: int) -> str:
    schema = database.schema()
    if model.sql_form is not None:
        form = model.sql_form
        raw = Settings(seed=seed, max_tokens=220, stop=form.stop, grammar=form.grammar(schema), adapter=True)
        return form.sql(model.complete([Message("raw", form.prompt(schema, question, ()))], settings=raw).text, schema)
    fence = fence_for(seed, database.name)
    system = _prompt("sql").substitute(dialect=schema.dialect, marker=fence.marker, schema=fence(ddl(schema), "schema"))
    messages = [Message("system", system), Message("user", question)]
    reply = model.complete(messages, settings=Settings(seed=seed, max_tokens=2000))
    return extract(reply.text, schema.dialect).sql


def _samples(database: Database, schema: Schema, table: Table, column: str) -> list[str]:
    name = quote(column, schema.dialect)
    sql = f"SELECT DISTINCT {name} FROM {quote_table(table, schema)} WHERE {name} IS NOT NULL"
    try:
        rows = database.execute(sql, Limits(SAMPLES, 10.0))
    except (QueryError, Refused):
        return []
    return [repr(row[0])[:60] for row in rows]


def _prompt(name: str) -> Template:
    return Template(files("dragoman.bench.draft").joinpath(f"{name}.md").read_text(encoding="utf-8"))
