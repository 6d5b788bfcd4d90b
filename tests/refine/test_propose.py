"""Proposals: replies as models write them, names that will not do, names made without a model."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.errors import BudgetSpent, ModelUnavailable
from dragoman.models import ScriptedModel
from dragoman.refine.admissible import inadmissible
from dragoman.refine.domain import domain_by_model, domain_from_schema, given_domain, read_sentence
from dragoman.refine.expand_word import Surroundings, expand_word, likeness, segment
from dragoman.refine.name_problem import Names
from dragoman.refine.propose import Proposed, sift
from dragoman.refine.propose_by_model import propose_by_model, proposing_prompt, read_names
from dragoman.refine.propose_offline import propose_offline
from dragoman.refine.refinement import Refinement
from dragoman.refine.subject import Subject
from dragoman.refine.value_kind import value_kind, value_kinds
from dragoman.refine.vocabulary import is_form, plural, short_forms, singular
from dragoman.schema import Column, ForeignKey, Schema, Table
from tests.refine.schemas import NEW_NAMES, schemas

SCHEMA = Schema(
    (
        Table(
            "CUST_MST",
            (Column("cst_no", "INTEGER", primary_key=1), Column("nm", "TEXT"), Column("city", "TEXT"), Column("x7")),
            comment="dealer accounts, from the old system",
        ),
        Table(
            "orders", (Column("cst_no", "INTEGER"),), foreign_keys=(ForeignKey(("cst_no",), "CUST_MST", ("cst_no",)),)
        ),
        Table("products", (Column("id", "INTEGER"),)),
    )
)
PLACE = ("CUST_MST", "nm")
GOOD = '[{"name": "dealer_name", "reason": "r"}, {"name": "name_of_dealer"}, {"name": "full_name", "reason": "r"}]'


def subject(name: str, *values: str, schema: Schema = SCHEMA) -> Subject:
    table = schema.tables[0]
    column = table.column(name)
    return Subject((table.name, name), table, column, {name: values}, tables=tuple(t.name for t in schema))


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("dealer_name", ""), ("dealer name", "letters, digits"), ("größe", "letters, digits"), ("", "letters, digits"),
        ("1st", "letters, digits"), ("t1", "alias"), ("n", "alias"), ("order", "reserved"),
        ("NM", "name that is there"),
        ("City", "CUST_MST.city has that name"), ("Orders", "a table"), ("rank", "function"), ("n" * 49, "48 letters"),
        ("n" * 300, "255 bytes"),
    ],
)  # fmt: skip
def test_names_that_will_not_do(name: str, problem: str) -> None:
    found = Names(SCHEMA).problem(name, PLACE)
    assert problem in found if problem else not found


def test_dialects_have_their_own_words_cases_and_lengths() -> None:
    postgres, snowflake = (Names(replace(SCHEMA, dialect=dialect)) for dialect in ("postgres", "snowflake"))
    assert "reserved" in postgres.problem("user", PLACE)
    assert "quotes" in postgres.problem("dealerName", PLACE)
    assert "63 bytes" in postgres.problem("n" * 64, PLACE)
    assert snowflake.spelled("dealer_name") == "DEALER_NAME"
    kept, _ = sift([Proposed("dealer_name", "")], PLACE, snowflake)
    assert kept == (Proposed("DEALER_NAME", ""),)


@settings(deadline=None)
@given(st.data())
def test_a_name_that_will_do_is_admissible_alone(data: st.DataObject) -> None:
    schema = data.draw(schemas())
    table = data.draw(st.sampled_from(schema.tables))
    place = table.name, data.draw(st.sampled_from(["", *(column.name for column in table.columns)]))
    name = data.draw(st.sampled_from(NEW_NAMES))
    if not Names(schema).problem(name, place):
        columns, tables = ({place: name}, {}) if place[1] else ({}, {place[0]: name})
        assert inadmissible(schema, Refinement(columns, tables)) == ()


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (GOOD, ["dealer_name", "name_of_dealer", "full_name"]),
        (
            f"<think>[1]</think>Here:\n```json\n{GOOD}\n```\nThat is all.",
            ["dealer_name", "name_of_dealer", "full_name"],
        ),
        ('{"candidates": [{"column_name": "a_b", "reason": "x"}]}', ["a_b"]),
        ('["a_b", "c_d"]', ["a_b", "c_d"]),
        ('{"name": "a_b"}', ["a_b"]),
        ('[{"name": "a_b", "reason": "cut', ["a_b"]),
        ("[{'name': 'a_b'}, {'name': 'c_d',}]", ["a_b", "c_d"]),
        ("The columns [a] and [b].", None),
        ('[{"reason": "none"}]', None),
        ("", None),
        ("[" * 100_000, None),
    ],
)
def test_replies_as_models_write_them(text: str, names: list[str] | None) -> None:
    found = read_names(text)
    assert (found and [item.name for item in found]) == names


@settings(deadline=None)
@given(st.text() | st.recursive(st.none() | st.text() | st.integers(), st.lists).map(json.dumps))
def test_any_reply_can_be_read(text: str) -> None:
    read_names(text)


def test_a_prompt_has_the_four_contexts_and_no_question() -> None:
    about = replace(subject("nm", "Ann & Co", "Bo Ltd"), domain="Dealers of bicycles.", links=(("orders", "cst_no"),))
    prompt = proposing_prompt(about)
    for part in ("'Ann & Co', 'Bo Ltd'", "- city (TEXT)", "orders.cst_no", "Dealers of bicycles.", "Propose 3"):
        assert part in prompt
    table = proposing_prompt(replace(about, place=("CUST_MST", ""), column=None))
    assert "dealer accounts" in table
    assert "orders, products" in table


def test_too_few_names_are_refilled_once_and_rejects_are_kept() -> None:
    model = ScriptedModel(['[{"name": "city"}, {"name": "dealer_name"}]', '["dealer_title", "firm"]'])
    (found,) = propose_by_model(model, Names(SCHEMA))([subject("nm")])
    assert [item.name for item in found.names] == ["dealer_name", "dealer_title", "firm"]
    assert found.rejects == (Proposed("city", "CUST_MST.city has that name"),)
    assert (found.failure, len(found.steps)) == ("", 2)
    again = model.requests[1].messages[-1].text
    assert "city will not do: CUST_MST.city has that name. Give 2 more" in again
    assert model.requests[0].settings.temperature == 0.7


def test_replies_nobody_can_read_and_calls_that_fail_count_as_attempts() -> None:
    model = ScriptedModel(["hm", ModelUnavailable("lost"), GOOD, GOOD])
    (found,) = propose_by_model(model, Names(SCHEMA))([subject("nm")])
    assert len(found.names) == 3
    assert len(model.requests) == 3
    silent = ScriptedModel(["hm"] * 3)
    (nothing,) = propose_by_model(silent, Names(SCHEMA))([subject("nm")])
    assert (nothing.names, nothing.failure) == ((), "the reply holds no list of names")
    (few,) = propose_by_model(ScriptedModel(['["nm", "firm"]'] * 2), Names(SCHEMA))([subject("nm")])
    assert few.failure == "only 1 of 3 names will do"
    with pytest.raises(BudgetSpent):
        propose_by_model(ScriptedModel([BudgetSpent("spent")]), Names(SCHEMA))([subject("nm")])


def test_the_domain_is_given_or_made_once(tmp_path: Path) -> None:
    cache = tmp_path / "domain.json"
    model = ScriptedModel(['<think>hm</think>"Dealers of\n  bicycles."\nMore.'])
    first = domain_by_model(SCHEMA, model, cache)
    assert (first.sentence, first.made_by, len(first.steps)) == ("Dealers of", "scripted", 1)
    assert domain_by_model(SCHEMA, model, cache).sentence == first.sentence, "the second time nothing is asked"
    assert given_domain(" A shop.\n").sentence == "A shop."
    assert domain_from_schema(SCHEMA).sentence == "A database has tables about orders, products."
    assert read_sentence("```\n'x'\n```") == "'x'"


@pytest.mark.parametrize(
    ("word", "reading"),
    [("nm", "name"), ("cst", "customer"), ("qty", "quantity"), ("addr", "address"), ("custnm", "customer name"),
     ("crdtlmtamt", "credit limit amount"), ("custname", "customer name"), ("empno", "employee number"),
     ("stdnts", "students"), ("dob", "date of birth"), ("ppltn", "population"), ("email", "email"), ("uuid", "uuid")],
)  # fmt: skip
def test_short_forms_and_runs_are_spelled_out(word: str, reading: str) -> None:
    assert " ".join(expand_word(word)[0].words) == reading


def test_what_stands_near_decides() -> None:
    county = Surroundings({"county": (1.0, "in the comment")})
    assert expand_word("cty")[0].words == ("city",)
    assert expand_word("cty", county)[0].words == ("county",)
    assert "in the comment" in expand_word("cty", county)[0].reason
    against = Surroundings(against=frozenset({"date"}))
    assert expand_word("dt", against)[0].weight < expand_word("dt")[0].weight


@settings(deadline=None)
@given(st.text("abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=20))
def test_any_part_of_a_name_has_a_reading(word: str) -> None:
    assert expand_word(word)
    assert all("".join(pieces) == word for pieces in segment(word))
    assert all(0 <= likeness(word, other) <= 1 for other in ("name", "customer", "as"))


def test_the_lists_hold_together() -> None:
    for short, readings in short_forms().items():
        assert [part for reading in readings for part in reading.split("_") if not is_form(part)] == [], short
        assert short not in readings
    assert singular("companies") == "company"
    assert singular("status") == "status"
    assert [plural(word) for word in ("city", "day", "box", "order")] == ["cities", "days", "boxes", "orders"]


@pytest.mark.parametrize(
    ("values", "kind"),
    [(("2024-01-31", "1999-12-01"), "date"), (("20240131",), "date"), (("31.1.24",), "date_by_day"),
     (("2024-01-31T10:00:00Z",), "datetime"), (("a@b.org", "c.d@e.com"), "email"), (("EUR", "USD"), "currency"),
     (("Y", "N"), "flag"), (("DE", "FR", "IT"), "country_code"), (("1999", "2001"), "year"),
     (("x", "2024-01-31"), None), (("January 26 January 27", "April 19"), "date_in_words"),
     (("5th May 2014", "Tue, 3 Mar 2020", "Dec. 1"), "date_in_words"), (("2 pages in March or so",), None),
     (("Jan 5 2020 10:30",), None),
     ((), None), (("www.a.org/x",), "url"), (("M", "F"), "gender")],
)  # fmt: skip
def test_kinds_of_values(values: tuple[str, ...], kind: str | None) -> None:
    found = value_kind(values)
    assert (found.name if found else None) == kind
    assert all(word.isalpha() for kind in value_kinds().values() for word in kind.words)


def offline(about: Subject, schema: Schema = SCHEMA) -> list[str]:
    (found,) = propose_offline(Names(schema))([about])
    assert all(item.reason for item in found.names)
    return [item.name for item in found.names]


def test_names_without_a_model() -> None:
    assert offline(subject("nm", "Ann & Co")) == ["name", "customer_name"]
    assert offline(subject("x7", "a@b.org", "c@d.org", "e@f.org"))[0] == "customer_email"
    assert "customer_city" in offline(subject("city"))
    table = offline(Subject(("CUST_MST", ""), SCHEMA.tables[0], None, tables=("CUST_MST", "orders", "products")))
    assert table == ["customers", "dealer_accounts", "customer_master"]


def test_where_nothing_is_known_nothing_is_proposed() -> None:
    schema = Schema((Table("zzq", (Column("qxv", "TEXT"),)),))
    (found,) = propose_offline(Names(schema))([subject("qxv", schema=schema)])
    assert found.names == ()
    assert found.failure
