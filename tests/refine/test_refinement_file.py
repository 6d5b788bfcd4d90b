"""The refinement file, what has changed since it was written, and what other tools get."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.errors import SetupError
from dragoman.questions import Example, Question
from dragoman.refine.export import descriptions, to_comments, to_dbt, to_descriptions, to_json
from dragoman.refine.propose import Proposed
from dragoman.refine.refinement import Refinement, refined_schema
from dragoman.refine.refinement_file import (
    MadeFrom,
    NameRecord,
    NameScore,
    RefinementFile,
    read_refinement,
    write_refinement,
)
from dragoman.refine.schema_outline import outline, schema_drift
from dragoman.refine.workload_drift import workload_digest, workload_drift
from dragoman.schema import Column, ForeignKey, Schema, Table
from tests.refine.schemas import schemas, wishes

SCHEMA = Schema(
    (
        Table(
            "CST",
            (
                Column("no", "INTEGER", False, 1),
                Column("nm", "TEXT", comment="say 'no' to nobody"),
                Column("sz", "TEXT"),
            ),
        ),
        Table("ORD", (Column("cst no", "INTEGER"),), foreign_keys=(ForeignKey(("cst no",), "CST", ("no",)),)),
    ),
    dialect="postgres",
)
NAMES = {("CST", "no"): "customer_number", ("ORD", "cst no"): "customer_number", ("CST", "nm"): "customer_name"}
REFINEMENT = Refinement(NAMES, {"CST": "customers"})
RECORDS = (
    NameRecord(
        ("CST", "nm"),
        "customer_name",
        "nm is short for name.",
        ("S1: the name is very short",),
        (Proposed("customer_name", "nm is short for name."),),
        (Proposed("sz", "CST.sz has that name"),),
        4,
        0.25,
        (NameScore("customer_name", 0.75, ("c3: 1", "c3: 2"), (), ""),),
    ),
    NameRecord(("CST", "sz"), reason="no question of the workload reads it", candidates=(Proposed("size", "r"),)),
)
MADE = MadeFrom(
    outline(SCHEMA), "digest", 9, ("c3", "din"), ("mac",), {"proposer": "m"}, "A shop.", "given", {"tau": 0.05}
)


def test_a_file_gives_back_what_was_written(tmp_path: Path) -> None:
    file = RefinementFile(REFINEMENT, MADE, RECORDS)
    write_refinement(file, tmp_path / "a" / "names.json")
    assert read_refinement(tmp_path / "a" / "names.json") == file
    shown = json.loads((tmp_path / "a" / "names.json").read_text("utf-8"))["tables"]
    assert shown["CST"] == {"name": "customers", "columns": {"no": "customer_number", "nm": "customer_name"}}


@settings(deadline=None)
@given(st.data())
def test_any_refinement_is_kept(data: st.DataObject) -> None:
    schema = data.draw(schemas())
    refinement = replace(data.draw(wishes(schema)), descriptions={("t0", ""): "ä\n'\"", ("t0", "a.b"): "x"})
    with TemporaryDirectory() as folder:
        write_refinement(RefinementFile(refinement, MadeFrom(outline(schema))), Path(folder) / "x.json")
        found = read_refinement(Path(folder) / "x.json")
    assert found.refinement == refinement
    assert not schema_drift(found.made_from.schema, schema, Refinement())


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("{", "is not JSON"),
        ("[]", "is no refinement"),
        ('{"format": "dragoman refinement", "version": 0}', "is of version 0"),
        ('{"format": "dragoman refinement", "version": 1}', "is not whole"),
    ],
)
def test_another_file_is_told_apart(tmp_path: Path, text: str, sentence: str) -> None:
    (tmp_path / "x.json").write_text(text, "utf-8")
    with pytest.raises(SetupError, match=sentence):
        read_refinement(tmp_path / "x.json")
    with pytest.raises(SetupError, match="Check the path"):
        read_refinement(tmp_path / "nowhere.json")


def test_what_changed_in_the_schema_is_said_and_what_breaks_is_told_from_it() -> None:
    customers, orders = SCHEMA.tables
    grown = replace(customers, columns=(*customers.columns, Column("customer_name", "TEXT")))
    typed = replace(orders, columns=(Column("cst no", "TEXT"),), foreign_keys=())
    found = schema_drift(outline(SCHEMA), replace(SCHEMA, tables=(grown, typed, Table("new"))), REFINEMENT)
    assert found.added == (("CST", "customer_name"), ("new", ""))
    assert found.broken == ("CST.nm cannot become customer_name: CST.customer_name has or had that name.",)
    assert found.changed == (
        "The column CST.customer_name is new; its name was not looked at.",
        "ORD.cst no was INTEGER and is TEXT.",
        "The table new is new; none of its names was looked at.",
        "ORD.cst no referred to CST.no, now nothing.",
    )
    gone = schema_drift(
        outline(SCHEMA), replace(SCHEMA, tables=(replace(customers, columns=customers.columns[:1]),)), REFINEMENT
    )
    assert gone.removed == (("ORD", "cst no"), ("CST", "nm"))
    assert "There is no column CST.nm." in gone.broken
    assert not schema_drift(outline(SCHEMA), replace(SCHEMA, tables=SCHEMA.tables[::-1]), REFINEMENT)


def test_a_new_workload_shows_names_that_nothing_speaks_for_and_columns_that_could_be_tried() -> None:
    old = [Example(Question("names?"), "SELECT nm FROM cst")]
    clear = NameRecord(("CST", "no"), reason="its name is clear")
    file = RefinementFile(REFINEMENT, replace(MADE, workload=workload_digest(old)), (*RECORDS, clear))
    schema = replace(SCHEMA, dialect="sqlite")
    assert workload_drift(file, old, schema).same
    found = workload_drift(
        file, [Example(Question("sizes?"), "SELECT sz, no FROM cst"), Example(Question("?"), "")], schema
    )
    assert (found.same, found.questions, found.touching) == (False, 1, 1)
    assert set(found.unread) == {("CST", "nm"), ("ORD", "cst no")}
    assert found.waiting == (("CST", "sz"),)


def test_exports() -> None:
    assert to_comments(SCHEMA, REFINEMENT) == (
        "COMMENT ON TABLE \"CST\" IS 'customers';\n"
        "COMMENT ON COLUMN \"CST\".no IS 'customer number';\n"
        "COMMENT ON COLUMN \"CST\".nm IS 'customer name: say ''no'' to nobody';\n"
        'COMMENT ON COLUMN "ORD"."cst no" IS \'customer number\';\n'
    )
    with pytest.raises(SetupError, match="no COMMENT ON"):
        to_comments(replace(SCHEMA, dialect="sqlite"), REFINEMENT)
    dbt = to_dbt(SCHEMA, REFINEMENT)
    for line in (
        '  - name: "customers"',
        '    meta: {base_table: "CST"}',
        '      - name: "customer_name"',
        "        description: \"say 'no' to nobody\"",
        '        meta: {base_column: "cst no"}',
        "          - unique",
        '          - relationships: {to: "ref(\'customers\')", field: "customer_number"}',
    ):
        assert line in dbt.splitlines(), line
    assert json.loads(to_json(SCHEMA, REFINEMENT))["CST"]["columns"]["sz"] == {"name": "sz"}
    told = json.loads(to_descriptions(SCHEMA, REFINEMENT))
    assert told == {
        "CST": "customers", "CST.no": "customer number", "CST.nm": "customer name: say 'no' to nobody",
        "ORD.cst no": "customer number",
    }  # fmt: skip


def test_descriptions_alone_change_no_name() -> None:
    after = refined_schema(SCHEMA, Refinement(descriptions=descriptions(SCHEMA, REFINEMENT)))
    assert [column.name for table in after for column in table.columns] == ["no", "nm", "sz", "cst no"]
    assert after.tables[0].columns[0].comment == "customer number"
