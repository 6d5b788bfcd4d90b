"""Tables and columns ranked for a question without a model: words, other words for them, values, and joins.

Tables are scored as texts with fields (BM25F: Robertson, Zaragoza and Taylor 2004), columns by how much of their name
the question covers. Then scores flow along foreign keys and along identifiers that tables share, so that what joins
two tables comes with them. Recall goes first: what is not asked for keeps a small score.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from dragoman.linking.column_paths import column_paths
from dragoman.linking.name_ranges import variable_parts
from dragoman.linking.ranking import FullName, Ranking
from dragoman.linking.words import SAME, Vocabulary, stop_words, with_compounds, words
from dragoman.schema import Schema, Table

NAME, COLUMN, COMMENT, NAMESPACE, SHARD = 3.0, 1.0, 0.5, 0.5, 0.5
"""What a word counts for a table: in its name, a column's name, a comment, its namespace, the names of its shards."""
SATURATION = 1.2
LENGTH = 0.3
"""k1 and b of BM25; b is small, since wide tables are not about less."""
NEIGHBOUR = 0.4
"""Share of a table's score that those next to it have at least."""
SHARED = 0.5
"""Share of a table's score that an identifier has which the table shares with another one."""
MOST_SHARING = 12
"""Tables; an identifier that more of them have joins them no longer."""
LEAST = 0.02
"""The score of a table that the question does not speak of."""

_IDENTIFIER = re.compile(r"(id|key|code|uuid|guid|number|no|num|sk|fk|pk|geoid|fips)$", re.IGNORECASE)

Hints = Sequence[tuple[str, str, str]]
"""(table, column, value) that a question names."""


