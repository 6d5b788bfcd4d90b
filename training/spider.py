"""Spider, and the demo database, as dragoman's own values: examples, and the schema of each database."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any
from zlib import crc32

from dragoman.databases import Database
from dragoman.databases.connect import connect
from dragoman.linking.build_value_index import build_value_index
from dragoman.linking.lexical import relevance
from dragoman.linking.value_index import FORMAT, ValueHint, ValueIndex
from dragoman.questions import Example, Question
from dragoman.schema import Column, ForeignKey, Schema, Table


def tables_json_schema(record: dict[str, Any]) -> Schema:
    """The schema that one record of Spider's tables.json describes."""
    names, columns = record["table_names_original"], record["column_names_original"]
    keys = [k for entry in record["primary_keys"] for k in (entry if isinstance(entry, list) else [entry])]
    tables = []
    for number, name in enumerate(names):
        mine = [i for i, (table, _) in enumerate(columns) if table == number]
        foreign = [
            ForeignKey((columns[here][1],), names[columns[there][0]], (columns[there][1],))
            for here, there in record["foreign_keys"]
            if here in mine
        ]
        tables.append(
            Table(
                name,
                tuple(
                    Column(columns[i][1], record["column_types"][i], primary_key=keys.index(i) + 1 if i in keys else 0)
                    for i in mine
                ),
                foreign_keys=tuple(foreign),
            )
        )
    return Schema(tuple(tables), name=record["db_id"])


class Spider:
    """Spider's folder (see its README): examples, databases, schemas, values. `work` keeps the value indexes.

    `others` are databases beside Spider's, by name.
    """

    def __init__(self, folder: Path, work: Path, others: Mapping[str, Database] = MappingProxyType({})) -> None:
        """Open nothing yet; what is opened stays open."""
        self.folder = folder
        self.work = work
        self._others = frozenset(others)
        self._databases: dict[str, Database | None] = dict(others)
        self._schemas: dict[str, Schema] = {}

    def examples(self, split: str) -> tuple[Example, ...]:
        """The examples of "train_spider" or "dev", in the file's order."""
        records = json.loads((self.folder / f"{split}.json").read_text(encoding="utf-8"))
        return tuple(
            Example(Question(r["question"], id=f"{split}-{i}"), r["query"], r["db_id"]) for i, r in enumerate(records)
        )

    def database(self, name: str) -> Database | None:
        """The database behind the guard, None for the two that are missing."""
        if name not in self._databases:
            path = self.folder / "database" / name / f"{name}.sqlite"
            self._databases[name] = connect(str(path)) if path.exists() else None
        return self._databases[name]

    def schema(self, name: str) -> Schema:
        """As the engine reports it; from tables.json where the database is missing."""
        if name not in self._schemas:
            database = self.database(name)
            self._schemas[name] = database.schema() if database is not None else self._from_tables_json(name)
        return self._schemas[name]

    def hints(self, example: Example) -> tuple[ValueHint, ...]:
        """Values of the database that the question names."""
        path = self.work / "values" / f"{example.database}-{self._mark(example.database)}{FORMAT}.sqlite"
        database = self.database(example.database)
        if database is None:
            return ()
        index = ValueIndex(path) if path.exists() else build_value_index(database, path)
        return index.match(
            example.question.text, relevance=relevance(self.schema(example.database), example.question.text)
        )

    def _mark(self, name: str) -> str:
        """What tells the names of a database beside Spider's, which may change under the same name."""
        return f"{crc32(repr(self.schema(name).tables).encode()):08x}-" if name in self._others else ""

    def _from_tables_json(self, name: str) -> Schema:
        records = json.loads((self.folder / "tables.json").read_text(encoding="utf-8"))
        return tables_json_schema(next(r for r in records if r["db_id"] == name))
