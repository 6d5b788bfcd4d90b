"""Names become patterns that stand for exactly these names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.linking.name_ranges import compact_names, expand_names, variable_parts


@pytest.mark.parametrize(
    ("names", "patterns"),
    [
        (["t_1", "t_3", "t_2"], ("t_{1..3}",)),
        (["t_8", "t_9", "t_10", "t_12"], ("t_{8..10,12}",)),
        (["d_20160228", "d_20160229", "d_20160301"], ("d_{20160228..20160301}",)),
        (["m_201911", "m_201912", "m_202001"], ("m_{201911..202001}",)),
        ([f"q_{y}_q{q}" for y in (2019, 2020, 2021) for q in (1, 2, 3, 4)], ("q_{2019..2021}_q{1..4}",)),
        (["s_jan", "s_feb", "s_mar"], ("s_{jan..mar}",)),
        (["salesJan24", "salesFeb24"], ("sales{Jan,Feb}24",)),
        (["y_2019_1", "y_2019_2", "y_2020_1"], ("y_2019_{1,2}", "y_2020_1")),
        (["plain"], ("plain",)),
        ([], ()),
    ],
)
def test_patterns(names: list[str], patterns: tuple[str, ...]) -> None:
    assert compact_names(names) == patterns


def test_a_year_of_days_is_one_range() -> None:
    assert list(expand_names(["v_{20151230..20160102}"])) == ["v_20151230", "v_20151231", "v_20160101", "v_20160102"]


@pytest.mark.parametrize("word", ["march_madness", "decimal", "Mayor", "JANITOR", "primary"])
def test_words_that_begin_like_months_are_no_months(word: str) -> None:
    assert variable_parts(word)[1] == (("march",) if word == "march_madness" else ())


names = st.from_regex(
    r"(a|b_|ev)?([0-9]{1,4}|20[12][0-9](0[1-9]|1[0-2])[0-3]?[0-9]?|_jan|_February|_MAR|x){1,3}[.]?z?", fullmatch=True
)


@given(st.lists(names, unique=True))
def test_expanding_gives_the_names_back(found: list[str]) -> None:
    assert sorted(expand_names(compact_names(found))) == sorted(found)
