"""Random schemas, random admissible refinements of them, and random queries over them, each from a seeded generator."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from dragoman.refine.admissible import inadmissible
from dragoman.refine.refinement import Refinement, tables_by_key
from dragoman.schema import Schema, Table
from dragoman.sql.quote import quote, quote_always

NAMES = (
    "a", "b", "nm", "cst", "Cst_Nm", "status", "order", "select", "two words", 'with"quote', "x.y", "größe", "ID",
    "val", "total", "user", "t1", "Name", "e mail", "back`tick",
)  # fmt: skip
FRESH = (
    *NAMES,
    "customer_name",
    "clear name",
    "group",
    "valid_from",
    "Total Sum",
    "left",
    'quoted "it"',
    "naïve",
    "key",
)
TYPES = ("INTEGER", "VARCHAR(20)")


def random_tables(random: Random, dialect: str) -> tuple[list[str], list[tuple[str, list[tuple[str, str]]]]]:
    """(statements that make and fill them, [(table, [(column, type)])]); later tables refer to the first one."""
    statements, made = [], []
    for table in _distinct(random, ("t", "u", "Order Lines", "group", "staff")[:], random.randint(1, 3)):
        columns = [(name, random.choice(TYPES)) for name in _distinct(random, NAMES, random.randint(2, 5))]
        columns[0] = (columns[0][0], "INTEGER")
        written = [f"{quote_always(n, dialect)} {t}" for n, t in columns]
        written[0] += " PRIMARY KEY"
        if made and random.random() < 0.7:
            there, its = made[0]
            columns.append((name := _other(random, NAMES, [n for n, _ in columns]), "INTEGER"))
            refers = f"REFERENCES {quote_always(there, dialect)} ({quote_always(its[0][0], dialect)})"
            key = f"FOREIGN KEY ({quote_always(name, dialect)}) {refers}"
            written += [f"{quote_always(name, dialect)} INTEGER", key]
        statements.append(f"CREATE TABLE {quote_always(table, dialect)} ({', '.join(written)})")
        for number in range(1, 9):
            values = [str(number)] + [_value(random, kind) for _, kind in columns[1:]]
            statements.append(f"INSERT INTO {quote_always(table, dialect)} VALUES ({', '.join(values)})")
        made.append((table, columns))
    return statements, made


def random_refinement(random: Random, schema: Schema) -> Refinement:
    """New names for some columns and tables; what would not be admissible is left out."""
    found = Refinement()
    places = [(key, c.name) for key, t in tables_by_key(schema).items() for c in t.columns]
    places += [(key, "") for key in tables_by_key(schema)]
    random.shuffle(places)
    for table, column in places:
        new = random.choice(FRESH)
        if random.random() < 0.25:
            continue
        if column:
            wider = replace(found, columns={**found.columns, (table, column): new})
        else:
            wider = replace(found, tables={**found.tables, table: new})
        if not inadmissible(schema, wider):
            found = wider
    return found


class Queries:
    """Queries over a schema in its own names, each with rows in a fixed order or none that counts."""

    def __init__(self, random: Random, schema: Schema) -> None:
        self.random, self.schema, self.dialect = random, schema, schema.dialect

    def __iter__(self) -> Iterator[str]:
        while True:
            yield self.random.choice(
                (self.plain, self.star, self.join, self.grouped, self.nested, self.cte, self.union)
            )()

    def q(self, name: str) -> str:
        return quote(name, self.dialect)

    def table(self) -> Table:
        return self.random.choice(self.schema.tables)

    def column(self, table: Table, qualifier: str = "") -> str:
        name = self.q(self.random.choice(table.columns).name)
        return f"{qualifier}.{name}" if qualifier else name

    def condition(self, table: Table, qualifier: str = "") -> str:
        column = self.random.choice(table.columns)
        name = (f"{qualifier}." if qualifier else "") + self.q(column.name)
        if self.random.random() < 0.2:
            return f"{name} IS NOT NULL"
        value = "4" if column.type.upper().startswith("INT") else "'nm'"
        return f"{name} {self.random.choice(('=', '<>', '<', '>='))} {value}"

    def plain(self) -> str:
        table = self.table()
        own = self.q(table.name) if self.random.random() < 0.3 else ""
        columns = ", ".join(self.column(table, own) for _ in range(self.random.randint(1, 3)))
        distinct = self.random.choice(("", "DISTINCT "))
        return f"SELECT {distinct}{columns} FROM {self.q(table.name)} WHERE {self.condition(table, own)}"

    def star(self) -> str:
        table = self.table()
        alias, star = self.random.choice((("", "*"), (" AS x", "x.*"), (f" AS {self.q('group')}", "*")))
        return f"SELECT {star} FROM {self.q(table.name)}{alias}"

    def join(self) -> str:
        one, two = self.table(), self.table()
        kind = self.random.choice(("JOIN", "LEFT JOIN"))
        on = f"x.{self.q(one.columns[0].name)} = y.{self.q(two.columns[0].name)}"
        columns = f"{self.column(one, 'x')}, {self.column(two, 'y')} AS nm"
        joined = f"{self.q(one.name)} AS x {kind} {self.q(two.name)} y ON {on}"
        return f"SELECT {columns} FROM {joined} WHERE {self.condition(one, 'x')}"

    def grouped(self) -> str:
        table = self.table()
        by = self.column(table)
        shown = f"{by}, count(*), max({self.column(table)}) AS val"
        return f"SELECT {shown} FROM {self.q(table.name)} GROUP BY {by} HAVING count(*) > 0"

    def by_key(self) -> str:
        """Columns of a table beside its key in GROUP BY, which PostgreSQL alone takes."""
        one, two = self.table(), self.table()
        kind = self.random.choice(("JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN"))
        on = f"x.{self.q(one.columns[0].name)} = y.{self.q(two.columns[-1].name)}"
        if two.columns[-1].type.lower() not in ("integer", "bigint"):
            on = f"x.{self.q(one.columns[0].name)} = y.{self.q(two.columns[0].name)}"
        joined = f"FROM {self.q(one.name)} AS x {kind} {self.q(two.name)} y ON {on}"
        shown = f"{self.column(one, 'x')}, {self.column(one, 'x')} AS nm, count({self.column(two, 'y')})"
        having = self.random.choice(("", f" HAVING {self.condition(one, 'x')} OR count(*) > 1"))
        grouped = f"GROUP BY x.{self.q(one.columns[0].name)}{having} ORDER BY {self.column(one, 'x')}"
        return f"SELECT {shown} {joined} {grouped}"

    def nested(self) -> str:
        one, two = self.table(), self.table()
        inner = f"SELECT {self.q(two.columns[0].name)} FROM {self.q(two.name)} WHERE {self.condition(two)}"
        if self.random.random() < 0.5:
            return f"SELECT {self.column(one)} FROM {self.q(one.name)} WHERE {self.q(one.columns[0].name)} IN ({inner})"
        tied = f"x.{self.q(one.columns[0].name)} = y.{self.q(two.columns[0].name)}"
        return (
            f"SELECT {self.column(one, 'x')} FROM {self.q(one.name)} x "
            f"WHERE NOT EXISTS (SELECT 1 FROM {self.q(two.name)} y WHERE {tied})"
        )

    def cte(self) -> str:
        """Now and then the CTE bears the name of a table that it does not read."""
        table = self.table()
        others = [t.name for t in self.schema if t is not table]
        name = self.q(self.random.choice(("c", *others)))
        inner = f"SELECT {self.column(table)} AS val, count(*) AS n FROM {self.q(table.name)} GROUP BY 1"
        return f"WITH {name} AS ({inner}) SELECT val, n FROM {name} WHERE n > 0"

    def union(self) -> str:
        one, two = self.table(), self.table()
        first, second = (self.q(t.columns[0].name) for t in (one, two))
        both = self.random.choice(("UNION", "UNION ALL", "EXCEPT"))
        return f"SELECT {first} FROM {self.q(one.name)} {both} SELECT {second} FROM {self.q(two.name)}"


def _distinct(random: Random, names: tuple[str, ...], count: int) -> list[str]:
    chosen: list[str] = []
    while len(chosen) < count:
        chosen.append(_other(random, names, chosen))
    return chosen


def _other(random: Random, names: tuple[str, ...], taken: list[str]) -> str:
    return random.choice([name for name in names if name.lower() not in {t.lower() for t in taken}])


def _value(random: Random, kind: str) -> str:
    if random.random() < 0.2:
        return "NULL"
    return str(random.randint(1, 8)) if kind == "INTEGER" else random.choice(("'nm'", "'Order'", "'a'", "'x y'"))
