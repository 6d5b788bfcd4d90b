"""Column exploration: bounded whatever a model says, and corrections carried over."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dragoman.databases import Database, Rows, connect
from dragoman.errors import BudgetSpent, ModelUnavailable
from dragoman.linking.explore import Exploration, Exploring, Subject, explore
from dragoman.models import ScriptedModel
from dragoman.models.scripted import Scripted


def show(found: Rows | str) -> str:
    """Rows as Python shows them."""
    return found if isinstance(found, str) else str(found.rows)


SUBJECT = Subject("t(n INT, code TEXT)", "How many are open?", "Sunday, 2026-11-29", show)
GOOD = [f"SELECT n FROM t WHERE n > {number} LIMIT 20" for number in range(3)]


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Database:
    path: Path = tmp_path_factory.mktemp("explored") / "t.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE t (n INT, code TEXT)")
        connection.executemany("INSERT INTO t VALUES (?, ?)", [(n, "OC"[n % 2]) for n in range(50)])
    connection.close()
    return connect(str(path))


def plan(queries: Sequence[str]) -> str:
    """A reply with each query in a block of its own."""
    return "Let me look.\n" + "\n".join(f"```sql\n-- Description: why {n}\n{q};\n```" for n, q in enumerate(queries))


def explored(database: Database, replies: Sequence[Scripted], how: Exploring = Exploring()) -> Exploration:
    model = ScriptedModel(replies)
    found = explore(database, model, SUBJECT, how)
    assert sum(step.kind == "model" for step in found.steps) == len(model.requests)
    return found


def test_results_become_notes_with_what_they_are_for(database: Database) -> None:
    found = explored(database, [plan(["SELECT DISTINCT code FROM t ORDER BY code", *GOOD])])
    assert (found.notes[0].about, found.notes[0].shown) == ("why 0", "(('C',), ('O',))")
    assert len(found.notes) == 4
    assert found.aborted == ""
    assert [step.kind for step in found.steps] == ["model", *["execute"] * 4]


def test_no_more_rows_are_read_than_allowed(database: Database) -> None:
    found = explored(database, [plan(["SELECT n FROM t", *GOOD])])
    assert found.steps[1].data == {"rows": 20, "truncated": True}


def test_a_short_plan_is_asked_for_again(database: Database) -> None:
    found = explored(database, ["I would look at t.", plan(GOOD[:1]), plan(GOOD)])
    assert len(found.notes) == 3
    found = explored(database, ["I would look at t.", plan(GOOD[:2]), plan(GOOD[:1])])
    assert len(found.notes) == 2, "the longest plan is what there is"
    found = explored(database, ["Nothing.", "Nothing.", "Nothing."])
    assert (found.notes, found.aborted) == ((), "No query could be read in what the model planned.")


def test_what_fails_or_is_empty_is_corrected_up_to_three_times(database: Database) -> None:
    bad = "SELECT m FROM t"
    empty = "SELECT n FROM t WHERE code = 'open'"
    found = explored(database, [plan([bad, *GOOD]), plan([empty]), "Sorry.", plan(GOOD[:1]), plan(GOOD)])
    assert [note.sql for note in found.notes] == [GOOD[0], *GOOD]
    assert found.notes[0].about == "why 0"
    texts = [step.text for step in found.steps if step.kind == "execute"]
    assert "no such column: m" in texts[0]


def test_a_correction_is_carried_over_to_the_queries_that_wait(database: Database) -> None:
    bad = [f"SELECT m FROM t WHERE m > {n}" for n in range(4)]
    model = ScriptedModel([plan(bad), plan(["SELECT n FROM t WHERE n > 0"]), plan([b.replace("m", "n") for b in GOOD])])
    found = explore(database, model, SUBJECT)
    asked = model.requests[-1].messages[-1].text
    assert all(query in asked for query in bad)
    assert "SELECT n FROM t WHERE n > 0" in asked
    assert len(found.notes) == 4
    assert len(model.requests) == 3


def test_what_loses_more_than_half_of_the_queries_is_not_taken(database: Database) -> None:
    waiting = [*GOOD, "SELECT 4"]
    found = explored(database, [plan(["SELECT m FROM t", *waiting]), plan(["SELECT 9"]), plan(["SELECT 8"])])
    assert [note.sql for note in found.notes] == ["SELECT 9", *waiting]
    found = explored(
        database, [plan(["SELECT m FROM t", *waiting]), plan(["SELECT 9"]), plan(["SELECT 8", "SELECT 7"])]
    )
    assert [note.sql for note in found.notes] == ["SELECT 9", "SELECT 8", "SELECT 7"]


def test_it_is_aborted_when_five_in_a_row_find_nothing(database: Database) -> None:
    bad = [f"SELECT n FROM t WHERE n > {n}00" for n in range(1, 9)]
    found = explored(database, [plan([GOOD[0], *bad]), *["I give up."] * 15])
    assert len(found.notes) == 1
    assert found.aborted == "The last 5 queries found nothing."
    assert sum(step.kind == "execute" for step in found.steps) == 6


def test_what_writes_is_refused_and_told(database: Database) -> None:
    found = explored(database, [plan(["DELETE FROM t", *GOOD]), plan(GOOD[:1]), plan(GOOD)])
    assert found.steps[1].data["failed"] == "unreadable"
    assert len(found.notes) == 4


def test_a_lost_model_ends_it_with_what_was_found(database: Database) -> None:
    found = explored(database, [plan([*GOOD, "SELECT m FROM t"]), ModelUnavailable("The server is gone.")])
    assert (len(found.notes), found.aborted) == (3, "The server is gone.")
    with pytest.raises(BudgetSpent):
        explored(database, [BudgetSpent("enough")])


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.sampled_from(
            [
                plan(GOOD), plan(["SELECT m FROM t", *GOOD]), plan([f"SELECT x{n} FROM t" for n in range(30)]), "No.",
                "", "```sql\nSELECT", plan(["SELECT n FROM t WHERE n < 0"]), "SELECT 1", plan(["DROP TABLE t"]),
            ]
        ),
        min_size=1,
        max_size=8,
    )
)  # fmt: skip
def test_it_comes_to_an_end_whatever_is_replied(database: Database, replies: list[str]) -> None:
    how = Exploring()
    spoken = iter(range(10**6))
    model = ScriptedModel(lambda request: replies[next(spoken) % len(replies)])
    found = explore(database, model, SUBJECT, how)
    assert len(model.requests) <= how.most_calls
    assert sum(step.kind == "execute" for step in found.steps) <= how.queries * (1 + how.fixes)
    assert len(found.notes) <= how.queries
