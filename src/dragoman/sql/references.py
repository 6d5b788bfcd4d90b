"""Which tables and columns a query reads, and which of its names mean nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from sqlglot import exp

from dragoman.schema import Schema
from dragoman.sql.binding import Origin, Source
from dragoman.sql.catalog import catalog_of
from dragoman.sql.parse import Tree
from dragoman.sql.resolve import resolve


@dataclass(frozen=True, slots=True)
class Unresolved:
    """A table or column that nothing in scope has. `name` is as written, with its qualifiers.

    `quoted` where it stood in the dialect's quotes; `nearest` are up to three existing names that are like it.
    `str()` is one sentence.
    """

    name: str
    table: bool = False
    quoted: bool = False
    nearest: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"There is no {'table' if self.table else 'column'} {self.name}.{did_you_mean(self.nearest)}"


def did_you_mean(nearest: Sequence[str]) -> str:
    """The question that follows a name that is not there, with a space before it; empty without names like it."""
    return f" Did you mean {' or '.join(nearest)}?" if nearest else ""


def nearest_tables(name: str, schema: Schema) -> tuple[str, ...]:
    """Up to three tables of the schema whose names are like `name`, most alike first."""
    return _nearest(name, catalog_of(schema).names)


def references(tree: Tree, schema: Schema, *, stars: bool = False) -> frozenset[Origin]:
    """(table, column) of every column that the query reads, and (table, "") of every table in it.

    Names are the schema's own; a table outside the default schema is "schema.table". Aliases, CTEs, subqueries,
    USING and NATURAL are seen through. `stars` adds the columns that `*` stands for; COUNT(*) reads none.
    """
    binding = resolve(tree, schema)
    columns = {origin for name in binding.names for origin in name.origins}
    columns.update((key, "") for _, _, key in binding.tables)
    columns.update(origin for merge in binding.merges for origins in merge.common.values() for origin in origins)
    return frozenset(columns | set(binding.stars) if stars else columns)


def unresolved(tree: Tree, schema: Schema) -> tuple[Unresolved, ...]:
    """Every name that cannot be bound, in order and once, with up to three existing names that are like it."""
    binding = resolve(tree, schema)
    found = [
        Unresolved(_written(table), True, _quoted(table), nearest_tables(table.name, schema))
        for table in binding.unknown_tables
    ]
    for column, sources in binding.unknown_columns:
        nearest = _nearest(column.name, _column_names(sources))
        found.append(Unresolved(_written(column), False, _quoted(column), nearest))
    return tuple(dict.fromkeys(found))


def resolve_double_quotes(tree: Tree, schema: Schema, *, gold: bool) -> Tree:
    """The tree with SQLite's double-quoted strings made strings, which is what SQLite does with gold SQL.

    On SQLite a double-quoted token that names nothing in scope is a string. In gold SQL that is meant and the copy
    returned holds a string; in a prediction (`gold` false) it stays a column, which `unresolved` reports as an
    invalid reference. Other dialects, and trees without such tokens, come back as they are.
    """
    if not gold or schema.dialect != "sqlite":
        return tree
    strings = {id(column) for column, _ in resolve(tree, schema).unknown_columns if _may_be_string(column)}
    if not strings:
        return tree
    marks = [id(node) in strings for node in tree.walk()]
    copy = tree.copy()
    for node, is_string in zip(list(copy.walk()), marks, strict=True):
        if is_string:
            literal = exp.Literal.string(node.name)
            if node is copy:
                return literal
            node.replace(literal)
    return copy


def _may_be_string(column: exp.Column) -> bool:
    return len(column.parts) == 1 and isinstance(column.this, exp.Identifier) and _quoted(column)


def _written(node: exp.Table | exp.Column) -> str:
    return ".".join(part.name for part in node.parts)


def _quoted(node: exp.Table | exp.Column) -> bool:
    return isinstance(node.this, exp.Identifier) and bool(node.this.args.get("quoted"))


def _column_names(sources: list[Source]) -> list[str]:
    return list(dict.fromkeys(name for source in sources for name, _ in source.columns.values()))


def _nearest(name: str, names: Iterable[str]) -> tuple[str, ...]:
    folded: dict[str, str] = {}
    for existing in names:
        folded.setdefault(existing.lower(), existing)
    return tuple(folded[match] for match in get_close_matches(name.lower(), list(folded), 3, 0.6))
