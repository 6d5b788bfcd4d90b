"""Linking by a model, for schemas that exceed the budget even when ranked: which tables and columns does it keep?

After ReFoRCE (Deng et al. 2025, appendix A), where each table is one call; here as many tables as fit share one.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from importlib import resources
from string import Template
from typing import Any

from dragoman.errors import BudgetSpent, ModelError
from dragoman.linking.column_paths import column_paths
from dragoman.linking.group_tables import GroupedSchema
from dragoman.linking.ranking import FullName, Ranking
from dragoman.linking.schema_text import schema_text
from dragoman.models import Message, Model, Settings
from dragoman.models.fence import fence_for
from dragoman.schema import Table
from dragoman.solver import Step

BATCH = 6000
"""Estimated tokens of tables in one call; 1 means one table a call."""
TRIES = 3
"""Calls for one batch, the first one included."""
KEPT, DROPPED = 0.5, 0.1
"""The least score of a table that the model keeps, and the share of its score that one keeps which it does not."""
MOST_TOKENS = 2000


def rank_by_model(
    grouped: GroupedSchema, question: str, ranking: Ranking, model: Model, batch: int = BATCH, seed: int | None = None
) -> tuple[Ranking, tuple[Step, ...]]:
    """`ranking` corrected by what the model keeps, and one step for each call with its usage.

    Recall first: what it does not keep only ranks lower, tables of a batch whose replies cannot be read or whose call
    fails keep their scores, and where it keeps nothing at all `ranking` comes back as it was.
    """
    steps: list[Step] = []
    kept: dict[FullName, list[str]] = {}
    dropped: set[FullName] = set()
    fence = fence_for(seed or 0, grouped.schema.name)
    asked = Message("user", fence(question, "question"))
    for tables, text in _batches(grouped, batch, ranking):
        system = _prompt("system").safe_substitute(
            dialect=grouped.schema.dialect, marker=fence.marker, tables=fence(text, "tables")
        )
        chosen = _ask([Message("system", system), asked], model, seed, steps)
        if chosen is None:
            continue
        for number, table in enumerate(tables, 1):
            if str(number) in chosen:
                kept[table.full_name] = _known(table, chosen[str(number)])
            else:
                dropped.add(table.full_name)
    return (_corrected(ranking, kept, dropped) if kept else ranking), tuple(steps)


def _ask(
    messages: Sequence[Message], model: Model, seed: int | None, steps: list[Step]
) -> Mapping[str, list[str]] | None:
    """What the model keeps, by number; None where it never says so."""
    asked = list(messages)
    for _ in range(TRIES):
        try:
            reply = model.complete(asked, settings=Settings(seed=seed, max_tokens=MOST_TOKENS))
        except BudgetSpent:
            raise
        except ModelError as error:
            steps.append(Step("link", str(error), "linker", {"failed": error.code}))
            return None
        steps.append(Step("link", reply.text, "linker", {}, reply.usage, reply.cost, reply.seconds))
        chosen = read_choice(reply.text)
        if chosen is not None:
            return chosen
        asked += [Message("assistant", reply.text), Message("user", _prompt("again").template)]
    return None


def read_choice(text: str) -> Mapping[str, list[str]] | None:
    """The object in a reply that maps numbers to lists of names, whatever stands around it; None if there is none."""
    start, end = text.find("{"), text.rfind("}")
    try:
        found: Any = json.loads(text[start : end + 1], strict=False)
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict) or not all(key.strip().isdigit() for key in found):
        return None
    return {
        str(int(key)): [str(name) for name in names] if isinstance(names, list) else [] for key, names in found.items()
    }


def _batches(grouped: GroupedSchema, batch: int, ranking: Ranking) -> Iterator[tuple[list[Table], str]]:
    """Tables in the schema's order with their numbered texts, as many together as have at most `batch` tokens."""
    tables: list[Table] = []
    texts: list[str] = []
    spent = 0
    for table in grouped.schema:
        positions = (0,)
        alone = GroupedSchema(replace(grouped.schema, tables=(table,)), grouped.groups, positions)
        found = schema_text(alone, batch, ranking) if batch > 1 else schema_text(alone)
        if tables and spent + found.tokens > batch:
            yield tables, "\n".join(texts)
            tables, texts, spent = [], [], 0
        tables.append(table)
        texts.append(f"[{len(tables)}] {'.'.join(table.full_name)}\n{found.text}")
        spent += found.tokens
    if tables:
        yield tables, "\n".join(texts)


def _known(table: Table, names: Sequence[str]) -> list[str]:
    """The paths of the table that the names stand for; a nested column's name stands for all that is in it."""
    asked = {name.strip().strip('`"').rpartition(f"{table.name}.")[2].lower() for name in names}
    return [
        path
        for column in table.columns
        for path, _ in column_paths(column)
        if path.lower() in asked or column.name.lower() in asked or path.replace("[]", "").lower() in asked
    ]


def _corrected(ranking: Ranking, kept: Mapping[FullName, Sequence[str]], dropped: set[FullName]) -> Ranking:
    tables = {
        name: max(KEPT, score) if name in kept else DROPPED * score if name in dropped else score
        for name, score in ranking.tables.items()
    }
    columns = dict(ranking.columns) | {(name, path): 1.0 for name, found in kept.items() for path in found}
    why = dict(ranking.why) | {name: ("kept by the model", *ranking.why.get(name, ())) for name in kept}
    return Ranking(tables, columns, why)


def _prompt(name: str) -> Template:
    file = resources.files("dragoman.linking").joinpath(f"prompts/rank_by_model_{name}.md")
    return Template(file.read_text("utf-8").strip())
