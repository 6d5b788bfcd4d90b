"""What a database is about, in one sentence: given by the user, or made once from the schema."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from dragoman.models import Message, Model, Settings
from dragoman.refine.read_prompt import read_prompt
from dragoman.refine.vocabulary import looks_like_word, name_words
from dragoman.schema import Schema
from dragoman.solver import Step

MOST_TABLES, MOST_COLUMNS, MOST_NAMED = 60, 12, 12
"""Tables and columns of each that a model is shown; tables that a sentence made without a model names."""
MOST_TOKENS = 1024


@dataclass(frozen=True, slots=True)
class Domain:
    """The sentence, and who made it: "given", "schema" (from the tables' names) or the name of a model."""

    sentence: str
    made_by: str
    steps: tuple[Step, ...] = ()


def given_domain(sentence: str) -> Domain:
    """The user's own sentence."""
    return Domain(" ".join(sentence.split()), "given")


def domain_from_schema(schema: Schema) -> Domain:
    """A sentence that names the tables whose names are readable, for runs without a model."""
    names = [" ".join(name_words(table.name)) for table in schema if table.kind == "table"]
    clear = [name for name in names if all(looks_like_word(word) for word in name.split())][:MOST_NAMED]
    about = ", ".join(clear or names[:MOST_NAMED]) or "nothing yet"
    named = f"The database {schema.name}" if schema.name else "A database"
    return Domain(f"{named} has tables about {about}.", "schema")


def domain_by_model(schema: Schema, model: Model, cache: Path | None = None, seed: int | None = None) -> Domain:
    """A sentence that a model makes from the names and comments of tables and columns, once.

    `cache` is a JSON file that keeps sentences by schema and model. Raises `ModelError`.
    """
    tables = "\n".join(_lines(schema))
    prompt = read_prompt("domain", name=schema.name or "not known", tables=tables)
    key = hashlib.sha256(json.dumps([model.name, prompt, seed]).encode()).hexdigest()
    known = _read(cache)
    if key in known:
        return Domain(known[key], model.name)
    settings = Settings(seed=seed, max_tokens=MOST_TOKENS)
    reply = model.complete([Message("user", prompt)], settings=settings)
    sentence = read_sentence(reply.text)
    step = Step("domain", reply.text, "screener", {}, reply.usage, reply.cost, reply.seconds)
    if not sentence:
        return Domain(domain_from_schema(schema).sentence, "schema", (step,))
    if cache:
        cache.parent.mkdir(parents=True, exist_ok=True)
        part = cache.with_name(f"{cache.name}.part")
        part.write_text(json.dumps({**known, key: sentence}, ensure_ascii=False, indent=1), encoding="utf-8")
        part.replace(cache)
    return Domain(sentence, model.name, (step,))


def read_sentence(text: str) -> str:
    """The first line after the model's thoughts that says something, without quotes around it."""
    lines = (line.strip().strip('"').strip() for line in text.rpartition("</think>")[2].splitlines())
    return next((" ".join(line.split()) for line in lines if line and not line.startswith("```")), "")


def _lines(schema: Schema) -> Iterable[str]:
    tables = [table for table in schema if table.kind == "table"]
    for table in tables[:MOST_TABLES]:
        columns = ", ".join(column.name for column in table.columns[:MOST_COLUMNS])
        more = ", ..." if len(table.columns) > MOST_COLUMNS else ""
        yield f"- {table.name} ({columns}{more})" + (f": {table.comment}" if table.comment else "")
    if len(tables) > MOST_TABLES:
        yield f"- and {len(tables) - MOST_TABLES} more tables"


def _read(cache: Path | None) -> dict[str, str]:
    try:
        found = json.loads(cache.read_text("utf-8")) if cache else {}
    except (OSError, ValueError):
        return {}
    return {str(key): str(value) for key, value in found.items()} if isinstance(found, dict) else {}
