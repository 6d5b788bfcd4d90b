"""A schema indexed for looking names up, built once per schema."""

from __future__ import annotations

from dragoman.schema import Schema, Table

_MAIN = {
    "sqlite": ("main",), "duckdb": ("main",), "postgres": ("public",), "tsql": ("dbo",), "clickhouse": ("default",),
}  # fmt: skip
_KEPT = 16
_catalogs: dict[int, Catalog] = {}


class Catalog:
    """Tables by name, folded to lower case; an exact name goes before one that differs in case."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self._by_name: dict[str, list[Table]] = {}
        for table in schema:
            for name in (table.name, *table.members):
                self._by_name.setdefault(name.lower(), []).append(table)
        self._keys: dict[int, str] = {}
        self._columns: dict[int, dict[str, str]] = {}

    def table(self, name: str, namespace: str = "", catalog: str = "") -> Table | None:
        """The table that a name in SQL means, qualified by as much as is written; None if none or not one alone."""
        found = self._by_name.get(name.lower()) or self._wildcard(name)
        if namespace:
            found = [table for table in found if self._in_namespace(table, namespace.lower(), catalog.lower())]
        elif len(found) > 1:
            default = self.schema.default_schema.lower()
            found = [table for table in found if table.schema.lower() == default] or found
        if len(found) > 1:
            found = [table for table in found if table.name == name] or found
        return found[0] if len(found) == 1 or (found and name.endswith("*")) else None

    def key(self, table: Table) -> str:
        """How references name the table: its name, with "schema." before it outside the default schema."""
        key = self._keys.get(id(table))
        if key is None:
            plain = not table.schema or self.table(table.name) is table
            key = self._keys[id(table)] = table.name if plain else f"{table.schema}.{table.name}"
        return key

    def columns(self, table: Table) -> dict[str, str]:
        """Column names by their lower-case form, in order."""
        columns = self._columns.get(id(table))
        if columns is None:
            columns = self._columns[id(table)] = {column.name.lower(): column.name for column in table.columns}
        return columns

    @property
    def names(self) -> list[str]:
        """All table names as references name them."""
        return [self.key(table) for table in self.schema]

    def _in_namespace(self, table: Table, namespace: str, catalog: str) -> bool:
        own, name = table.schema.lower(), self.schema.name.lower()
        if catalog:
            if "." in own:
                return own == f"{catalog}.{namespace}"
            if catalog not in (name, *name.split(".")):  # another database or project
                return False
        if not own:
            return namespace in {*_MAIN.get(self.schema.dialect, ()), name, self.schema.default_schema.lower()}
        return own == namespace or own.endswith(f".{namespace}")

    def _wildcard(self, name: str) -> list[Table]:
        if self.schema.dialect != "bigquery" or not name.endswith("*"):
            return []
        prefix = name[:-1].lower()
        return [table for key, tables in self._by_name.items() if key.startswith(prefix) for table in tables]


def catalog_of(schema: Schema) -> Catalog:
    """The catalog of a schema, kept for the schemas used last."""
    catalog = _catalogs.get(id(schema))
    if catalog is None or catalog.schema is not schema:
        catalog = Catalog(schema)
        while len(_catalogs) >= _KEPT:
            _catalogs.pop(next(iter(_catalogs)), None)
        _catalogs[id(schema)] = catalog
    return catalog
