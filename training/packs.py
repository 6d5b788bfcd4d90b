"""Examples as packs: one schema, then a dozen or more questions over it with their SQL."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from lora_model import Pack
from spider import Spider
from sqlglot import exp
from tokenizers import Tokenizer

from dragoman.errors import Unreadable
from dragoman.linking.lexical import link
from dragoman.models.embedded.sql_form import SqlForm, question_text, schema_size, schema_text
from dragoman.questions import Example
from dragoman.schema import Schema
from dragoman.sql.parse import parse

QUESTIONS = 16
"""Questions over one copy of the schema: the schema's tokens are shared among them."""

EASY = 0.3
"""A question whose SQL as a whole has a smaller loss (nats) is known: the model gives it a probability of 74 %."""

REPEATED = 0.25
"""Share of the known questions that an epoch repeats."""

STRANGERS = 0.15
"""Share of packs whose schema stands among tables of other databases, as in a large database."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """One example in tokens: `asked` is the question, `told` the completion with its end token."""

    example: Example
    asked: list[int]
    told: list[int]
    tables: frozenset[str]


def lessons(spider: Spider, examples: Iterable[Example], form: SqlForm, tokenizer: Tokenizer, end: int) -> list[Lesson]:
    """Every example whose gold SQL can be read, tokenised once."""
    found = []
    for example in examples:
        schema = spider.schema(example.database)
        try:
            completion = form.completion(example.sql, schema)
        except Unreadable:
            continue
        asked = tokenizer.encode(question_text(example.question.text, spider.hints(example))).ids
        tables = frozenset(
            t.name for n in parse(example.sql, "sqlite").find_all(exp.Table) if (t := schema.table(n.name))
        )
        found.append(Lesson(example, asked, [*tokenizer.encode(completion).ids, end], tables))
    return found


def sampled(found: Sequence[Lesson], share: float, practice: float, whole: Collection[str], seed: int) -> list[Lesson]:
    """The lessons with a question in `whole`; of others over the demo a random `practice`, of the rest a `share`."""
    order = random.Random(seed)

    def wanted(lesson: Lesson) -> bool:
        drawn = order.random() < (practice if lesson.example.database.startswith("demo-") else share)
        return drawn or lesson.example.question.id in whole

    return [lesson for lesson in found if wanted(lesson)]


def epoch(
    found: Sequence[Lesson], losses: Mapping[str, float], spider: Spider, tokenizer: Tokenizer, seed: int
) -> Iterator[Pack]:
    """The lessons once, as packs in random order; the tables of a schema in another order each time.

    `losses` holds each question's last loss (nats): of those below `EASY` only a random part is repeated.
    """
    order = random.Random(seed)
    by_database: dict[str, list[Lesson]] = defaultdict(list)
    for lesson in found:
        if losses.get(lesson.example.question.id, EASY) >= EASY or order.random() < REPEATED:
            by_database[lesson.example.database].append(lesson)
    groups = []
    for name, lessons_here in by_database.items():
        together = mixed(lessons_here, schema_size(spider.schema(name)) > SqlForm().budget, order)
        groups += [together[i : i + QUESTIONS] for i in range(0, len(together), QUESTIONS)]
    order.shuffle(groups)
    others = [spider.schema(name) for name in by_database]
    for group in groups:
        schema = shown(spider.schema(group[0].example.database), group, order, others)
        yield pack(tokenizer.encode(schema_text(schema)).ids, group)


def mixed(lessons_here: Sequence[Lesson], large: bool, order: random.Random) -> list[Lesson]:
    """In random order; over a `large` schema in runs that share a table, so that a pack needs about what is seen at
    inference, a part of the schema."""
    shuffled = order.sample(lessons_here, len(lessons_here))
    if not large:
        return shuffled
    tables = sorted({table for lesson in lessons_here for table in lesson.tables})
    rank = {table: place for place, table in enumerate(order.sample(tables, len(tables)))}
    shuffled.sort(key=lambda lesson: min((rank[table] for table in lesson.tables), default=0))
    runs = [shuffled[i : i + QUESTIONS // 2] for i in range(0, len(shuffled), QUESTIONS // 2)]
    order.shuffle(runs)
    return [lesson for run in runs for lesson in run]


def shown(schema: Schema, group: Sequence[Lesson], order: random.Random, others: Sequence[Schema]) -> Schema:
    """The schema as the model sees it: now and then among strangers, cut like at inference, its tables shuffled."""
    if order.random() < STRANGERS:
        schema = crowded(schema, order, others)
    needed = frozenset[str]().union(*(lesson.tables for lesson in group))
    cut = link(schema, " ".join(lesson.example.question.text for lesson in group), size=schema_size, keep=needed)
    tables = list(cut.tables)
    order.shuffle(tables)
    return replace(cut, tables=tuple(tables))


def crowded(schema: Schema, order: random.Random, others: Sequence[Schema]) -> Schema:
    """The schema with the tables of other schemas beside its own, names that clash left out."""
    tables = list(schema.tables)
    names = {t.name.lower() for t in tables}
    for other in order.sample(others, min(3, len(others))):
        fresh = [t for t in other.tables if t.name.lower() not in names]
        if len(fresh) == len(other.tables):
            tables += fresh
            names |= {t.name.lower() for t in fresh}
    return replace(schema, tables=tuple(tables))


def pack(prefix: list[int], group: Sequence[Lesson]) -> Pack:
    """One sequence; only the completions are labelled."""
    tokens, labels, lengths = list(prefix), [False] * len(prefix), []
    for lesson in group:
        tokens += lesson.asked + lesson.told
        labels += [False] * len(lesson.asked) + [True] * len(lesson.told)
        lengths.append(len(lesson.asked) + len(lesson.told))
    ids = tuple(lesson.example.question.id for lesson in group)
    return Pack(tuple(tokens), tuple(labels), len(prefix), tuple(lengths), ids)
