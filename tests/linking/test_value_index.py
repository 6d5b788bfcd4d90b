"""A question finds the values it names, whatever their case and accents."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from dragoman.databases import Database, connect
from dragoman.linking.build_value_index import KEPT, build_value_index, open_value_index
from dragoman.linking.lexical import relevance
from dragoman.linking.value_index import ValueIndex
from dragoman.linking.values_in_background import ValuesInBackground

VALUES = ["France", "São Paulo", "Ho Chi Minh City", "東京", "the", "US", "x" * 80, "O'Brien & Sons", "new\nline"]


@pytest.fixture
def shop(tmp_path: Path) -> Database:
    path = tmp_path / "shop.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute('CREATE TABLE "my city" ("the name" TEXT, size INT, code VARCHAR(3))')
        connection.executemany('INSERT INTO "my city" VALUES (?, 1, NULL)', [(value,) for value in VALUES])
        connection.execute('CREATE VIEW v AS SELECT * FROM "my city"')
    connection.close()
    return connect(str(path))


@pytest.fixture
def index(shop: Database, tmp_path: Path) -> ValueIndex:
    return build_value_index(shop, tmp_path / "deep" / "index.sqlite")


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("How many people live in france?", ["France"]),
        ("customers of SAO PAULO", ["São Paulo"]),
        ("is Ho Chi Minh City larger than São Paulo?", ["Ho Chi Minh City", "São Paulo"]),
        ("東京 の人口", ["東京"]),
        ("orders by O'Brien & Sons", ["O'Brien & Sons"]),
        ("the", []),
        ("people in the US", ["US"]),
        ("", []),
        ("nothing of this is there", []),
        ('"; DROP TABLE named_value; --', []),
    ],
)
def test_values_are_found(index: ValueIndex, question: str, found: list[str]) -> None:
    hints = index.match(question)
    assert [hint.value for hint in hints] == found
    assert all((hint.table, hint.column) == ("my city", "the name") for hint in hints)


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("French customers", ["France"]),
        ("customers of south korean origin", ["Korea"]),
        ("how many towels are there?", ["Towel"]),
        ("floor lamps and boxes", ["Floor lamp", "Box"]),
        ("companies' size", ["company"]),
        ("visitors with a page view", ["page_view"]),
        ("all page views of Spain's cities", ["page_view", "Spain"]),
        ("how many orders have come in?", []),
        ("a toweling", []),
        ("two crèmes brûlées", ["Crèmes brûlée"]),
        ("hoodies, planes and times", ["Hoodie"]),
        ("it's said that Tim uses his Plan", ["Tim", "Plan"]),
        ("what Lucas said of the news", []),
        ("Latin American, North Korean and northern Spanish people", []),
        ("nail polish", []),
        ("Polish and polish", ["Poland"]),
        ("visits with __ and - -", []),
    ],
)
def test_values_are_found_in_another_form(tmp_path: Path, question: str, found: list[str]) -> None:
    path = tmp_path / "forms.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE orders (kind TEXT)")
        connection.execute("CREATE TABLE visits (id INTEGER)")
        values = (
            "France Korea Towel Box company page_view Spain order Hoodie Tim Plan IT US Luca new America Poland visit"
        )
        values = [*values.split(), "Floor lamp", "Crèmes brûlée", "__"]
        connection.executemany("INSERT INTO orders VALUES (?)", [(value,) for value in values])
    connection.close()
    index = build_value_index(connect(str(path)), tmp_path / "index.sqlite")
    assert [hint.value for hint in index.match(question, most=9)] == found


def test_a_form_of_its_own_goes_before_another_one(tmp_path: Path) -> None:
    path = tmp_path / "languages.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE speakers (speaks TEXT, lives_in TEXT)")
        connection.execute("INSERT INTO speakers VALUES ('French', 'France')")
    connection.close()
    index = build_value_index(connect(str(path)), tmp_path / "index.sqlite")
    assert [hint.value for hint in index.match("French speakers")] == ["French"]


def test_an_index_is_written_whole_and_reopened(index: ValueIndex) -> None:
    assert [p.name for p in index.path.parent.iterdir()] == ["index.sqlite"]
    assert ValueIndex(index.path).match("france")[0].value == "France"


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("people of Sao Paolo", ["São Paulo"]),
        ("people of Soa Paulo", ["São Paulo"]),
        ("people of Saopaulo", ["São Paulo"]),
        ("FRANCES cities", ["France"]),
        ("what is in Ho Chi Min City or frannce?", ["Ho Chi Minh City", "France"]),
        ("Japan, fremch, fr", []),
        ("france and frnce", ["France", "France"]),
        ("the USA", []),
    ],
)
def test_one_edit_is_forgiven_on_request(index: ValueIndex, question: str, found: list[str]) -> None:
    assert [hint.value for hint in index.match(question, edits=1)] == found


def test_samples_are_the_first_values_of_each_column(index: ValueIndex) -> None:
    assert index.samples(2) == {(("my city",), "the name"): ["France", "São Paulo"]}


def test_the_number_of_values_is_bounded_and_progress_is_told(shop: Database, tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    index = build_value_index(shop, tmp_path / "i.sqlite", most=1, progress=lambda *at: told.append(at))
    assert [index.match(value) != () for value in VALUES[:2]] == [True, False]
    assert told == [(1, 2), (2, 2)]


def test_an_index_is_kept_until_the_database_changes(shop: Database, tmp_path: Path) -> None:
    folder = tmp_path / "values"
    first = open_value_index(shop, folder)
    assert open_value_index(shop, folder).path == first.path
    with sqlite3.connect(tmp_path / "shop.sqlite") as connection:
        connection.execute("INSERT INTO \"my city\" VALUES ('Oslo', 1, NULL)")
    connection.close()
    second = open_value_index(shop, folder)
    assert second.path != first.path
    assert second.match("Oslo")[0].value == "Oslo"


def test_old_indexes_are_forgotten(shop: Database, tmp_path: Path) -> None:
    for number in range(KEPT + 5):
        (tmp_path / f"{number}.sqlite").touch()
    index = open_value_index(shop, tmp_path)
    assert len(list(tmp_path.glob("*.sqlite"))) == KEPT
    assert index.path.exists()


def test_questions_need_not_wait_for_the_index(shop: Database, tmp_path: Path) -> None:
    values = ValuesInBackground(shop, tmp_path / "values")
    values.match("france")
    assert values.wait(60)
    assert values.match("france")[0].value == "France"


def test_what_goes_wrong_in_the_background_is_told(shop: Database, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    values = ValuesInBackground(shop, tmp_path / "file" / "values")
    assert not values.wait(60)
    with pytest.raises(OSError, match="file"):
        values.match("france")


def test_of_many_columns_that_hold_a_value_those_come_that_the_question_is_about(tmp_path: Path) -> None:
    path = tmp_path / "shop.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        for table in ("warehouse", "address", "reseller"):
            connection.executescript(f"CREATE TABLE {table} (city TEXT); INSERT INTO {table} VALUES ('Lyon')")
    database = connect(str(path))
    index = build_value_index(database, tmp_path / "index.sqlite")
    question = "Which resellers sit in Lyon?"
    hints = index.match(question, relevance=relevance(database.schema(), question))
    assert len(hints) == 2
    assert "reseller" in [hint.table for hint in hints]
    assert "reseller" not in [hint.table for hint in index.match(question)]


def test_a_pronoun_in_lower_case_names_no_value(index: ValueIndex) -> None:
    assert index.match("What do they owe us?") == ()
    assert index.match("What do they owe the US?")[0].value == "US"
