"""The answers that are not right."""

from dragoman.bench.mistakes import mistakes_section
from dragoman.report import Table
from tests.bench.lines import GOLD, line


def test_what_is_not_right_is_shown_with_gold_and_reason() -> None:
    found = mistakes_section(
        [
            line("a"),
            line("b", "wrong", sql="SELECT 2", reason="2 rows instead of 1."),
            line("c", "no_answer", sql="", text="There is no such thing."),
            line("d", "unscored", sql="SELECT 4", reason="The gold query failed."),
            line("e", "wrong", sql="SELECT 5"),
            line("b", "wrong", repeat=1),
        ]
    )
    assert found is not None
    (table,) = found.parts
    assert isinstance(table, Table)
    assert table.rows == (
        ("Question b?", GOLD, "SELECT 2", "2 rows instead of 1."),
        ("Question c?", GOLD, "There is no such thing.", "no answer"),
        ("Question d?", GOLD, "SELECT 4", "unscored: The gold query failed."),
        ("Question e?", GOLD, "SELECT 5", "wrong"),
    )


def test_nothing_is_shown_where_all_are_right_and_not_everything_where_much_is_wrong() -> None:
    assert mistakes_section([line("a")]) is None
    found = mistakes_section([line(str(n), "wrong") for n in range(1200)])
    assert found is not None
    (table,) = found.parts
    assert isinstance(table, Table)
    assert len(table.rows) == 30
    assert table.note == "The first 30 of 1,200. All are in results.jsonl."
