"""Names fall into words, and a question's words find those that may mean the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.linking.words import LIKE, MEANT, PART, SAME, SHORT, Vocabulary, with_compounds, words


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("custOrders_2", ["cust", "order", "2"]),
        ("HTTPStatus", ["http", "statu"]),
        ("addresses of cities", ["address", "of", "city"]),
        ("Größe_в_см", ["gr", "öß", "e", "в", "см"]),
        ("", []),
    ],
)
def test_words(text: str, found: list[str]) -> None:
    assert words(text) == found


def test_compounds() -> None:
    assert list(with_compounds(["zip", "code", "2"])) == ["zip", "code", "2", "zipcode"]


@pytest.mark.parametrize(
    ("asked", "known", "weight"),
    [
        ("country", "country", SAME),
        ("quantity", "qty", SHORT),
        ("qty", "quantity", SHORT),
        ("populated", "population", LIKE),
        ("temperature", "temperatur", LIKE),
        ("maximum", "maxi", PART),
        ("view", "pageview", PART),
        ("shipment", "shpmnt", PART),
        ("revenue", "sale", MEANT),
        ("country", "county", PART),
        ("custmoer", "customer", PART),
        ("manager", "mgr", SHORT),
        ("cat", "dog", 0.0),
    ],
)
def test_what_a_word_may_stand_for(asked: str, known: str, weight: float) -> None:
    assert Vocabulary([known, "unrelated"]).meant_by(asked).get(known, 0.0) == weight


@given(st.text())
def test_any_text_has_words(text: str) -> None:
    assert all(word == word.lower() for word in words(text))
    Vocabulary(words(text)).meant_by(text)


def test_a_misspelling_counts_only_where_nothing_else_does() -> None:
    assert Vocabulary(["country", "county"]).meant_by("country") == {"country": SAME}
