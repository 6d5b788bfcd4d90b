"""Replies that repeat themselves without end are read in a moment."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.ensemble.read_verdict import read_verdict
from dragoman.sql.extract import extract
from dragoman.sql.unstuck import KEPT, SHORT, unstuck

STUCK = (" ", "\n", " \n\t", "[", "[1,", '{"a":', "*", "> ", "`", "SELECT x\n", "SELECT 1;", "Question: x\n", "A is ")


@given(st.text(max_size=40), st.text(max_size=40))
def test_what_does_not_repeat_stays(before: str, after: str) -> None:
    varied = "\n".join(f"SELECT column_{number} FROM t" for number in range(SHORT // 10))
    assert unstuck(before) == before
    assert varied in unstuck(f"{before}\n{varied}\n{after}")


@pytest.mark.parametrize("unit", STUCK)
def test_what_repeats_is_kept_fifty_times(unit: str) -> None:
    cut = unstuck("x" + unit * 5000 + "y")
    assert len(cut) <= KEPT * len(unit) + 2 + len(unit)
    assert cut[0] == "x"
    assert cut[-1] == "y"
    assert unstuck(cut) == cut


def test_the_query_before_it_is_still_found() -> None:
    for unit in STUCK[:3]:
        assert extract(f"```sql\nSELECT name FROM customer\n```{unit * 20_000}").sql == "SELECT name FROM customer"
        assert read_verdict(f"The first counts twice.{unit * 20_000}Better: B") == "second"


READ_ALL = """
from dragoman.agent.read_reply import read_reply
from dragoman.ensemble.read_verdict import read_verdict
from dragoman.linking.rank_by_model import read_choice
from dragoman.models import Choice
from dragoman.schema import Column, Schema, Table
from dragoman.sql.described_queries import described_queries
from dragoman.sql.extract import extract
from dragoman.workflows.chase_examples import read_examples
from dragoman.workflows.chase_values import read_keywords
from dragoman.workflows.din_sql_replies import read_label, read_links, read_questions
from dragoman.workflows.mac_sql_schema import read_ddl
from dragoman.workflows.schema_part import read_columns, read_tables

schema = Schema((Table("customer", (Column("name", "TEXT"),)),), "sqlite", "shop")
for start in ("", "Better:", "SELECT", "SELECT '", "Question:", "Question: x", "CREATE TABLE x (", "Schema_links:"):
    for unit in UNITS:
        text = start + unit * 10_000 + "x"
        for read in (extract, read_verdict, read_keywords, read_links, read_label, read_questions, read_choice):
            read(text)
        for read in (read_ddl, read_tables, read_columns):
            read(text, schema)
        list(read_examples(text, schema))
        described_queries(text, "sqlite")
        read_reply(Choice(text))
"""


def test_no_reader_of_replies_hangs() -> None:
    """Minutes, or for ever, is what each of these took; the limit is far above the seconds that it takes now."""
    code = READ_ALL.replace("UNITS", repr(STUCK))
    subprocess.run([sys.executable, "-c", code], check=True, timeout=300)
