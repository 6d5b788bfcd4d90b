"""ReFoRCE takes every branch of the paper, and what it counts is what was done."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dragoman.bench.stages import stage_costs, stages
from dragoman.databases import Database, Limits
from dragoman.errors import BudgetSpent, ModelUnavailable, SetupError
from dragoman.models import ModelsByRole, ScriptedModel, Usage
from dragoman.questions import Question
from dragoman.solver import Answer, Draw
from dragoman.workflows import Asking
from dragoman.workflows.reforce import Parameters, reforce, with_options
from tests.workflows.shop import ASKING, COMPLETION, EMPTY, PROMPT, QUESTION, RIGHT, WRONG, cast, fenced, shop

PROBES = (
    "SELECT DISTINCT country FROM customer LIMIT 20",
    "SELECT DISTINCT name FROM customer LIMIT 20",
    "SELECT MIN(total), MAX(total) FROM orders LIMIT 20",
)
BROKEN = "SELECT json_extract('{', '$.a')"
"""Its names are right and the guard lets it pass; the engine says no."""
REPLIES = [
    RIGHT, EMPTY, BROKEN, WRONG, "SELECT 1", "SELECT 2", "No.", "",
    "```sql\nSELECT", fenced(*PROBES), "DROP TABLE x",
]  # fmt: skip
"""What a model may say, in any order."""
NOTHING = "SELECT DISTINCT name FROM customer WHERE country = 'FRA' LIMIT 20"


@pytest.fixture
def database(tmp_path: Path) -> Database:
    return shop(tmp_path)


def answered(
    database: Database,
    candidates: Mapping[int, Sequence[str]],
    explorers: Mapping[int, Sequence[str]] | None = None,
    asking: Asking = ASKING,
    **changed: Any,
) -> tuple[Answer, ScriptedModel]:
    """The answer with two candidates a round, unless `changed` says otherwise; round two has samples 2 and 3."""
    model = cast(candidates, explorers)
    solve = reforce(Parameters(**{"votes": 2, **changed}))(database, ModelsByRole(model), asking)
    answer = solve(QUESTION, Draw())
    assert len(model.requests) == answer.usage.calls, "every call is a step"
    assert answer.usage == Usage(len(model.requests), PROMPT * len(model.requests), COMPLETION * len(model.requests))
    return answer, model


def counted(answer: Answer) -> dict[tuple[int, str], tuple[int, int]]:
    """(model calls, executions) by round and stage, of stages that had any."""
    found: dict[tuple[int, str], tuple[int, int]] = {}
    for stage in stages(answer.steps):
        calls, executions = found.get((stage.round, stage.name), (0, 0))
        found[stage.round, stage.name] = (calls + stage.usage.calls, executions + stage.executions)
    assert sum(calls for calls, _ in found.values()) == answer.usage.calls, "every call belongs to a stage"
    return {where: both for where, both in found.items() if any(both)}


def standing(answer: Answer) -> list[str]:
    """How each round stood."""
    return [step.data["standing"] for step in answer.steps if step.kind == "vote"]


def test_what_agrees_at_once_leaves_early(database: Database) -> None:
    answer, _ = answered(database, {0: [RIGHT], 1: ["SELECT 2"]})
    assert answer.sql == RIGHT
    assert answer.rows is not None
    assert answer.rows.rows == ((2,),)
    assert answer.share == 1.0
    assert standing(answer) == ["agreed"]
    assert counted(answer) == {(1, "refine"): (2, 2)}
    assert [candidate.group for candidate in answer.candidates] == [0, 0]


def test_an_error_is_mended_by_what_is_said_of_it(database: Database) -> None:
    answer, model = answered(database, {0: [WRONG, RIGHT], 1: [BROKEN, RIGHT]})
    assert answer.sql == RIGHT
    assert counted(answer) == {(1, "refine"): (4, 3)}, "a name that is not there never reaches the engine"
    told = [request.messages[-1].text for request in model.requests if len(request.messages) > 2]
    assert any("There is no column total" in text for text in told)
    assert any("malformed JSON" in text and "<data" in text for text in told)


def test_a_candidate_that_is_empty_four_times_is_dropped(database: Database) -> None:
    answer, _ = answered(database, {0: [EMPTY] * 4, 1: [RIGHT]}, explore="never")
    assert counted(answer) == {(1, "refine"): (5, 5)}
    assert standing(answer) == ["lone"]
    assert answer.sql == RIGHT


def test_an_error_between_them_makes_empty_results_no_row_of_four(database: Database) -> None:
    answer, _ = answered(database, {0: [EMPTY, EMPTY, EMPTY, BROKEN, EMPTY], 1: [RIGHT]}, explore="never")
    assert counted(answer) == {(1, "refine"): (6, 6)}


def test_a_candidate_ends_after_five_queries(database: Database) -> None:
    answer, _ = answered(database, {0: [BROKEN] * 5, 1: [RIGHT]}, explore="never")
    assert counted(answer) == {(1, "refine"): (6, 6)}
    assert [stage.iterations for stage in stages(answer.steps) if stage.name == "refine"] == [5, 1]
    assert answer.candidates[0].error is not None


def test_a_reply_without_a_query_is_asked_for_three_times(database: Database) -> None:
    answer, model = answered(database, {0: ["Well.", "Hm.", RIGHT], 1: ["No."] * 4}, explore="never")
    assert answer.sql == RIGHT
    assert counted(answer) == {(1, "refine"): (7, 1)}
    assert model.requests[1].messages[-1].text.startswith("There is no query in that.")


def test_when_nobody_writes_a_query_the_answer_is_in_words(database: Database) -> None:
    words = ["The database knows no religions."] * 4
    answer, _ = answered(database, dict.fromkeys(range(4), words), {n: [fenced(*PROBES)] for n in (2, 3)})
    assert (answer.text, answer.sql, answer.error) == (words[0], "", None)
    assert standing(answer) == ["none", "none"]


def test_a_lone_candidate_is_explored_and_then_not_lost(database: Database) -> None:
    dropped = [BROKEN] * 5
    answer, _ = answered(
        database, {0: dropped, 1: [RIGHT], 2: dropped, 3: ["SELECT 7"]}, {n: [fenced(*PROBES)] for n in (2, 3)}
    )
    assert standing(answer) == ["lone", "lone"]
    assert answer.sql == "SELECT 7"
    assert answer.share == 0.5
    assert counted(answer) == {(1, "refine"): (6, 6), (2, "explore"): (2, 6), (2, "refine"): (6, 6)}


def test_no_agreement_is_explored_and_drawn_again_with_the_notes(database: Database) -> None:
    answer, model = answered(
        database, {0: ["SELECT 1"], 1: ["SELECT 3"], 2: [RIGHT], 3: [RIGHT]}, {n: [fenced(*PROBES)] for n in (2, 3)}
    )
    assert standing(answer) == ["scattered", "agreed"]
    assert answer.sql == RIGHT
    assert counted(answer) == {(1, "refine"): (2, 2), (2, "explore"): (2, 6), (2, "refine"): (2, 2)}
    last = model.requests[-1].messages[-1].text
    assert all(query in last for query in PROBES)
    assert "-- looks at something" in last
    assert "FR\nPE" in last


def test_no_agreement_at_all_leaves_the_first_of_the_last_round(database: Database) -> None:
    answer, _ = answered(database, {n: [f"SELECT {n}"] for n in range(4)}, {n: [fenced(*PROBES)] for n in (2, 3)})
    assert standing(answer) == ["scattered", "scattered"]
    assert answer.sql == "SELECT 2"
    assert answer.steps[-1].kind == "pick"
    assert answer.steps[-1].data["standing"] == "scattered"


def test_a_tie_is_deferred_and_then_the_first_of_its_classes_wins(database: Database) -> None:
    said = {n: [f"SELECT {n % 2}"] for n in range(4)}
    notes = {n: [fenced(*PROBES)] for n in range(4, 8)}
    answer, _ = answered(database, said | {n: [f"SELECT {5 + n % 2}"] for n in range(4, 8)}, notes, votes=4)
    assert standing(answer) == ["tie", "tie"]
    assert answer.sql == "SELECT 5"
    assert answer.share == 0.5
    assert [candidate.group for candidate in answer.candidates] == [0, 1, 0, 1]


def test_an_aborted_exploration_drops_its_candidate(database: Database) -> None:
    fails = [fenced(*[NOTHING.replace("FRA", f"F{n}") for n in range(10)]), *["I cannot."] * 30]
    answer, _ = answered(
        database, {0: ["SELECT 1"], 1: ["SELECT 3"], 3: ["SELECT 4"]}, {2: fails, 3: [fenced(*PROBES)]}
    )
    assert standing(answer) == ["scattered", "lone"]
    assert answer.sql == "SELECT 4"
    explored = [step for step in answer.steps if step.kind == "explore"]
    assert [(step.data["aborted"], step.data["notes"]) for step in explored] == [(True, 0), (False, 3)]
    assert "last 5 queries" in explored[0].text
    assert counted(answer)[2, "explore"] == (1 + 6 * 3 + 1, 6 + 3), "a reply that is no query uses up its attempt"


def test_where_all_explorations_are_aborted_the_first_round_stands(database: Database) -> None:
    fails = ["No query."] * 3
    answer, _ = answered(database, {0: ["SELECT 1"], 1: ["SELECT 3"]}, {2: fails, 3: fails})
    assert standing(answer) == ["scattered", "none"]
    assert answer.sql == "SELECT 1"
    assert counted(answer)[2, "explore"] == (6, 0)


def test_one_exploration_may_serve_all(database: Database) -> None:
    answer, _ = answered(
        database,
        {0: ["SELECT 1"], 1: ["SELECT 3"], 2: [RIGHT], 3: [RIGHT]},
        {2: [fenced(*PROBES)]},
        explore_once=True,
    )
    assert answer.sql == RIGHT
    assert counted(answer)[2, "explore"] == (1, 3)


def test_exploration_on_all_comes_first(database: Database) -> None:
    answer, _ = answered(
        database, {2: [RIGHT], 3: [RIGHT]}, {2: [fenced(*PROBES)], 3: ["No query."] * 3}, explore="always"
    )
    assert standing(answer) == ["agreed"]
    assert counted(answer) == {(1, "explore"): (4, 3), (1, "refine"): (2, 2)}


def test_without_a_vote_the_first_with_rows_is_taken(database: Database) -> None:
    answer, _ = answered(database, {0: [EMPTY, RIGHT]}, votes=1)
    assert standing(answer) == ["agreed"]
    assert answer.sql == RIGHT


def test_without_a_final_pick_what_is_open_stays_open(database: Database) -> None:
    answer, _ = answered(database, {0: ["SELECT 1"], 1: ["SELECT 3"]}, explore="never", final_pick=False)
    assert answer.sql == ""
    assert answer.error is not None
    assert answer.error.code == "undecided"
    assert len(answer.candidates) == 2


def test_the_candidates_are_those_of_the_round_of_the_answer(database: Database) -> None:
    fails = ["No query."] * 3
    answer, _ = answered(database, {0: [EMPTY] * 4, 1: [BROKEN] * 5}, {2: fails, 3: fails})
    assert standing(answer) == ["none", "none"]
    assert [candidate.sql for candidate in answer.candidates] == [EMPTY, BROKEN]
    assert answer.sql == EMPTY


def test_empty_results_are_an_answer_where_there_is_none_with_rows(database: Database) -> None:
    answer, _ = answered(database, {0: [EMPTY] * 4, 1: [BROKEN] * 5}, explore="never")
    assert answer.sql == EMPTY
    assert answer.error is None
    assert answer.rows is not None
    assert len(answer.rows) == 0


def test_a_result_is_checked_until_it_comes_twice(database: Database) -> None:
    answer, model = answered(database, {0: ["SELECT 1", RIGHT, "SELECT 2"]}, votes=1, self_check=True)
    assert answer.sql == "SELECT 2"
    assert counted(answer) == {(1, "refine"): (3, 3)}
    assert "The query ran and gave 1 row" in model.requests[1].messages[-1].text


def test_what_never_comes_twice_is_not_accepted(database: Database) -> None:
    answer, _ = answered(database, {0: [f"SELECT {n}" for n in range(5)]}, votes=1, self_check=True, explore="never")
    assert answer.error is not None
    assert answer.error.code == "undecided"


def test_the_format_of_the_answer_is_asked_for_first(database: Database) -> None:
    model = ScriptedModel(["```\nnumber_of_customers\n```", RIGHT, RIGHT])
    solve = reforce(Parameters(votes=2, answer_format=True))(database, ModelsByRole(model), ASKING)
    answer = solve(QUESTION, Draw())
    assert "columns: number_of_customers" in model.requests[-1].messages[-1].text
    assert stage_costs(answer.steps)["format"].usage.calls == 1


def test_whole_results_vote_though_they_are_cut_for_display(database: Database) -> None:
    queries = ["SELECT id FROM orders", "SELECT id FROM orders ORDER BY id DESC", "SELECT id FROM orders WHERE id < 9"]
    asking = Asking(ASKING.today, limits=Limits(rows=3))
    answer, _ = answered(database, {n: [sql] for n, sql in enumerate(queries)}, asking=asking, votes=3)
    assert standing(answer) == ["agreed"]
    assert [candidate.group for candidate in answer.candidates] == [0, 0, 1]
    assert stage_costs(answer.steps)["vote"].executions == 3, "what was cut is read again, and that is counted"


def test_rows_are_compared_as_rows(database: Database) -> None:
    scrambled = "SELECT 1, 'b' UNION ALL SELECT 2, 'a'"
    answer, _ = answered(database, {0: ["SELECT 1, 'a' UNION ALL SELECT 2, 'b'"], 1: [scrambled]}, explore="never")
    assert standing(answer) == ["scattered"]


def test_keys_stand_in_the_prompt(database: Database) -> None:
    _, model = answered(database, {0: [RIGHT], 1: [RIGHT]})
    system = model.requests[0].messages[0].text
    assert "customer_id INTEGER -> customer.id" in system
    assert "id INTEGER key" in system


def test_with_consent_one_candidate_is_shown_and_nothing_runs(database: Database) -> None:
    asking = Asking(ASKING.today, consent=lambda sql: False)
    answer, _ = answered(database, {0: [RIGHT]}, asking=asking, votes=8)
    assert (answer.sql, answer.rows, answer.error) == (RIGHT, None, None)
    assert counted(answer) == {(1, "refine"): (1, 0)}


def test_without_leave_no_cell_reaches_a_model_elsewhere(database: Database) -> None:
    asking = Asking(ASKING.today, values=False)
    lines = {0: ["SELECT name FROM customer", "SELECT 1"], 1: [BROKEN, "SELECT 2"]}
    model = cast({n: [*said, *["SELECT 3"] * 4] for n, said in lines.items()})
    model.local = False
    solve = reforce(Parameters(votes=2, self_check=True))(database, ModelsByRole(model), asking)
    answer = solve(QUESTION, Draw())
    sent = "\n".join(message.text for request in model.requests for message in request.messages)
    assert "Ann" not in sent
    assert "malformed" not in sent
    assert not any(step.kind == "explore" for step in answer.steps)


def test_the_gold_reveals_its_tables_only_where_it_is_given(database: Database) -> None:
    model = cast({0: [RIGHT]})
    method = reforce(Parameters(votes=1, reveal="tables"), gold=lambda question: RIGHT)
    answer = method(database, ModelsByRole(model), ASKING)(QUESTION, Draw())
    assert answer.sql == RIGHT
    assert "orders" not in model.requests[0].messages[0].text
    assert "name TEXT" in model.requests[0].messages[0].text
    model = cast({0: [RIGHT]})
    method = reforce(Parameters(votes=1, reveal="schema"), gold=lambda question: RIGHT)
    method(database, ModelsByRole(model), ASKING)(QUESTION, Draw())
    assert "name TEXT" not in model.requests[0].messages[0].text
    with pytest.raises(SetupError, match="bench alone"):
        reforce(Parameters(reveal="tables"))


def test_a_lost_server_is_a_value_and_a_spent_budget_is_not(database: Database) -> None:
    lost = ScriptedModel(lambda request: ModelUnavailable("gone"))
    answer = reforce(Parameters(votes=2))(database, ModelsByRole(lost), ASKING)(QUESTION, Draw())
    assert answer.error is not None
    assert answer.error.code == "model_unavailable"
    spent = ScriptedModel(lambda request: BudgetSpent("enough"))
    with pytest.raises(BudgetSpent):
        reforce(Parameters(votes=2))(database, ModelsByRole(spent), ASKING)(QUESTION, Draw())


def test_draws_of_one_question_share_no_sample(database: Database) -> None:
    model = ScriptedModel(lambda request: f"SELECT {request.settings.sample}")
    solve = reforce(Parameters(votes=3, explore="never"))(database, ModelsByRole(model), ASKING)
    for sample in range(3):
        solve(Question("?"), Draw(sample=sample))
    seen = [request.settings.sample for request in model.requests]
    assert len(set(seen)) == len(seen) == 9
    assert {request.settings.temperature for request in model.requests} == {1.0}


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from(REPLIES), min_size=1, max_size=9), st.sampled_from(["unsure", "always", "never"]))
def test_whatever_is_replied_it_ends_and_is_counted(database: Database, replies: list[str], explore: str) -> None:
    spoken = itertools.count()
    model = ScriptedModel(lambda request: replies[next(spoken) % len(replies)])
    how = with_options(Parameters(votes=3), {"explore": explore})
    answer = reforce(how)(database, ModelsByRole(model), ASKING)(QUESTION, Draw())
    a_round = how.votes * how.iterations * (1 + how.asks)
    assert len(model.requests) == answer.usage.calls <= 2 * a_round + how.votes * how.exploring.most_calls
    for stage in stages(answer.steps):
        assert stage.iterations <= how.iterations
        assert stage.executions <= (40 if stage.name == "explore" else how.iterations)
    assert sum(cost.usage.calls for cost in stage_costs(answer.steps).values()) == answer.usage.calls
    assert answer.sql or answer.text or answer.error
    if answer.rows:
        assert answer.share in (1 / 3, 2 / 3, 1.0)


def test_threads_change_nothing_but_the_time(database: Database) -> None:
    lines = {n: [EMPTY, BROKEN, f"SELECT {n}"] for n in range(8)}
    notes = {n: [fenced(*PROBES)] for n in range(4, 8)}
    answers = []
    for local in (True, False):
        model = cast(lines, notes)
        model.local = local
        answer = reforce(Parameters(votes=4))(database, ModelsByRole(model), ASKING)(QUESTION, Draw())
        answers.append([replace(step, seconds=0.0) for step in answer.steps])
    assert answers[0] == answers[1]
