"""Differences read off the trees."""

import pytest

from dragoman.bench.structure import loss, mismatches

RIGHT = "SELECT s.name, count(*) FROM singer s JOIN concert c ON c.singer = s.id WHERE s.age > 20 GROUP BY s.name"


@pytest.mark.parametrize(
    ("wrong", "found"),
    [
        (
            "SELECT s.name FROM singer s JOIN concert c ON c.singer = s.id WHERE s.age > 20 GROUP BY s.name",
            "SELECT count",
        ),
        ("SELECT s.name, count(*) FROM singer s WHERE s.age > 20 GROUP BY s.name", "lost join"),
        ("SELECT s.name, c.id FROM singer s JOIN concert c ON c.singer = s.id WHERE s.age > 20", "lost aggregate"),
        ("SELECT s.name, count(*) FROM singer s JOIN concert c ON c.singer = s.id GROUP BY s.name", "lost filter"),
        (RIGHT.replace("20", "30"), "non-structural"),
        ("SELECT name FROM WHERE", "no query"),
        ("", "no query"),
    ],
)
def test_loss(wrong: str, found: str) -> None:
    assert loss(RIGHT, wrong, "sqlite") == found


def test_mismatches() -> None:
    assert mismatches("SELECT a FROM t", "SELECT DISTINCT a FROM t", "sqlite") == ("DISTINCT",)
    assert mismatches("SELECT a FROM t UNION SELECT b FROM u", "SELECT rank() OVER (ORDER BY a) FROM t", "sqlite") == (
        "window function",
        "set operation",
    )
    assert mismatches("SELECT count(DISTINCT a) FROM t", "SELECT DISTINCT count(a) FROM t", "sqlite") == ()
    assert mismatches("SELECT a FROM t", "gibberish", "sqlite") is None
