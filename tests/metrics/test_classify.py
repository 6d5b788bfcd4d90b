"""Messages as the engines write them; what whole queries come to is in test_judge."""

from __future__ import annotations

import pytest

from dragoman.metrics.classify import kinds_said

MESSAGES = [
    ("sqlite", "no such column: T1.surname", "invalid_reference"),
    ("sqlite", "no such table: people", "invalid_reference"),
    ("sqlite", "no such function: INITCAP", "missing_function"),
    ("sqlite", 'near "WHERE": syntax error', "syntax"),
    ("sqlite", "incomplete input", "syntax"),
    ("sqlite", 'unrecognized token: "\'abc"', "syntax"),
    ("sqlite", "not authorized", "refused"),
    ("sqlite", "ambiguous column name: id", ""),
    ("sqlite", "misuse of aggregate: COUNT()", ""),
    ("duckdb", 'Binder Error: Referenced column "surname" not found in FROM clause!', "invalid_reference"),
    ("duckdb", 'Binder Error: Table "p" does not have a column named "x"', "invalid_reference"),
    ("duckdb", 'Binder Error: Referenced table "q" not found!', "invalid_reference"),
    ("duckdb", "Catalog Error: Table with name people does not exist!", "invalid_reference"),
    ("duckdb", "Catalog Error: Scalar Function with name foo does not exist!", "missing_function"),
    ("duckdb", 'Parser Error: syntax error at or near "selec"', "syntax"),
    ("duckdb", "Binder Error: No function matches the given name and argument types 'substr(VARCHAR)'.", ""),
    ("postgres", 'column "surname" does not exist', "invalid_reference"),
    ("postgres", "column p.surname does not exist", "invalid_reference"),
    ("postgres", 'relation "people" does not exist', "invalid_reference"),
    ("postgres", 'missing FROM-clause entry for table "q"', "invalid_reference"),
    ("postgres", "function foo(integer) does not exist", "missing_function"),
    ("postgres", 'syntax error at or near "selec"', "syntax"),
    ("postgres", "permission denied for table secret", "refused"),
    ("postgres", "operator does not exist: text + integer", ""),
    ("mysql", "(1054, \"Unknown column 'surname' in 'field list'\")", "invalid_reference"),
    ("mysql", "(1146, \"Table 'shop.people' doesn't exist\")", "invalid_reference"),
    ("mysql", "(1305, 'FUNCTION shop.foo does not exist')", "missing_function"),
    ("mysql", "(1064, 'You have an error in your SQL syntax; check the manual')", "syntax"),
    (
        "snowflake",
        "SQL compilation error: error line 1 at position 7 invalid identifier 'SURNAME'",
        "invalid_reference",
    ),
    ("snowflake", "SQL compilation error: Object 'PEOPLE' does not exist or not authorized.", "invalid_reference"),
    ("snowflake", "SQL compilation error: Unknown function FOO", "missing_function"),
    ("bigquery", "Unrecognized name: surname at [1:8]", "invalid_reference"),
    ("bigquery", "Not found: Table project:set.people was not found in location US", "invalid_reference"),
    ("bigquery", "Function not found: foo at [1:8]", "missing_function"),
    ("bigquery", "Syntax error: Unexpected end of script at [1:25]", "syntax"),
    ("oracle", 'ORA-00904: "SURNAME": invalid identifier', "invalid_reference"),
    ("tsql", "Invalid column name 'surname'.", "invalid_reference"),
    ("guard", "There is no table people in the schema.", "invalid_reference"),
    ("guard", "The function foo is not known to only read; if it does, add it.", "missing_function"),
    ("guard", "Exactly one statement is read at a time, and this text has several.", "refused"),
    ("guard", "The function load_extension loads native code; only reading the data is allowed.", ""),
    ("trino", "no such table: people", "invalid_reference"),
]


@pytest.mark.parametrize(("dialect", "message", "kind"), MESSAGES)
def test_messages_of_the_engines(dialect: str, message: str, kind: str) -> None:
    assert kinds_said(message, dialect) == ({kind} if kind else set())
