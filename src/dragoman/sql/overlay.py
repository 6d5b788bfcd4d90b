"""Puts views in front of a query as CTEs, where an engine has no views for one session."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from sqlglot import exp
from sqlglot.tokenizer_core import Token, TokenType

from dragoman.schema import Schema
from dragoman.sql.binding import Binding
from dragoman.sql.cte_name import cte_name
from dragoman.sql.parse import Tree, parse, tokenize
from dragoman.sql.quote import quote_always
from dragoman.sql.rename import rename
from dragoman.sql.resolve import resolve

_MERGED_ON_REQUEST = frozenset({"duckdb", "postgres"})
"""Dialects whose engines may compute a CTE by itself, all of it, and can be told to take it like a view."""


_RELATION = exp.Table | exp.Subquery


@dataclass(frozen=True, slots=True)
class Select:
    """The SELECT of a view: what it writes for each column, by the column's name outside, and its table."""

    columns: Mapping[str, str]
    table: str

    def sql(self, kept: Collection[str] | None = None) -> str:
        """Its text, with those columns of `kept` alone; with the first one where there are none."""
        items = [item for name, item in self.columns.items() if kept is None or name in kept]
        return f"SELECT {', '.join(items or list(self.columns.values())[:1])} FROM {self.table}"


def overlay(sql: str, views: Mapping[str, Select], schema: Schema) -> str:
    """The query with those of `views` before it that it reads; `views` maps a table of `schema` to its SELECT.

    Each shows the columns that the query may read: engines take time for every one of a wide table. EXPLAIN stays in
    front. A query that defines a CTE with the name of such a table keeps its meaning: the view then stands under a name
    of its own. The SELECTs must name their tables with a qualifier, for a CTE hides bare names.
    """
    tree = parse(sql, schema.dialect)
    binding = resolve(tree, schema)
    tables = {key: table.name for _, table, key in binding.tables if key in views}
    if not tables:
        return sql
    own = _own_names(tree, schema.dialect)
    names = {key: _free(table, own) for key, table in tables.items()}
    moved = {(key, ""): name for key, name in names.items() if name != tables[key]}
    if moved:
        sql = rename(sql, schema, moved)
    tokens = tokenize(sql, schema.dialect)
    kept = _columns(tree, tokens, binding, {key: views[key] for key in tables})
    how = "AS NOT MATERIALIZED" if schema.dialect in _MERGED_ON_REQUEST else "AS"
    ctes = ", ".join(
        f"{quote_always(name, schema.dialect)} {how} ({views[key].sql(kept.get(key))})" for key, name in names.items()
    )
    if tokens[0].token_type != TokenType.WITH:
        return f"{sql[: tokens[0].start]}WITH {ctes} {sql[tokens[0].start :]}"
    last = tokens[1] if tokens[1].token_type == TokenType.RECURSIVE else tokens[0]
    return f"{sql[: last.end + 1]} {ctes}, {sql[last.end + 1 :].lstrip()}"


def _columns(tree: Tree, words: Sequence[Token], binding: Binding, views: Mapping[str, Select]) -> dict[str, set[str]]:
    """The columns of each view that the query may read; no views where that cannot be known, or goes by position.

    Those are the ones whose name is written anywhere in it, also as a word that could be a function (`user`), and those
    that it reads without: by stars, whole rows and selectors. NATURAL joins by all that two sides share, and a column
    list after an alias names columns by their place.
    """
    unknown = binding.unknown_columns or any(s.open for _, sources in binding.expansions for s in sources)
    natural = any(merge.natural for merge in binding.merges)
    renamed = any(a.args.get("columns") and isinstance(a.parent, _RELATION) for a in tree.find_all(exp.TableAlias))
    if unknown or natural or renamed:
        return {}
    if any(not bound.origins and any(s.open for s in bound.sources) for bound in binding.names):
        return {}
    written = {node.name.lower() for node in tree.find_all(exp.Identifier)} | {word.text.lower() for word in words}
    read = {(key, name.lower()) for key, name in (*binding.stars, *binding.reads)}
    return {
        key: {name for name in view.columns if name.lower() in written or (key, name.lower()) in read}
        for key, view in views.items()
    }


def _own_names(tree: Tree, dialect: str) -> set[str]:
    """The CTEs that the query itself defines, wherever they are, in lower case."""
    return {cte_name(cte.args["alias"].this, dialect).lower() for cte in tree.find_all(exp.CTE)}


def _free(name: str, taken: set[str]) -> str:
    """The name, with underscores where a CTE has it already."""
    while name.lower() in taken:
        name += "_"
    return name
