"""Screening: what structure leaves alone, what rules and a model say."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from dragoman.databases import Database, connect
from dragoman.errors import BudgetSpent, ModelUnavailable
from dragoman.models import ScriptedModel
from dragoman.models.request import Request
from dragoman.refine.screen import open_places, screen
from dragoman.refine.screen_by_model import read_answer, screen_by_model, screening_prompt
from dragoman.refine.screen_by_rule import PAPER_RULES, Rules, rule_notes, screen_by_rule, style
from dragoman.refine.structural_exclusion import (
    FOREIGN_KEY,
    HOMONYM,
    NOT_A_TABLE,
    REFERRED,
    affinity,
    structural_exclusion,
)
from dragoman.refine.subject import subjects

SHOP = """
CREATE TABLE customer (cst_no INTEGER PRIMARY KEY, mail_cd TEXT UNIQUE, nm VARCHAR(20), Notes TEXT, sz INTEGER);
CREATE TABLE purchase (
  pno INTEGER PRIMARY KEY, cst_no INTEGER REFERENCES customer, mail TEXT REFERENCES customer (mail_cd),
  NOTES varchar, sz TEXT, amt NUMERIC, "order" TEXT
);
CREATE TABLE line (pno INTEGER REFERENCES purchase, pos INTEGER, qty INTEGER, PRIMARY KEY (pno, pos));
CREATE VIEW big AS SELECT amt FROM purchase;
INSERT INTO customer VALUES (1, 'ann@x.org', 'Ann', NULL, 3), (2, 'bo@x.org', 'Bo', 'late payer', 4);
INSERT INTO purchase VALUES (7, 1, 'ann@x.org', NULL, 'L', 12.5, 'a');
"""


@pytest.fixture
def shop(tmp_path: Path) -> Database:
    path = tmp_path / "shop.sqlite"
    with sqlite3.connect(path) as connection:
        connection.executescript(SHOP)
    connection.close()
    return connect(str(path))


def test_structure_leaves_alone_what_the_paper_says(shop: Database) -> None:
    assert structural_exclusion(shop.schema()) == {
        ("customer", "mail_cd"): REFERRED,
        ("customer", "Notes"): HOMONYM,
        ("purchase", "cst_no"): FOREIGN_KEY,
        ("purchase", "mail"): FOREIGN_KEY,
        ("purchase", "NOTES"): HOMONYM,
        ("big", "amt"): NOT_A_TABLE,
    }, "primary keys stay in, in foreign keys too; sz has two types"


@pytest.mark.parametrize(
    ("declared", "kind"),
    [("varchar(20)", "TEXT"), ("", "TEXT"), ("INT", "INTEGER"), ("bigint", "INTEGER"), ("DOUBLE", "REAL"),
     ("timestamp with time zone", "TIME"), ("decimal(8,2)", "NUMERIC"), ("boolean", "BOOLEAN"), ("bytea", "BLOB")],
)  # fmt: skip
def test_types_by_affinity(declared: str, kind: str) -> None:
    assert affinity(declared) == kind


def test_places_come_in_the_order_of_the_schema_and_can_be_narrowed(shop: Database) -> None:
    places = open_places(shop.schema(), ["LINE", "customer"])
    assert places == (
        ("customer", ""), ("customer", "cst_no"), ("customer", "nm"), ("customer", "sz"),
        ("line", ""), ("line", "pno"), ("line", "pos"), ("line", "qty"),
    )  # fmt: skip
    assert all(column for _, column in open_places(shop.schema(), tables=False))


def test_samples_are_distinct_and_a_column_that_is_empty_at_first_is_asked_alone(shop: Database) -> None:
    (found,) = subjects([("customer", "Notes")], shop, shop.schema(), "A shop.")
    assert found.samples == ("late payer",)
    assert found.values["nm"] == ("Ann", "Bo")
    assert [column.name for column in found.neighbours] == ["cst_no", "mail_cd", "nm", "sz"]
    (key,) = subjects([("customer", "cst_no")], shop, shop.schema(), "A shop.")
    assert key.links == (("purchase", "cst_no"),)


def screened(shop: Database, rules: Rules) -> dict[tuple[str, str], tuple[str, ...]]:
    schema = shop.schema()
    about = subjects(open_places(schema), shop, schema, "")
    found = screen(schema, about, screen_by_rule(schema, rules), rule_notes(rules))
    assert found.columns == 16
    assert {*found.kept, *found.dropped} >= {subject.place for subject in about}
    return {place: tuple(signal[:2] for signal in found.signals[place]) for place in found.kept}


def test_rules_say_which_signals_speak_for_a_name(shop: Database) -> None:
    assert screened(shop, PAPER_RULES) == {
        ("customer", "nm"): ("S1",), ("purchase", "amt"): ("S1",), ("line", "qty"): ("S1",),
    }, "no keys, and no sz, which two tables have"  # fmt: skip
    ours = screened(shop, Rules())
    assert ours["purchase", "sz"] == ("S1", "S5")
    assert ours["customer", "cst_no"] == ("S5",)
    assert ours["purchase", "amt"] == ("S1", "S5")
    assert ("purchase", "order") not in ours


@pytest.mark.parametrize(
    ("name", "expected"),
    [("cst_no", "snake_case"), ("CST_NO", "ALLCAPS"), ("cstNo", "camelCase"), ("name", "alllower"), ("a b", "other"),
     ("Name", "camelCase"), ("A1", "ALLCAPS"), ("a1", "alllower"), ("1", "other")],
)  # fmt: skip
def test_styles(name: str, expected: str) -> None:
    assert style(name) == expected


def test_names_that_mean_nearly_the_same_need_embeddings(shop: Database) -> None:
    schema = shop.schema()
    vectors = {"mail_cd": (1.0, 0.0), "purchase.mail": (2.0, 0.1)}
    asked: list[str] = []

    def embed(texts: object) -> list[tuple[float, float]]:
        asked.extend(texts)  # type: ignore[arg-type]
        return [vectors.get(text, (0.0, 0.0)) for text in asked]

    judge = screen_by_rule(schema, Rules(("S2",)), embed)
    places = [("customer", "mail_cd"), ("purchase", "mail"), ("customer", "nm")]
    assert [found.refine for found in judge(subjects(places, shop, schema, ""))] == [True, True, False]
    assert "customer.nm" in asked, "short names are embedded with their table"
    assert not rule_notes(Rules(), embed)
    assert "needs a model that makes embeddings" in rule_notes(Rules())[0]


@pytest.mark.parametrize(
    ("text", "answer"),
    [("YES", True), ("no.", False), ("<think>YES or NO? NO</think>Yes", True), ("It is not unclear: NO", False),
     ("YES at first, then NO", False), ("perhaps", None), ("", None), ("NOTE: YESTERDAY", None)],
)  # fmt: skip
def test_the_last_whole_word_counts(text: str, answer: bool | None) -> None:
    assert read_answer(text) is answer


def test_a_model_sees_five_signals_and_what_is_not_said_keeps_a_name_in(shop: Database) -> None:
    schema = shop.schema()
    places = [("customer", "nm"), ("customer", "sz"), ("purchase", "amt"), ("line", ""), ("line", "qty")]
    about = subjects(places, shop, schema, "A shop and what it sells.")
    answers = {"nm": "YES", "sz": "NO", "amt": "hm", "line": ModelUnavailable("lost"), "qty": "no"}

    def reply(request: Request) -> str | Exception:
        text = request.messages[0].text
        return next(a for name, a in answers.items() if f"Column: {name} " in text or f"Table: {name}\nComment" in text)

    found = screen(schema, about, screen_by_model(ScriptedModel(reply), workers=4))
    assert found.kept == (("customer", "nm"), ("purchase", "amt"), ("line", ""))
    assert found.dropped["customer", "sz"] == "its name is clear"
    assert found.compression == 2 / 16
    assert len(found.steps) == 5
    prompt = screening_prompt(about[0])
    for signal in (
        "A shop and what it sells.",
        "Table: customer",
        "nm (VARCHAR(20))",
        "cst_no, mail_cd",
        "'Ann', 'Bo'",
    ):
        assert signal in prompt
    with pytest.raises(BudgetSpent):
        screen_by_model(ScriptedModel([BudgetSpent("spent")]))(about)
