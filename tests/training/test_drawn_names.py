"""Practice shows the taken-over table under names that say nothing of those that refining compares."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from dragoman.databases import connect
from dragoman.demo import build
from dragoman.questions import Example, Question
from dragoman.refine.name_problem import Names
from dragoman.refine.propose_offline import propose_offline
from dragoman.refine.screen import open_places
from dragoman.refine.subject import subjects
from tests.training.conftest import TRAINING  # noqa: F401 - puts the training folder on the path

import drawn_names  # isort: skip


@pytest.mark.slow
def test_neither_old_names_nor_offered_ones_are_drawn_and_queries_follow(tmp_path: Path) -> None:
    build(tmp_path / "demo.sqlite")
    demo = connect(str(tmp_path / "demo.sqlite"))
    schema = demo.schema()
    table = schema.table(drawn_names.TABLE)
    assert table is not None
    places = [(table.name, ""), *((table.name, column.name) for column in table.columns)]
    kept = {name.lower() for place in places for name in place}
    proposals = propose_offline(Names(schema))(subjects(open_places(schema, [table.name]), demo, schema, ""))
    offered = {proposed.name for proposal in proposals for proposed in proposal.names}
    order = random.Random(0)
    for _ in range(100):
        found = drawn_names.drawn(order)
        assert set(found.names) == set(places)
        assert not {name.lower() for name in found.names.values()} & (kept | offered)
    asked = Example(Question("How many dealers are there?", id="a"), "SELECT COUNT(*) FROM CUST_MST", "demo")
    other = Example(Question("How many orders are there?", id="b"), "SELECT COUNT(*) FROM orders", "demo")
    copies = drawn_names.copies(demo, 3)
    there, same = drawn_names.moved([asked, other], copies)
    assert "CUST_MST" not in there.sql
    assert copies[there.database].execute(there.sql).rows == demo.execute(asked.sql).rows
    assert same.sql == other.sql
