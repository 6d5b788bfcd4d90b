"""Queries in plain words."""

from __future__ import annotations

import pytest

from dragoman.schema import Column, Schema, Table
from dragoman.sql.reading import reading

SCHEMA = Schema(
    (
        Table("customer", tuple(Column(n) for n in ("customer_id", "name", "country"))),
        Table("orders", tuple(Column(n) for n in ("order_id", "customer_id", "amount"))),
    )
)


@pytest.mark.parametrize(
    ("sql", "part", "phrases"),
    [
        ("SELECT COUNT(*) FROM orders", "shown", ("the number of rows",)),
        ("SELECT COUNT(DISTINCT o.customer_id) FROM orders AS o", "shown", ("the number of different customer_id",)),
        (
            "SELECT COUNT(amount), AVG(amount) AS a FROM orders",
            "shown",
            ("the number of amount", "the average of amount"),
        ),
        ("SELECT DISTINCT country FROM customer", "shown", ("different country",)),
        (
            "SELECT c.*, o.amount FROM customer c JOIN orders o USING (customer_id)",
            "shown",
            ("all columns of c", "amount"),
        ),
        (
            "SELECT c.customer_id FROM customer c JOIN orders o ON o.customer_id = c.customer_id",
            "shown",
            ("customer_id of customer",),
        ),
        ("SELECT MAX(amount) - MIN(amount) FROM orders", "shown", ("MAX(amount) - MIN(amount)",)),
        (
            "SELECT name FROM customer WHERE country = 'FR' AND NOT name LIKE 'A%'",
            "conditions",
            ("country is FR", "not: name is like A%"),
        ),
        (
            "SELECT name FROM customer WHERE country IS NULL OR customer_id BETWEEN 1 AND 3",
            "conditions",
            ("country is empty or customer_id is from 1 to 3",),
        ),
        ("SELECT name FROM customer WHERE country IN ('FR', 'DE')", "conditions", ("country is one of FR, DE",)),
        (
            "SELECT name FROM customer WHERE customer_id IN (SELECT customer_id FROM orders)",
            "conditions",
            ("customer_id of customer is among the results of another query",),
        ),
        (
            "SELECT country FROM customer GROUP BY country HAVING COUNT(*) >= 2",
            "conditions",
            ("the number of rows is at least 2",),
        ),
        ("SELECT country FROM customer GROUP BY country", "groups", ("country",)),
        ("SELECT amount FROM orders ORDER BY amount DESC LIMIT 3", "order", ("amount from high to low",)),
        ("SELECT name FROM customer EXCEPT SELECT 'x'", "together", ("without the rows of another query",)),
        ("SELECT name FROM customer c JOIN orders o USING (customer_id)", "tables", ("customer", "orders")),
    ],
)
def test_the_parts_of_a_query(sql: str, part: str, phrases: tuple[str, ...]) -> None:
    assert getattr(reading(sql, SCHEMA), part) == phrases


def test_a_limit_is_a_number() -> None:
    assert reading("SELECT amount FROM orders ORDER BY amount DESC LIMIT 3", SCHEMA).limit == "3"
    assert reading("SELECT amount FROM orders", SCHEMA).limit == ""
