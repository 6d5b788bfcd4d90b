"""Evidence and comments under new names."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.refine.follow_names import follow_names
from dragoman.schema import Column, Schema, Table

SCHEMA = Schema(
    (
        Table("CUST_MST", tuple(map(Column, ("cst_no", "stat_flg", "type", "Free Meals (K-12)", "nm")))),
        Table("products", tuple(map(Column, ("nm", "type", "price")))),
    )
)
NAMES = {
    ("CUST_MST", ""): "dealers",
    ("CUST_MST", "cst_no"): "dealer_number",
    ("CUST_MST", "stat_flg"): "status",
    ("CUST_MST", "Free Meals (K-12)"): "free_meals",
    ("CUST_MST", "nm"): "dealer_name",
    ("products", "nm"): "product_name",
    ("products", "type"): "product_type",
}


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("Active means stat_flg = 'A'", "Active means status = 'A'"),
        ("Active means STAT_FLG = 'stat_flg'", "Active means status = 'stat_flg'"),
        ("rate = `Free Meals (K-12)` / 2", "rate = `free_meals` / 2"),
        ('share is COUNT("cst_no") / 3', 'share is COUNT("dealer_number") / 3'),
        ("CUST_MST.type = 'R'; products.type is free", "dealers.type = 'R'; products.product_type is free"),
        ("[CUST_MST].[nm] is shown", "[dealers].[dealer_name] is shown"),
        ("nm is the name", "nm is the name"),
        ("nm of CUST_MST is the name", "dealer_name of dealers is the name"),
        ("the type of the product does not matter", "the type of the product does not matter"),
        ("the products of a type = 'x'", "the products of a product_type = 'x'"),
        ("xcst_no and cst_now are no columns; price is none that changed", None),
        ("don't touch stat_flg, it isn't 'stat_flg'", "don't touch status, it isn't 'stat_flg'"),
    ],
)
def test_names_are_told_from_words(text: str, after: str | None) -> None:
    assert follow_names(text, SCHEMA, NAMES) == (after or text)


@settings(deadline=None)
@given(st.text(max_size=60))
def test_any_text_is_taken_and_nothing_happens_without_names(text: str) -> None:
    follow_names(text, SCHEMA, NAMES)
    assert follow_names(text, SCHEMA, {}) == text
