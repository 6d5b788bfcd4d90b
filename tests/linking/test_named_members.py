"""Which tables of a series a question means, by the dates that it names."""

from __future__ import annotations

import pytest

from dragoman.linking.named_members import named_members

MONTHS = [f"events_2025_{month:02}" for month in range(1, 13)]
DAYS = [f"log_2024{month:02}{day:02}" for month in (2, 3) for day in (1, 2, 14)]
YEARS = ["sales_2023", "sales_2024", "sales_2025"]


def of(*months: int) -> tuple[str, ...]:
    return tuple(MONTHS[month - 1] for month in months)


@pytest.mark.parametrize(
    ("question", "names", "meant"),
    [
        ("How many purchases were there in March 2025?", MONTHS, of(3)),
        ("purchases in November and December 2025 together", MONTHS, of(11, 12)),
        ("from March to June 2025", MONTHS, of(3, 4, 5, 6)),
        ("between February 2025 and April 2025", MONTHS, of(2, 3, 4)),
        ("on 2025-07-14", MONTHS, of(7)),
        ("in the first quarter of 2025", MONTHS, of(1, 2, 3)),
        ("the first three months of 2025", MONTHS, of(1, 2, 3)),
        ("in Q4", MONTHS, of(10, 11, 12)),
        ("in 2025", MONTHS, tuple(MONTHS)),
        ("in March 2024", MONTHS, ()),
        ("which may it be?", MONTHS, ()),
        ("in May", MONTHS, of(5)),
        ("how many in all?", MONTHS, ()),
        ("on 14 March 2024", DAYS, ("log_20240314",)),
        ("on March 2, 2024", DAYS, ("log_20240302",)),
        ("in February 2024", DAYS, ("log_20240201", "log_20240202", "log_20240214")),
        ("sales of 2023 and 2025", YEARS, ("sales_2023", "sales_2025")),
        ("sales in March 2024", YEARS, ("sales_2024",)),
        ("in Mar 2025", ["t_jan_2025", "t_mar_2025"], ("t_mar_2025",)),
        ("which of the 3 are best?", ["part_1", "part_2", "part_3"], ()),
    ],
)
def test_members_that_are_named(question: str, names: list[str], meant: tuple[str, ...]) -> None:
    assert named_members(question, names) == meant
