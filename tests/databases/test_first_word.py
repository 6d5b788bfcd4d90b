"""The first word behind comments and parentheses."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.databases.first_word import first_word

PARTS = [" ", "\n", "\t", "(", "/* x */", "/**/", "-- DELETE\n", "/* DELETE -- */"]
BEFORE = st.lists(st.sampled_from(PARTS)).map("".join)


@given(BEFORE, st.sampled_from(["select", "With", "DELETE"]))
def test_comments_and_parentheses_are_skipped(before: str, word: str) -> None:
    assert first_word(f"{before}{word} 1") == first_word(f"{before}{word} 1", nested_comments=False) == word.upper()


@pytest.mark.parametrize(
    ("sql", "nested", "flat"),
    [
        ("/* /* */ DELETE */ SELECT", "SELECT", "DELETE"),
        ("/* /* */ */ SELECT", "SELECT", ""),
        ("/*! DELETE */ SELECT", "", ""),
        ("/*M! DELETE */ SELECT", "", ""),
        ("", "", ""),
        ("-- only", "", ""),
        ("/* open", "", ""),
        ("1 SELECT", "", ""),
    ],
)
def test_comments_nest_or_do_not(sql: str, nested: str, flat: str) -> None:
    assert first_word(sql) == nested
    assert first_word(sql, nested_comments=False) == flat
