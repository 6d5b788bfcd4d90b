"""A query without its names and values, so that only its form is left."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlglot import exp

from dragoman.sql.parse import parse

_PLAIN_NUMBERS = frozenset({"0", "1", "100", "0.0", "1.0", "100.0"})
"""Numbers that belong to the form: tests for emptiness, percentages."""

_TEXTS = (
    exp.Literal,
    exp.National,
    exp.HexString,
    exp.BitString,
    exp.ByteString,
    exp.RawString,
    exp.UnicodeString,
    exp.Parameter,
    exp.Placeholder,
    exp.JSONPath,
)


@dataclass(frozen=True, slots=True)
class Masked:
    """`sql` with `table_1`, `column_1`, `name_1` (aliases), `function_1` and `'value_1'` for what stood there.

    `names` are the tables and columns that were masked, `values` the texts and numbers, each once.
    """

    sql: str
    names: tuple[str, ...]
    values: tuple[str, ...]


def masked(sql: str, dialect: str) -> Masked:
    """Mask one query; functions that sqlglot knows and the numbers 0, 1 and 100 stay. Raises `Unreadable`."""
    tree = parse(sql, dialect)
    aliases = _aliases(tree)
    seen: dict[tuple[str, str], str] = {}
    names: list[str] = []
    values: list[str] = []

    def renamed(kind: str, name: str) -> str:
        return seen.setdefault((kind, name.lower()), f"{kind}_{1 + sum(known == kind for known, _ in seen)}")

    for node in list(tree.walk(bfs=False)):
        if isinstance(node, _TEXTS):
            if not (isinstance(node, exp.Literal) and not node.is_string and node.this in _PLAIN_NUMBERS):
                values.append(node.name)
                _replace(node, renamed("value", node.sql()))
        elif isinstance(node, exp.Identifier):
            kind = _kind(node, aliases)
            if kind in ("table", "column"):
                names.append(node.name)
            node.replace(exp.to_identifier(renamed(kind, node.name)))
        elif isinstance(node, exp.Anonymous):
            node.set("this", renamed("function", str(node.this)))
        elif isinstance(node, exp.DataType) and node.args.get("kind"):
            node.set("kind", renamed("type", str(node.args["kind"])))
    text = tree.sql(dialect=dialect, comments=False)
    return Masked(text, tuple(dict.fromkeys(names)), tuple(dict.fromkeys(value for value in values if value)))


def _aliases(tree: exp.Expr) -> Mapping[str, str]:
    """Names that the query itself gives, in lower case."""
    given: dict[str, str] = {}
    for node in tree.find_all(exp.Alias, exp.TableAlias, exp.Window):
        alias = node.args.get("alias") if not isinstance(node, exp.TableAlias) else node.this
        if isinstance(alias, exp.Identifier):
            given[alias.name.lower()] = "name"
        if isinstance(node, exp.TableAlias):
            given.update((column.name.lower(), "name") for column in node.args.get("columns") or ())
    return given


def _kind(node: exp.Identifier, aliases: Mapping[str, str]) -> str:
    parent = node.parent
    if node.name.lower() in aliases:
        return "name"
    if isinstance(parent, exp.Table):
        return "table" if node is parent.this else "schema"
    if isinstance(parent, exp.Column):
        return "column" if node is parent.this else "table"
    return "column" if isinstance(parent, (exp.Join, exp.Dot, exp.Tuple)) else "name"


def _replace(node: exp.Expr, name: str) -> None:
    """Put a masked text or number where the node stands."""
    number = isinstance(node, exp.Literal) and not node.is_string
    node.replace(exp.Var(this=name.replace("value", "number")) if number else exp.Literal.string(name))
