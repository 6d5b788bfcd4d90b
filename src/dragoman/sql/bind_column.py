"""Binds one column to what it means in its scope: a column, an alias, a field, a whole row, or nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from sqlglot import exp

from dragoman.sql.binding import Binding, Bound, Origin, Scope, Source

_HIDDEN = {
    "sqlite": {"rowid", "oid", "_rowid_"},
    "duckdb": {"rowid", "filename"},
    "postgres": {"ctid", "tableoid", "xmin", "xmax", "cmin", "cmax"},
    "bigquery": {"_table_suffix", "_partitiontime", "_partitiondate", "_file_name"},
    "snowflake": {"metadata$filename", "metadata$file_row_number", "level"},
    "oracle": {"rowid", "rownum", "level"},
    "clickhouse": {"_part", "_partition_id", "_table"},
}  # fmt: skip
SAME = "\0"
"""Follows the key of a source in its scope once for every other one of the same name."""

_WHOLE_ROWS = frozenset({"postgres", "redshift", "duckdb", "bigquery"})


def bind_column(column: exp.Column, scope: Scope, binding: Binding, dialect: str, *, alias_first: bool) -> None:
    """Note in `binding` what the column means; `alias_first` where an alias goes before a column (ORDER BY)."""
    if not isinstance(column.this, exp.Identifier):  # t.* as an argument
        sources = sources_named(column.parts[:-1], scope) if column.table else []
        if column.table and not sources:
            binding.unknown_columns.append((column, list(scope.sources.values())))
        elif not isinstance(column.parent, exp.Count):
            binding.reads += [origin for source in sources for origin in source.row]
        return
    binder = _Binder(column, binding, dialect)
    for position in reversed(range(len(column.parts))):
        if any(binder.bind(position, level, alias_first) for level in binder.levels(scope, position)):
            return
    binding.unknown_columns.append(
        (column, [source for level in _outwards(scope) for source in level.sources.values()])
    )


def sources_named(parts: Sequence[exp.Expr], scope: Scope) -> list[Source]:
    """The sources that the parts before a column or a star name, the innermost ones; several if aliases are equal."""
    for level in _outwards(scope):
        if found := [source for key, source in level.sources.items() if _names(source, key, parts)]:
            return found
    return []


class _Binder:
    """One column, tried at one position of its parts after the other."""

    def __init__(self, column: exp.Column, binding: Binding, dialect: str) -> None:
        self.column, self.binding = column, binding
        self.parts = column.parts
        self.hidden = _HIDDEN.get(dialect, set())
        self.whole_rows = dialect in _WHOLE_ROWS
        self.row_ids = dialect == "sqlite"

    def levels(self, scope: Scope, position: int) -> Iterator[Scope]:
        """The scopes from the inside out; a qualifier that names a source ends the search there."""
        before = self.parts[:position]
        for level in _outwards(scope):
            yield level
            if before and any(_names(source, key, before) for key, source in level.sources.items()):
                return

    def bind(self, position: int, level: Scope, alias_first: bool) -> bool:
        """Read that part as the column's name, what stands before it as its table and what follows as its fields."""
        before, name = self.parts[:position], self.parts[position].name.lower()
        last = position == len(self.parts) - 1
        candidates = [s for key, s in level.sources.items() if not before or _names(s, key, before)]
        known = [s for s in candidates if name in s.columns]
        if last and not known and self.row_ids and name in self.hidden:
            self.binding.reads += self.keys(candidates)
        if not before and alias_first and name in level.aliases:
            if not isinstance(self.column.parent, exp.Ordered):  # engines differ on an alias inside an expression
                self.binding.reads += [origin for source in known for origin in source.read(name)]
                self.read_row(name, level)
            return self.take(position, level.aliases[name])
        if known:
            merged = None if before else level.merged.get(name)
            origins = merged or known[0].columns[name][1]
            self.binding.reads += [origin for source in known for origin in source.behind.get(name, ())]
            if merged is None:
                self.binding.reads += [origin for source in known[1:] for origin in source.read(name)]
            return self.take(position, origins, known, ambiguous=len(known) > 1 and merged is None)
        if last and before and candidates:
            return (any(s.open for s in candidates) or name in self.hidden) and self.take(position, (), candidates)
        if last and not before:
            if name in level.aliases:
                self.read_row(name, level)
                return self.take(position, level.aliases[name])
            if name in level.sources and self.whole_rows:
                self.read_row(name, level)
                return self.take(position, (), [level.sources[name]])
            if level.sources and (name in self.hidden or any(s.open for s in level.sources.values())):
                self.read_row(name, level)
                return self.take(position, ())
        # a field of a struct that an open source may have
        return position == 0 and not last and any(s.open for s in level.sources.values()) and self.take(position, ())

    def read_row(self, name: str, level: Scope) -> None:
        """Note the whole row that the name may be, though it may be an alias or a column that nobody knows."""
        if self.whole_rows:
            self.binding.reads += [o for source in sources_named([exp.to_identifier(name)], level) for o in source.row]

    def keys(self, sources: Sequence[Source]) -> list[Origin]:
        """The primary keys of one column that a row id of the sources may be; a subquery may show any table's."""
        tables = {key: t for _, t, key in self.binding.tables if any(s.table in (None, t) for s in sources)}
        return [(key, t.primary_key[0]) for key, t in tables.items() if len(t.primary_key) == 1]

    def take(
        self, position: int, origins: tuple[Origin, ...], sources: Iterable[Source] = (), *, ambiguous: bool = False
    ) -> bool:
        part = self.parts[position]
        if isinstance(part, exp.Identifier):
            self.binding.names.append(Bound(part, origins, self.column, tuple(sources), ambiguous))
        return True


def _outwards(scope: Scope) -> Iterator[Scope]:
    level: Scope | None = scope
    while level is not None:
        yield level
        level = level.outer


def _names(source: Source, key: str, before: Sequence[exp.Expr]) -> bool:
    """Whether the parts before a column name this source: its alias, or its table with schema and catalog."""
    written = [part.name.lower() for part in before]
    if written == [key.rstrip(SAME)]:
        return True
    if source.table is None or not isinstance(source.node, exp.Table) or len(written) < 2:
        return False
    own = [part.name.lower() for part in source.node.parts]
    full = [*source.table.schema.lower().split("."), source.table.name.lower()]
    return written in (own[-len(written) :], full[-len(written) :])