class Ranker:
    """Ranks the tables of one schema, which it indexes once. Safe to use from several threads."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema
        self._columns = {
            (table.full_name, path): _column_words(path, column.comment)
            for table in schema
            for column in table.columns
            for path, _ in column_paths(column)
        }
        self._tables = {table.full_name: self._weighted_words(table) for table in schema}
        of_tables = Counter(word for found in self._tables.values() for word in found)
        of_columns = Counter(word for own, _ in self._columns.values() for word in own)
        self._rare_table = _rarity(of_tables, len(self._tables))
        self._rare_column = _rarity(of_columns, len(self._columns))
        self._average = sum(map(len, self._tables.values())) / max(1, len(self._tables))
        self._vocabulary = Vocabulary([*of_tables, *of_columns])
        self._neighbours = _neighbours(schema)
        self._sharing = _sharing(schema)

    def rank(self, question: str, values: Hints = ()) -> Ranking:
        """Scores of all tables, columns and fields for the question; `values` are found values that it names."""
        asked = self._asked(question)
        best: dict[str, float] = {}
        for meant in asked:
            for word, weight in meant.items():
                best[word] = max(best.get(word, 0.0), weight)
        tables = {name: self._table_score(found, asked) for name, found in self._tables.items()}
        columns = {at: score for at, found in self._columns.items() if (score := self._column_score(found, best)) > 0}
        top = max(tables.values(), default=0.0) or 1.0
        why = {name: self._why(name, best) for name, score in tables.items() if score > 0}
        tables = {name: max(LEAST, score / top) for name, score in tables.items()}
        self._with_values(tables, columns, why, values)
        self._with_joins(tables, columns)
        return Ranking(tables, columns, {name: tuple(said) for name, said in why.items() if said})

    def _asked(self, question: str) -> list[Mapping[str, float]]:
        """What each word of the question may stand for, and each two that follow each other if names join them."""
        asked = words(question)
        single = dict.fromkeys(word for word in asked if word not in _function_words())
        joined = dict.fromkeys(
            word for word in with_compounds(asked) if word not in asked and self._vocabulary.has(word)
        )
        return [self._vocabulary.meant_by(word) for word in single] + [{word: SAME} for word in joined]

    def _weighted_words(self, table: Table) -> dict[str, float]:
        found: dict[str, float] = {}

        def add(parts: Iterable[str], weight: float) -> None:
            for word in set(parts):
                found[word] = found.get(word, 0.0) + weight

        columns = [self._columns[table.full_name, path] for column in table.columns for path, _ in column_paths(column)]
        add(with_compounds(words(table.name)), NAME)
        add(words(table.schema.rpartition(".")[2]), NAMESPACE)
        add(set(words(table.comment)) - _function_words(), COMMENT)
        add((part for member in table.members for part in variable_parts(member)[1]), SHARD)
        add((word for own, _ in columns for word in own), COLUMN)
        add((word for _, comment in columns for word in comment), COMMENT)
        return found

    def _table_score(self, found: Mapping[str, float], asked: Iterable[Mapping[str, float]]) -> float:
        """BM25F, where a word of the question counts by the best of the words that it may stand for."""
        length = 1 - LENGTH + LENGTH * len(found) / self._average
        score = 0.0
        for meant in asked:
            best = 0.0
            for word, weight in meant.items() if len(meant) < len(found) else ((w, meant.get(w, 0.0)) for w in found):
                count = found.get(word, 0.0)
                if count and weight:
                    best = max(best, weight * self._rare_table[word] * count / (count + SATURATION * length))
            score += best
        return score

    def _column_score(self, found: tuple[Mapping[str, float], frozenset[str]], best: Mapping[str, float]) -> float:
        """How much of the column's name is asked for; rare words count more, words of its comment half."""
        own, comment = found
        covered = missed = 0.0
        for word, share in own.items():
            rare, weight = self._rare_column[word] * share, best.get(word, 0.0)
            covered += rare * weight
            missed += rare * (1 - weight)
        covered += COMMENT * sum(best.get(word, 0.0) for word in comment)
        return covered / (covered + 0.5 * missed + 1.0)

    def _why(self, name: FullName, best: Mapping[str, float]) -> list[str]:
        """The words of the table that count most."""
        found = self._tables[name]
        hits = [(best[w] * self._rare_table[w] * count, w) for w, count in found.items() if w in best]
        return [word for _, word in sorted(hits, reverse=True)[:4]]

    def _with_values(
        self,
        tables: dict[FullName, float],
        columns: dict[tuple[FullName, str], float],
        why: dict[FullName, list[str]],
        values: Hints,
    ) -> None:
        for table in self._schema:
            for name, column, value in values:
                if table.name.lower() == name.lower() or name in table.members:
                    tables[table.full_name] = 1.0
                    columns[table.full_name, column] = 1.0
                    why.setdefault(table.full_name, []).insert(0, f"{column} = {value!r}")

    def _with_joins(self, tables: dict[FullName, float], columns: dict[tuple[FullName, str], float]) -> None:
        """Give tables a share of their neighbours' scores, and shared identifiers one of the tables that share them."""
        own = dict(tables)
        for name, others in self._neighbours.items():
            tables[name] = max(own[name], NEIGHBOUR * max(own[other] for other in others))
        for sharing in self._sharing:
            ranked = sorted((own[name] for name, _ in sharing), reverse=True)
            for name, path in sharing:
                other = ranked[1] if own[name] == ranked[0] else ranked[0]
                columns[name, path] = max(columns.get((name, path), 0.0), SHARED * other)


def _function_words() -> frozenset[str]:
    return stop_words("function_words.txt")


def _column_words(path: str, comment: str) -> tuple[dict[str, float], frozenset[str]]:
    """Words of the name, those of what it stands in at a third, and words of the comment that are not in the name."""
    parent, _, leaf = path.rpartition(".")
    own = dict.fromkeys(words(parent), 1 / 3) | dict.fromkeys(with_compounds(words(leaf)), 1.0)
    return own, frozenset(words(comment)) - own.keys() - _function_words() if comment else frozenset()


def _rarity(counts: Counter[str], total: int) -> dict[str, float]:
    return {word: math.log(1 + (total - count + 0.5) / (count + 0.5)) for word, count in counts.items()}


def _neighbours(schema: Schema) -> dict[FullName, set[FullName]]:
    found: dict[FullName, set[FullName]] = {}
    for owner, key in schema.foreign_keys:
        target = schema.table(key.target, key.target_schema or owner.schema)
        if target is not None and target is not owner:
            found.setdefault(owner.full_name, set()).add(target.full_name)
            found.setdefault(target.full_name, set()).add(owner.full_name)
    return found


def _sharing(schema: Schema) -> list[list[tuple[FullName, str]]]:
    """Columns that look like identifiers, each with those of other tables that are named alike."""
    alike: dict[str, list[tuple[FullName, str]]] = {}
    for table in schema:
        for column in table.columns:
            if _IDENTIFIER.search(column.name):
                alike.setdefault(column.name.lower(), []).append((table.full_name, column.name))
    return [places for places in alike.values() if 2 <= len(places) <= MOST_SHARING]
