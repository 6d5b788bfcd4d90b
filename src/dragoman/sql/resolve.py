"""Binds every name in a query to what it means: a column of a table, an output of a subquery, or nothing.

It reports what it cannot bind and never raises for it. Sources whose columns nobody can know (table functions,
UNNEST, PIVOT, tables without listed columns) accept any name.
"""

from __future__ import annotations

from sqlglot import exp

from dragoman.schema import Schema
from dragoman.sql.bind_column import SAME, bind_column
from dragoman.sql.binding import Binding, Bound, Columns, Merge, Origin, Outputs, Scope, Source
from dragoman.sql.catalog import catalog_of
from dragoman.sql.cte_name import cte_name
from dragoman.sql.derived import derived, joined_columns
from dragoman.sql.expand_star import expand_star, left_out, picks_columns
from dragoman.sql.parse import Tree
from dragoman.sql.sources import is_bracketed_join, search_columns, unlisted_table


def resolve(tree: Tree, schema: Schema) -> Binding:
    """Bind the names of `tree`, which is left as it is. Linear in the size of the tree but for expanded stars."""
    resolver = _Resolver(schema)
    resolver.query(tree, Scope())
    return resolver.binding


class _Resolver:
    def __init__(self, schema: Schema) -> None:
        self.catalog = catalog_of(schema)
        self.dialect = schema.dialect
        self.always_recursive = schema.dialect in ("sqlite", "snowflake", "tsql", "oracle")
        self.binding = Binding()

    def query(self, node: exp.Expr, outer: Scope, recursive: tuple[str, exp.CTE] | None = None) -> Outputs:
        """Bind one query; returns its output columns by folded name, and whether there may be more."""
        scope = Scope(outer)
        self._ctes(node, scope)
        if isinstance(node, exp.Select):
            return self._select(node, scope)
        if isinstance(node, exp.SetOperation):
            return self._set_operation(node, scope, recursive)
        if isinstance(node, exp.Subquery):
            return self._subquery(node, scope)
        if isinstance(node, exp.Values):
            self.expression(node, scope)
            return self._values(node)
        if isinstance(node, exp.Table | exp.Pivot):  # `TABLE t`, or a PIVOT that is a statement
            self._source(node if isinstance(node, exp.Table) else node.this, scope)
            self._read_rows(scope)
            if isinstance(node, exp.Pivot):
                self._modifiers(node, scope, skip=("this", "with_", "into"))
            return joined_columns(list(scope.sources.values())), isinstance(node, exp.Pivot)
        self.expression(node, scope)
        return {}, True

    def _values(self, node: exp.Expr) -> Outputs:
        """The columns of VALUES as PostgreSQL names them; any name elsewhere and for what is not VALUES."""
        if self.dialect != "postgres" or not isinstance(node, exp.Values) or not node.expressions:
            return {}, True
        return {f"column{i}": (f"column{i}", ()) for i, _ in enumerate(node.expressions[0].expressions, 1)}, False

    def _ctes(self, node: exp.Expr, scope: Scope) -> None:
        clause = node.args.get("with_")
        if clause is None:
            return
        for cte in clause.expressions:
            name = cte_name(cte.args["alias"].this, self.dialect)
            recursive = (name, cte) if clause.args.get("recursive") or self.always_recursive else None
            if cte.args.get("scalar") or not isinstance(cte.this, exp.Query | exp.Pivot):
                self.expression(cte.this, scope)
                scope.ctes[name] = Source(name, {}, open=True)
                continue
            outputs, more = self.query(cte.this, scope, recursive)
            scope.ctes[name] = derived(cte.args.get("alias"), name, outputs, more)
            if cte is clause.expressions[-1]:
                scope.ctes[name].columns.update(search_columns(clause))

    def _set_operation(self, node: exp.SetOperation, scope: Scope, recursive: tuple[str, exp.CTE] | None) -> Outputs:
        branches: list[tuple[exp.Expr, bool]] = []
        first: exp.Expr = node
        while isinstance(first, exp.SetOperation) and (first is node or not first.args.get("with_")):
            branches.append((first.expression, bool(first.args.get("by_name"))))
            first = first.this
        outputs, more = self.query(first, scope)
        if recursive:
            name, cte = recursive
            scope.ctes[name] = derived(cte.args.get("alias"), name, outputs, more)
        for branch, by_name in reversed(branches):
            others, open_too = self.query(branch, scope)
            if by_name:
                outputs, more = {**outputs, **{k: v for k, v in others.items() if k not in outputs}}, more or open_too
        scope.aliases = {name: origins for name, (_, origins) in outputs.items()}
        self._modifiers(node, scope, skip=("this", "expression", "with_"))
        return outputs, more

    def _subquery(self, node: exp.Subquery, scope: Scope) -> Outputs:
        """A query in brackets, or a join in brackets."""
        if is_bracketed_join(node):
            self._source(node.this, scope)
            outputs, more = joined_columns(list(scope.sources.values())), any(s.open for s in scope.sources.values())
        else:
            outputs, more = self.query(node.this, scope)
        scope.aliases = {name: origins for name, (_, origins) in outputs.items()}
        self._modifiers(node, scope, skip=("this", "alias", "with_", "pivots", "joins"))
        return outputs, more

    def _select(self, node: exp.Select, scope: Scope) -> Outputs:
        if node.args.get("from_"):
            self._source(node.args["from_"].this, scope)
        self._joins(node, scope)
        for lateral in node.args.get("laterals") or ():
            self._source(lateral, scope)
        outputs: Columns = {}
        more = False
        for projection in node.expressions:
            name = projection.alias_or_name
            origins: tuple[Origin, ...] = ()
            if isinstance(projection, exp.Alias):
                scope.aliases.setdefault(name.lower(), ())
                self.expression(projection.this, scope)
            elif projection.is_star:
                expanded, open_star = expand_star(projection, scope, self.binding, self.expression)
                outputs.update({key: value for key, value in expanded.items() if key not in outputs})
                more = more or open_star
                continue
            else:
                self.expression(projection, scope)
                if isinstance(projection, exp.Column):
                    last = self.binding.names[-1] if self.binding.names else None
                    origins = last.origins if last is not None and last.node is projection.this else ()
                elif isinstance(projection, exp.Aliases | exp.Explode) or picks_columns(projection):
                    more = True
            outputs.setdefault(name.lower(), (name, origins))
        self._modifiers(node, scope, skip=("with_", "from_", "joins", "laterals", "expressions"))
        return outputs, more

    def _modifiers(self, node: exp.Expr, scope: Scope, skip: tuple[str, ...]) -> None:
        """WHERE, GROUP BY, ORDER BY and the rest; only ORDER BY prefers an alias to a column."""
        for key, value in node.args.items():
            if key not in skip and value:
                for item in value if isinstance(value, list) else (value,):
                    if isinstance(item, exp.Expr):
                        self.expression(item, scope, alias_first=key == "order")

    def _joins(self, node: exp.Expr, scope: Scope) -> None:
        for join in node.args.get("joins") or ():
            before = dict(scope.sources)
            self._source(join.this, scope)
            self._joined(join, before, scope)
        for join in node.args.get("joins") or ():  # SQLite lets ON name a table that is joined later
            for condition in (join.args.get("on"), join.args.get("match_condition")):
                if condition:
                    self.expression(condition, scope)

    def _joined(self, join: exp.Join, before: dict[str, Source], scope: Scope) -> None:
        """Bind the columns of USING and NATURAL on both sides."""
        new = {name: source for name, source in scope.sources.items() if before.get(name) is not source}
        sides = tuple(before.values()), tuple(new.values())
        common: Columns = {}
        for identifier in join.args.get("using") or ():
            node = identifier.this if isinstance(identifier, exp.Column) else identifier
            name = node.name.lower()
            if not any(name in s.columns or s.open for s in new.values()):
                self.binding.unknown_columns.append((exp.column(node.copy()), list(scope.sources.values())))
            common[name] = (node.name, self._both(name, before, new, scope))
            self.binding.names.append(Bound(node, common[name][1]))
        natural = str(join.args.get("method") or "").upper() == "NATURAL"
        if natural:
            left = joined_columns(sides[0])
            shared = {name: value for name, value in joined_columns(sides[1]).items() if name in left}
            common = {name: (value[0], self._both(name, before, new, scope)) for name, value in shared.items()}
        if common or natural:
            merged = {name: origins for name, (_, origins) in common.items()}
            scope.merged.update(merged)
            self.binding.merges.append(Merge(join, merged, *sides, natural))
            self.binding.reads += [o for name in merged for s in (*sides[0], *sides[1]) for o in s.behind.get(name, ())]

    def _both(self, name: str, left: dict[str, Source], right: dict[str, Source], scope: Scope) -> tuple[Origin, ...]:
        return tuple(dict.fromkeys((*self._all(name, left, scope), *self._all(name, right, scope))))

    def _all(self, name: str, sources: dict[str, Source], scope: Scope) -> tuple[Origin, ...]:
        merged = scope.merged.get(name, ()) if len(sources) > 1 else ()
        own = (origin for s in sources.values() if name in s.columns for origin in s.columns[name][1])
        return tuple(dict.fromkeys((*merged, *own)))

    def _source(self, node: exp.Expr, scope: Scope) -> None:
        if isinstance(node, exp.Table):
            self._table(node, scope)
            self._joins(node, scope)
            for lateral in node.args.get("laterals") or ():
                self._source(lateral, scope)
            return
        if is_bracketed_join(node) and not node.args.get("alias"):
            self._source(node.this, scope)
            self._joins(node, scope)
            return
        alias = node.args.get("alias")
        outputs: Columns = {}
        more = True
        joined: list[Source] | None = None
        if isinstance(node, exp.Lateral) and isinstance(node.this, exp.Subquery):
            outputs, more = self.query(node.this, scope)
        elif is_bracketed_join(node):
            inner = Scope(Scope(scope.outer, scope.ctes))
            self._ctes(node, inner)
            outputs, more = self._subquery(node, inner)
            joined = list(inner.sources.values())
        elif isinstance(node, exp.Query):
            outputs, more = self.query(node, Scope(scope.outer, scope.ctes))
        else:
            self.expression(node, scope)
            outputs, more = self._values(node)
        name = node.alias_or_name or f"#{len(scope.sources)}"
        source = derived(alias, name, outputs, more or bool(node.args.get("pivots")), joined)
        if node.args.get("pivots"):
            self.binding.reads += source.row
        if isinstance(node, exp.Unnest):
            for item in (*(alias.args.get("columns") or () if alias else ()), node.args.get("offset")):
                if isinstance(item, exp.Identifier):
                    source.columns[item.name.lower()] = (item.name, ())
        _add(source, name, scope)
        self._joins(node, scope)

    def _table(self, node: exp.Table, scope: Scope) -> None:
        self.binding.visited.add(id(node))
        alias = node.args.get("alias")
        name = node.alias_or_name or f"#{len(scope.sources)}"
        if not isinstance(node.this, exp.Identifier):
            called = [node.this] if node.this is not None else node.args.get("rows_from") or []
            if not all(isinstance(part, exp.Func | exp.Unnest | exp.Table) for part in called):
                self.binding.unknown_tables.append(node)
            for part in called:
                self.expression(part, scope)
            _add(derived(alias, name, {}, True), name, scope)
            return
        cte = None if node.args.get("db") else scope.cte(cte_name(node.this, self.dialect))
        if cte is not None:
            outputs, more = cte.columns, cte.open
            _add(derived(alias, name, outputs, more or bool(node.args.get("pivots"))), name, scope)
            return
        table = self.catalog.table(node.name, node.db, node.catalog)
        if table is None:
            unlisted = None if node.args.get("db") else unlisted_table(node.name, self.dialect)
            if unlisted is not None:
                _add(derived(alias, name, unlisted, False), name, scope)
                return
            if not self._is_path_of_source(node, scope):
                self.binding.unknown_tables.append(node)
            _add(derived(alias, name, {}, True), name, scope)
            return
        key = self.catalog.key(table)
        self.binding.tables.append((node, table, key))
        columns: Columns = {
            folded: (column, ((key, column),)) for folded, column in self.catalog.columns(table).items()
        }
        source = derived(alias, name, columns, not columns or bool(node.args.get("pivots")))
        source.table, source.node = table, node
        if node.args.get("pivots"):
            self.binding.reads += source.row
        again = not alias and name.lower() in scope.sources
        _add(source, f"{table.schema}.{name}" if again else name, scope)

    def _is_path_of_source(self, node: exp.Table, scope: Scope) -> bool:
        """Whether the "table" is an array of an earlier source, as in BigQuery's `FROM t, t.items`."""
        if self.dialect != "bigquery" or len(node.parts) < 2:
            return False
        source = scope.sources.get(node.parts[0].name.lower())
        return source is not None and (source.open or node.parts[1].name.lower() in source.columns)

    def _selector(self, node: exp.Expr, scope: Scope) -> None:
        """Bind COLUMNS(..): a star in it is read as it stands, anything else may pick any column."""
        if not isinstance(node.this, exp.Star | exp.Column):
            self._read_rows(scope)
        for part in node.iter_expressions():
            self.expression(part, scope)

    def _rows(self, table: exp.Table, scope: Scope) -> None:
        """Bind a table that stands for its rows in an expression."""
        inner = Scope(scope)
        self._table(table, inner)
        self._read_rows(inner)

    def _in_table(self, field: exp.Expr, scope: Scope) -> None:
        """Bind what follows IN in SQLite without brackets: the name of a table, even as a string, or a function."""
        if isinstance(field, exp.Column | exp.Literal):
            parts = [part.copy() for part in (field.parts if isinstance(field, exp.Column) else (field,))]
            names = [p if isinstance(p, exp.Identifier) else exp.to_identifier(p.name, quoted=True) for p in parts]
            table = exp.Table(**dict(zip(("this", "db", "catalog"), reversed(names), strict=False)))
            self._rows(table, scope)
        else:
            self.expression(field, scope)

    def _read_rows(self, scope: Scope, dropped: set[str] | frozenset[str] = frozenset()) -> None:
        for source in scope.sources.values():
            self.binding.reads += [o for name in source.columns if name not in dropped for o in source.read(name)]

    def expression(self, node: exp.Expr, scope: Scope, *, alias_first: bool = False) -> None:
        """Bind the columns of an expression; subqueries in it see `scope` as their outer one."""
        stack: list[exp.Expr] = [node]
        while stack:
            item = stack.pop()
            if isinstance(item, exp.Column):
                bind_column(item, scope, self.binding, self.dialect, alias_first=alias_first)
            elif isinstance(item, exp.Query):
                self.query(item, scope)
            elif isinstance(item, exp.Star):
                if not isinstance(item.parent, exp.Count):
                    dropped = left_out(item, list(scope.sources.values()), scope, self.expression)
                    self._read_rows(scope, dropped)
            elif isinstance(item, exp.PositionalColumn):
                if not isinstance(item.parent, exp.Ordered):
                    self._read_rows(scope)
            elif (
                isinstance(item, exp.Columns | exp.Anonymous)
                and picks_columns(item)
                and not isinstance(item.this, exp.Star | exp.Column)
            ):
                self._read_rows(scope)
            elif isinstance(item, exp.Lambda):
                inner = Scope(scope, aliases={p.name.lower(): () for p in item.expressions})
                self.expression(item.this, inner)
            elif isinstance(item, exp.Comprehension):
                stack.append(item.args["iterator"])
                names = (item.expression, item.args.get("position"))
                inner = Scope(scope, aliases={name.name.lower(): () for name in names if name})
                for part in filter(None, (item.this, item.args.get("condition"))):
                    self.expression(part, inner)
            elif isinstance(item, exp.Kwarg | exp.PropertyEQ):
                stack.append(item.expression)
            elif isinstance(item, exp.Table):
                self._rows(item, scope)
            elif isinstance(item, exp.In) and self.dialect == "sqlite" and item.args.get("field"):
                stack.append(item.this)
                self._in_table(item.args["field"], scope)
            else:
                stack.extend(reversed(list(item.iter_expressions())))


def _add(source: Source, name: str, scope: Scope) -> None:
    """Put a source into its scope; some engines take two of one name, and some tell apart what folding makes one."""
    key = name.lower()
    while key in scope.sources:
        key += SAME
    scope.sources[key] = source
