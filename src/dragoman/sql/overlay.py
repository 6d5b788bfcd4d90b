"""Puts views in front of a query as CTEs, where an engine has no views for one session."""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp
from sqlglot.tokenizer_core import TokenType

from dragoman.schema import Schema
from dragoman.sql.catalog import catalog_of
from dragoman.sql.cte_name import cte_name
from dragoman.sql.parse import Tree, parse, tokenize
from dragoman.sql.quote import quote_always
from dragoman.sql.rename import rename
from dragoman.sql.resolve import resolve


def overlay(sql: str, views: Mapping[str, str], schema: Schema) -> str:
    """The query with those of `views` before it that it reads; `views` maps a table of `schema` to its SELECT.

    EXPLAIN stays in front. A query that defines a CTE with the name of such a table keeps its meaning: the view then
    stands under a name of its own. The SELECTs must name their tables with a qualifier, for a CTE hides bare names.
    """
    tree = parse(sql, schema.dialect)
    read = list(dict.fromkeys(key for _, _, key in resolve(tree, schema).tables if key in views))
    if not read:
        return sql
    tables = {catalog_of(schema).key(table): table.name for table in schema}
    own = _own_names(tree, schema.dialect)
    names = {key: _free(tables[key], own) for key in read}
    moved = {(key, ""): name for key, name in names.items() if name != tables[key]}
    if moved:
        sql = rename(sql, schema, moved)
    ctes = ", ".join(f"{quote_always(names[key], schema.dialect)} AS ({views[key]})" for key in read)
    tokens = tokenize(sql, schema.dialect)
    if tokens[0].token_type != TokenType.WITH:
        return f"{sql[: tokens[0].start]}WITH {ctes} {sql[tokens[0].start :]}"
    last = tokens[1] if tokens[1].token_type == TokenType.RECURSIVE else tokens[0]
    return f"{sql[: last.end + 1]} {ctes}, {sql[last.end + 1 :].lstrip()}"


def _own_names(tree: Tree, dialect: str) -> set[str]:
    """The CTEs that the query itself defines, wherever they are, in lower case."""
    return {cte_name(cte.args["alias"].this, dialect).lower() for cte in tree.find_all(exp.CTE)}


def _free(name: str, taken: set[str]) -> str:
    """The name, with underscores where a CTE has it already."""
    while name.lower() in taken:
        name += "_"
    return name
