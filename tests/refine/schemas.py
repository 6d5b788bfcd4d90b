"""Random schemas and refinements for property tests."""

from __future__ import annotations

from hypothesis import strategies as st

from dragoman.refine.refinement import Refinement, tables_by_key
from dragoman.schema import Column, ForeignKey, Schema, Table

NAMES = ("id", "ID", "cd", "nm", "Name", "code", "a b", 'q"t', "order", "x.y", "größe", "parent", "ref", "amt")
"""Few, so that names clash; with case, quotes, dots, spaces and reserved words."""
NEW_NAMES = (*NAMES, "customer_code", "amount", "Amount", "title", "parent_code", "kind")


@st.composite
def schemas(draw: st.DrawFn) -> Schema:
    """Up to four tables with composite, chained, cyclic and self-referring keys."""
    count = draw(st.integers(1, 4))
    columns: list[tuple[str, ...]] = []
    for _ in range(count):
        names = draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=6, unique_by=str.lower))
        columns.append(tuple(names))
    keys = [draw(st.integers(0, min(2, len(names)))) for names in columns]
    tables = []
    for number, names in enumerate(columns):
        foreign = []
        for _ in range(draw(st.integers(0, 2))):
            target = draw(st.integers(0, count - 1))
            width = min(draw(st.integers(1, 2)), len(names), len(columns[target]))
            own = draw(st.permutations(names))[:width]
            other = (columns[target][: keys[target]] or columns[target])[:width]
            foreign.append(ForeignKey(tuple(own[: len(other)]), f"t{target}", tuple(other)))
        made = tuple(
            Column(name, draw(st.sampled_from(("TEXT", "INTEGER"))), primary_key=place if place <= keys[number] else 0)
            for place, name in enumerate(names, 1)
        )
        tables.append(Table(f"t{number}", made, foreign_keys=tuple(foreign)))
    return Schema(tuple(tables))


@st.composite
def wishes(draw: st.DrawFn, schema: Schema) -> Refinement:
    """New names for some tables and columns, admissible or not."""
    tables = tables_by_key(schema)
    places = [(key, column.name) for key, table in tables.items() for column in table.columns]
    columns = draw(st.dictionaries(st.sampled_from(places), st.sampled_from(NEW_NAMES), max_size=8))
    renamed = draw(
        st.dictionaries(st.sampled_from(sorted(tables)), st.sampled_from(("t0", "T1", "clients", "Clients")))
    )
    return Refinement(columns, renamed)
