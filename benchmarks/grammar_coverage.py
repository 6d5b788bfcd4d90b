"""Share of gold queries that the embedded model's grammar admits: python -m benchmarks.grammar_coverage --spider FOLDER

All of Spider dev, and the easy and medium questions of the demo over the tables that the query names and some more.
A query counts when its completion in the prompt form is a sentence of the grammar, read by a reader of GBNF
that owes nothing to llama.cpp. The queries that are not admitted are listed, with those that cannot be read at all.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path

from tests.models.gbnf import Gbnf

from dragoman.databases import connect
from dragoman.demo import open_demo, workload
from dragoman.errors import Unreadable
from dragoman.linking.lexical import link
from dragoman.models.embedded.cache_folder import cache_folder
from dragoman.models.embedded.sql_form import SqlForm
from dragoman.schema import Schema

SOME = 700
"""Characters of a schema that is shown in part; the reader is slow."""

Asked = tuple[str, str, Schema]
"""(question, gold SQL, schema)."""


def spider_dev(folder: Path) -> Iterator[Asked]:
    """Dev, by database."""
    by_database = defaultdict(list)
    for record in json.loads((folder / "dev.json").read_text("utf-8")):
        by_database[record["db_id"]].append(record)
    for name, records in by_database.items():
        schema = connect(str(folder / "database" / name / f"{name}.sqlite")).schema()
        yield from ((record["question"], record["query"], schema) for record in records)


def demo() -> Iterator[Asked]:
    """The easy and medium questions."""
    schema = connect(str(open_demo(cache_folder()))).schema()
    for example in workload():
        if example.difficulty in ("easy", "medium") and example.sql:
            yield example.question.text, example.sql, schema


def coverage(name: str, asked: Iterable[Asked], form: SqlForm) -> None:
    """Print how many are admitted, then those that are not."""
    seen, missed = Counter[str](), []
    known: dict[tuple[str, Schema], bool] = {}
    for question, sql, schema in asked:
        named = frozenset(t.name for t in schema if re.search(rf"\b{re.escape(t.name)}\b", sql, re.IGNORECASE))
        part = schema if form.size(schema) <= form.budget else link(schema, question, (), SOME, form.size, named)
        try:
            completion = form.completion(sql, schema)
        except Unreadable:
            seen["unreadable"] += 1
            missed.append(sql)
            continue
        if (completion, part) not in known:
            known[completion, part] = _reader(part, form).accepts(completion)
        seen["admitted" if known[completion, part] else "refused"] += 1
        if not known[completion, part]:
            missed.append(completion.strip())
    total = seen.total()
    print(f"{name}: {seen['admitted']} of {total} admitted ({seen['admitted'] / total:.2%}); {dict(seen)}")
    for text in dict.fromkeys(missed):
        print(f"    {text}")


@lru_cache(maxsize=4)
def _reader(schema: Schema, form: SqlForm) -> Gbnf:
    return Gbnf(form.grammar(schema))


def main() -> None:
    """Both sets."""
    parser = argparse.ArgumentParser(description="Share of gold queries that the grammar admits.")
    parser.add_argument("--spider", type=Path, required=True, help="folder with dev.json and database/")
    parser.add_argument("--order", choices=("from", "select"), default="from")
    arguments = parser.parse_args()
    form = SqlForm(arguments.order)
    coverage("demo, easy and medium", demo(), form)
    coverage("Spider dev", spider_dev(arguments.spider), form)


if __name__ == "__main__":
    main()
