"""lookup_docs: dialect notes that we wrote, facts of the schema, and the user's own documents."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from importlib import resources

from dragoman.agent.desk import Desk, Observation
from dragoman.agent.sentences import say
from dragoman.agent.words import best_passages
from dragoman.linking.group_tables import group_tables
from dragoman.linking.schema_text import schema_text
from dragoman.linking.words import words
from dragoman.schema import Schema, Table
from dragoman.schema.render import full_name

MOST_NOTES, MOST_TABLES, MOST_PASSAGES = 2, 3, 3
CLOSE = 0.5
"""Part of the best passage's score that another one must have to be shown beside it."""
NOTES = {"redshift": "postgres", "mariadb": "mysql", "singlestore": "mysql"}
"""Dialects that are close enough to another one's notes."""


def lookup_docs(desk: Desk, query: str) -> Observation:
    """The sections, passages and tables that share most words with the query; schema and documents as data.

    Tables that the query does not name are shown only where nothing else fits: the agent has seen the schema.
    """
    parts = _notes(desk.schema.dialect, query)
    documents = desk.toolbox.documents
    found = best_passages(query, [f"{d.name}\n{d.text}" for d in documents], MOST_PASSAGES, CLOSE)
    if found:
        text = "\n\n".join(f"[{documents[i].name}]\n{documents[i].text}" for i in found)
        parts.append(desk.fence(_cut(text, desk), "document"))
    tables = _named(desk.schema, query) or ([] if parts else _alike(desk.schema, query))
    if tables:
        parts.append(desk.fence(_cut(_facts(desk.schema, tables), desk), "schema"))
    if parts:
        return Observation("\n\n".join(parts))
    topics = ", ".join(section.partition("\n")[0] for section in notes(desk.schema.dialect))
    none = say("no_docs", topics=topics) if topics else say("no_dialect", dialect=desk.schema.dialect)
    return Observation(none, "empty")


@cache
def notes(dialect: str) -> tuple[str, ...]:
    """The sections of the notes on a dialect, each beginning with its heading; none for dialects without notes."""
    path = resources.files("dragoman.agent").joinpath(f"dialects/{NOTES.get(dialect, dialect)}.md")
    if not path.is_file():
        return ()
    return tuple(section.strip() for section in path.read_text("utf-8").split("\n## ")[1:])


def _notes(dialect: str, query: str) -> list[str]:
    sections = notes(dialect)
    return [f"# {dialect}: {sections[i]}" for i in best_passages(query, sections, MOST_NOTES, CLOSE)]


def _named(schema: Schema, query: str) -> list[Table]:
    """Tables whose whole name is in the query, word by word."""
    asked = f" {' '.join(words(query))} "
    return [table for table in schema if f" {' '.join(words(table.name))} " in asked][:MOST_TABLES]


def _alike(schema: Schema, query: str) -> list[Table]:
    """Tables whose names and comments share most words with the query."""
    texts = [
        "\n".join([f"{t.name} {t.comment}", *(f"{c.name} {c.comment} {' '.join(c.values)}" for c in t.columns)])
        for t in schema
    ]
    return [schema.tables[i] for i in best_passages(query, texts, MOST_TABLES, CLOSE)]


def _facts(schema: Schema, tables: list[Table]) -> str:
    """The tables in full, and what is known about them beside their columns."""
    lines = [schema_text(group_tables(replace(schema, tables=tuple(tables)))).text]
    for table in tables:
        name = full_name(table, schema.dialect, schema.default_schema)
        if table.rows is not None:
            lines.append(f"-- {name}: about {table.rows:,} rows")
        if table.members:
            lines.append(f"-- {name} stands for {', '.join(table.members)}")
        lines += [
            f"-- {full_name(owner, schema.dialect, schema.default_schema)}({', '.join(key.columns)}) refers to {name}"
            for owner, key in schema.foreign_keys
            if schema.table(key.target, key.target_schema or owner.schema) is table
        ]
    return "\n".join(lines)


def _cut(text: str, desk: Desk) -> str:
    most = desk.limits.observation
    return text if len(text) <= most else f"{text[:most]}\n... {len(text) - most:,} characters more"
