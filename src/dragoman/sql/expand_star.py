"""What a star stands for, and which expressions pick columns as a star does."""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from dragoman.sql.bind_column import sources_named
from dragoman.sql.binding import Binding, Outputs, Scope, Source
from dragoman.sql.derived import joined_columns

Bind = Callable[[exp.Expr, Scope], None]
"""Binds the names of an expression in a scope."""


def expand_star(star: exp.Expr, scope: Scope, binding: Binding, bind: Bind) -> Outputs:
    """The columns of `*`, `t.*` or `(row).*` in a SELECT list, noted in `binding` as read."""
    sources = list(scope.sources.values())
    if isinstance(star, exp.Dot):
        bind(star.this, scope)
        row = star.this.unnest()
        sources = sources_named([row.this], scope) if isinstance(row, exp.Column) and not row.table else []
    elif isinstance(star, exp.Column) and star.table:
        sources = sources_named(star.parts[:-1], scope)
        if not sources:
            binding.unknown_columns.append((star, list(scope.sources.values())))
    inner = star.this if isinstance(star, exp.Column) else star
    dropped = left_out(inner, sources, scope, bind)
    columns = {key: value for key, value in joined_columns(sources).items() if key not in dropped}
    binding.expansions.append((star, tuple(sources)))
    kept = set(columns)
    if len(sources) == 1:
        kept -= {item.alias.lower() for item in inner.args.get("replace") or ()}
    for source in sources:
        binding.stars += [o for key, (_, origins) in source.columns.items() if key in kept for o in origins]
        binding.reads += [o for key in source.columns if key in kept for o in source.behind.get(key, ())]
    return columns, not sources or any(source.open for source in sources)


def left_out(star: exp.Expr, sources: list[Source], scope: Scope, bind: Bind) -> set[str]:
    """Bind what a star leaves out, replaces or renames; the folded names that it leaves out of all its sources."""
    names: set[str] = set()
    for key in ("except_", "replace", "rename"):
        for item in star.args.get(key) or ():
            bind(item, scope)
            qualifier = item.parts[:-1] if isinstance(item, exp.Column) else []
            if key == "except_" and (not qualifier or (len(sources) == 1 and sources_named(qualifier, scope))):
                names.add(item.name.lower())
    return names


def picks_columns(node: exp.Expr) -> bool:
    """Whether a pattern or a function picks columns of all sources there, as DuckDB's COLUMNS and `* LIKE` do."""
    if isinstance(node, exp.Anonymous):
        return node.name.lower() == "columns"
    return isinstance(node, exp.Columns) or (isinstance(node, exp.Binary) and node.this.is_star)
