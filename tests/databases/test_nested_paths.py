"""Paths below nested types, in three engines' spellings."""

import pytest

from dragoman.databases.nested_paths import nested_paths, split_list


@pytest.mark.parametrize(
    ("spelling", "paths"),
    [
        ("INTEGER", ()),
        ("INTEGER[]", ()),
        ("DECIMAL(10, 2)", ()),
        ("STRUCT(a INTEGER, b DECIMAL(10, 2))", (("a", "INTEGER"), ("b", "DECIMAL(10, 2)"))),
        ('STRUCT("x ""y"", z" INT)[3]', (('[].x "y", z', "INT"),)),
        (
            "ARRAY<STRUCT<a INT64, b ARRAY<STRUCT<c STRING>>>>",
            (("[].a", "INT64"), ("[].b", "ARRAY<STRUCT<c STRING>>"), ("[].b[].c", "STRING")),
        ),
        ("OBJECT(a NUMBER(38, 0), b ARRAY(VARCHAR))", (("a", "NUMBER(38, 0)"), ("b", "ARRAY(VARCHAR)"))),
        ("STRUCT<`a b` STRING>", (("a b", "STRING"),)),
        ("MAP(VARCHAR, STRUCT(a INT))", ()),
        ("STRUCT(", ()),
    ],
)
def test_every_field_has_its_path(spelling: str, paths: tuple[tuple[str, str], ...]) -> None:
    assert nested_paths(spelling) == paths


def test_a_type_that_nests_without_end_ends() -> None:
    spelling = "STRUCT(a " * 200 + "INT" + ")" * 200
    assert len(nested_paths(spelling)) <= 20


def test_commas_inside_quotes_and_brackets_do_not_part() -> None:
    assert list(split_list("'a,b', 'it''s', f(1, 2), \"x,y\"")) == ["'a,b'", "'it''s'", "f(1, 2)", '"x,y"']
