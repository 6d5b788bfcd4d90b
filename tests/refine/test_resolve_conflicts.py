"""Conflicts and keys: whatever is wished, what comes out is admissible."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.refine.admissible import inadmissible
from dragoman.refine.refinement import Refinement, refined_schema, tables_by_key
from dragoman.refine.resolve_conflicts import Choice, resolve_conflicts
from dragoman.schema import Column, ForeignKey, Schema, Table
from tests.refine.schemas import NEW_NAMES, schemas


@st.composite
def choices(draw: st.DrawFn, schema: Schema) -> list[Choice]:
    """Ranked names with falling gains for some columns and tables."""
    found = []
    for key, table in tables_by_key(schema).items():
        for column in ("", *(column.name for column in table.columns)):
            names = draw(st.lists(st.sampled_from(NEW_NAMES), max_size=3, unique_by=str.lower))
            names = [name for name in names if name != column]
            gains = sorted(draw(st.tuples(*[st.sampled_from((0.05, 0.1, 0.5))] * len(names))), reverse=True)
            if names:
                found.append(Choice((key, column), tuple(zip(names, gains, strict=True))))
    return found


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_the_outcome_is_admissible_and_does_not_depend_on_the_order_of_choices(data: st.DataObject) -> None:
    schema = data.draw(schemas())
    wished = data.draw(choices(schema))
    found = resolve_conflicts(schema, wished)
    assert inadmissible(schema, found.refinement) == ()
    assert resolve_conflicts(schema, data.draw(st.permutations(wished))).refinement == found.refinement
    after = refined_schema(schema, found.refinement)
    assert [len(table.columns) for table in after] == [len(table.columns) for table in schema]
    for choice in wished:
        new = found.refinement.names.get(choice.place)
        assert new == choice.names[0][0] or choice.place in found.lost, "what is not chosen has a reason"


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_nobody_could_still_have_a_better_name(data: st.DataObject) -> None:
    """A fixed point: a place that lost has no wish that is free in the end, but where it follows a key."""
    schema = data.draw(schemas())
    found = resolve_conflicts(schema, wished := data.draw(choices(schema)))
    names = found.refinement.names
    for choice in wished:
        if choice.place in names or choice.place in found.inherited:
            continue
        for name, _ in choice.names:
            columns = {**found.refinement.columns, **({choice.place: name} if choice.place[1] else {})}
            tables = {**found.refinement.tables, **({} if choice.place[1] else {choice.place[0]: name})}
            if name != (choice.place[1] or choice.place[0]):
                assert inadmissible(schema, Refinement(columns, tables))


def key(columns: str, target: str, others: str) -> ForeignKey:
    return ForeignKey(tuple(columns.split()), target, tuple(others.split()))


def table(name: str, columns: str, *keys: ForeignKey) -> Table:
    """Columns by name, those with a star in the primary key."""
    made = []
    for column in columns.split():
        position = sum(1 for other in made if other.primary_key) + 1 if column.endswith("*") else 0
        made.append(Column(column.rstrip("*"), "INTEGER", primary_key=position))
    return Table(name, tuple(made), foreign_keys=keys)


def test_three_that_want_one_name() -> None:
    schema = Schema((table("t", "a b c"),))
    wanted = {"a": 0.1, "b": 0.3, "c": 0.2}
    found = resolve_conflicts(
        schema, [Choice(("t", c), (("amount", gain), (f"{c}_amount", 0.05))) for c, gain in wanted.items()]
    )
    assert found.refinement.columns == {("t", "a"): "a_amount", ("t", "b"): "amount", ("t", "c"): "c_amount"}
    assert found.lost["t", "a"] == "t.a cannot become amount: t.b has or had that name."


def test_a_key_takes_its_chain_along_and_roles_stay() -> None:
    schema = Schema(
        (
            table("emp", "no* nm boss_no approved_by", key("boss_no", "emp", "no"), key("approved_by", "emp", "no")),
            table("mgr", "no* lvl", key("no", "emp", "no")),
            table("unit", "id* mgr_no emp", key("mgr_no", "mgr", "no"), key("emp", "emp", "no")),
        )
    )
    chosen = [Choice(("mgr", "no"), (("manager_number", 0.9),)), Choice(("emp", "no"), (("employee_number", 0.5),))]
    found = resolve_conflicts(schema, chosen)
    assert found.refinement.columns == {
        ("emp", "no"): "employee_number",
        ("emp", "boss_no"): "boss_employee_number",
        ("mgr", "no"): "employee_number",
        ("unit", "emp"): "employee_number",
    }
    assert found.lost == {("mgr", "no"): "mgr.no follows emp.no."}
    assert found.kept == {
        ("emp", "approved_by"): "emp.approved_by does not follow emp.no to employee_number: its own name says a role.",
        ("unit", "mgr_no"): "unit.mgr_no does not follow mgr.no to employee_number: unit.emp has or had that name.",
    }


def test_composite_keys_follow_column_by_column() -> None:
    schema = Schema(
        (
            table("country", "cd*"),
            table("region", "cntry_cd* cd*", key("cntry_cd", "country", "cd")),
            table("city", "cntry_cd rgn_cd", key("cntry_cd rgn_cd", "region", "cntry_cd cd")),
        )
    )
    chosen = [Choice(("country", "cd"), (("country_code", 0.2),)), Choice(("region", "cd"), (("region_code", 0.1),))]
    found = resolve_conflicts(schema, chosen)
    assert found.refinement.columns == {
        ("country", "cd"): "country_code",
        ("region", "cntry_cd"): "country_code",
        ("city", "cntry_cd"): "country_code",
        ("region", "cd"): "region_code",
        ("city", "rgn_cd"): "region_code",
    }
    assert not found.kept


def test_a_name_in_the_way_of_a_key_keeps_the_old_one() -> None:
    schema = Schema((table("cst", "no*"), table("ord", "no customer_number", key("no", "cst", "no"))))
    found = resolve_conflicts(schema, [Choice(("cst", "no"), (("customer_number", 0.2), ("client_number", 0.1)))])
    assert found.refinement.columns == {("cst", "no"): "client_number", ("ord", "no"): "client_number"}
