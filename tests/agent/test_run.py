from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.agent import AgentLimits, Toolbox, agent
from dragoman.agent.read_reply import read_reply
from dragoman.agent.transcript import transcript_line
from dragoman.databases import Database
from dragoman.errors import BudgetSpent, ModelUnavailable, SetupError
from dragoman.models import Choice, RecordedModel, Reply, ScriptedModel, ToolCall, Usage
from dragoman.models.embedded.sql_form import SqlForm
from dragoman.models.scripted import Scripted
from dragoman.solver import Draw
from tests.agent.script import ASKED, TODAY, block, call, calls, run, stop, tools

COUNT = "SELECT COUNT(*) FROM customer"
SUBMIT = call("submit_final_sql", COUNT)


def test_a_submission_that_runs_is_the_answer(shop: Database) -> None:
    answer, model = run(shop, [call("execute_sql", COUNT), SUBMIT])
    assert (answer.sql, answer.rows and answer.rows.rows, answer.error) == (COUNT, ((3,),), None)
    assert stop(answer) == "submitted"
    assert answer.usage == Usage(2, 20, 10)
    assert [step.kind for step in answer.steps] == ["prompt", "prompt", "model", "tool", "model", "tool", "stop"]
    assert answer.candidates[0].source == "agent"
    assert answer.candidates[0].actions == ("draft_execute", "submit")
    assert len(model.requests) == 2


def test_the_skill_stands_verbatim_in_the_system_text(shop: Database) -> None:
    model = ScriptedModel([SUBMIT])
    agent(shop, model, "Use $dollars {and} `ticks`.", Toolbox(TODAY))(ASKED, Draw())
    assert "\nUse $dollars {and} `ticks`.\n" in model.requests[0].messages[0].text
    assert TODAY in model.requests[0].messages[0].text


def test_messages_are_the_state_and_the_steps_hold_their_texts(shop: Database) -> None:
    answer, model = run(shop, [call("execute_sql", COUNT, "Looking."), SUBMIT])
    messages = model.requests[1].messages
    assert [message.role for message in messages] == ["system", "user", "assistant", "tool"]
    assert [message.text for message in messages] == [step.text for step in answer.steps[:4]]
    assert messages[3].tool_call_id == messages[2].tool_calls[0].id


def test_native_tools_are_offered_and_text_protocol_offers_none(shop: Database) -> None:
    _, native = run(shop, [SUBMIT])
    _, text = run(shop, [block("submit_final_sql", COUNT)], text=True)
    assert [tool.name for tool in native.requests[0].tools][0::5] == ["execute_sql", "submit_final_sql"]
    assert text.requests[0].tools == ()
    assert "```tool execute_sql" in text.requests[0].messages[0].text
    assert "```tool execute_sql" not in native.requests[0].messages[0].text


def test_the_text_protocol_does_what_native_calls_do(shop: Database) -> None:
    answer, model = run(shop, [block("execute_sql", COUNT), block("submit_final_sql", COUNT)], text=True)
    assert answer.rows is not None
    assert answer.rows.rows == ((3,),)
    assert [message.role for message in model.requests[1].messages] == ["system", "user", "assistant", "user"]


def test_several_calls_in_one_reply_run_in_order(shop: Database) -> None:
    answer, model = run(shop, [calls(("execute_sql", COUNT), ("execute_sql", "SELECT 1")), SUBMIT])
    assert [step.data["argument"] for step in tools(answer)] == [COUNT, "SELECT 1", COUNT]
    assert [m.tool_call_id for m in model.requests[1].messages if m.role == "tool"] == ["c0", "c1"]
    assert answer.steps[-1].data["executions"] == 2


def test_calls_behind_a_submission_are_not_carried_out(shop: Database) -> None:
    answer, _ = run(shop, [calls(("submit_final_sql", COUNT), ("execute_sql", "SELECT 1"))])
    assert [step.data["outcome"] for step in tools(answer)] == ["ok", "not_run"]


def test_a_submission_that_does_not_run_is_sent_back_once(shop: Database) -> None:
    bad = call("submit_final_sql", "SELECT nam FROM customer")
    answer, _ = run(shop, [bad, SUBMIT])
    assert answer.sql == COUNT
    assert "name" in tools(answer)[0].text
    answer, _ = run(shop, [bad, bad])
    assert answer.sql == "SELECT nam FROM customer"
    assert answer.error is not None
    assert (answer.error.code, stop(answer)) == ("unresolved", "submitted")


def test_a_sentence_may_be_submitted_instead_of_a_query(shop: Database) -> None:
    answer, _ = run(shop, [call("submit_final_sql", "The database does not know birthdays.")])
    assert (answer.sql, answer.text, answer.error) == ("", "The database does not know birthdays.", None)


def test_turns_are_limited_and_the_last_query_that_ran_is_the_answer(shop: Database) -> None:
    replies = [
        call("execute_sql", COUNT),
        call("execute_sql", "SELECT nam FROM customer"),
        call("lookup_docs", "orders"),
    ]
    answer, model = run(shop, replies, AgentLimits(turns=3))
    assert (answer.sql, stop(answer)) == (COUNT, "turns")
    assert answer.error is None
    assert "One turn is left" in model.requests[2].messages[-1].text
    assert len(model.requests) == 3


def test_executions_are_limited(shop: Database) -> None:
    replies = [call("execute_sql", COUNT), call("execute_sql", "SELECT 1"), call("execute_sql", "SELECT 2")]
    answer, model = run(shop, replies, AgentLimits(executions=2))
    assert (answer.sql, stop(answer), answer.steps[-1].data["executions"]) == ("SELECT 1", "executions", 2)
    assert "No execution is left" in model.requests[2].messages[-1].text


def test_a_submission_after_the_last_execution_counts(shop: Database) -> None:
    answer, _ = run(shop, [call("execute_sql", "SELECT 1"), SUBMIT], AgentLimits(executions=1))
    assert (answer.sql, stop(answer)) == (COUNT, "submitted")


def test_without_a_query_that_ran_the_last_draft_is_the_answer(shop: Database) -> None:
    answer, _ = run(shop, [call("review_sql", COUNT), "right"], AgentLimits(turns=1))
    assert (answer.sql, stop(answer)) == (COUNT, "turns")
    assert answer.rows is not None


def test_sql_in_a_reply_that_calls_nothing_is_a_draft(shop: Database) -> None:
    answer, _ = run(shop, [f"```sql\n{COUNT}\n```"] * 3)
    assert (answer.sql, stop(answer)) == (COUNT, "malformed")


def test_a_run_without_any_query_fails_as_a_value(shop: Database) -> None:
    answer, _ = run(shop, ["Hello."] * 3)
    assert answer.error is not None
    assert (answer.error.code, stop(answer)) == ("no_sql", "malformed")


MALFORMED: list[tuple[str, Scripted, str]] = [
    ("prose", "I think it is three.", "calls no tool"),
    ("empty", "", "was empty"),
    ("cut off", Reply((Choice("SELECT", finish="length"),)), "cut off"),
    ("unknown tool", call("drop_table", "customer"), "no such tool"),
    ("unknown block", block("run_python", "1"), "no such tool"),
    ("broken JSON", Reply((Choice("", (ToolCall("a", "execute_sql", '{"sql": "SEL'),)),)), "not a JSON object"),
    ("JSON list", Reply((Choice("", (ToolCall("a", "execute_sql", "[1]"),)),)), "not a JSON object"),
    ("number", Reply((Choice("", (ToolCall("a", "execute_sql", '{"sql": 5}'),)),)), "not a JSON object"),
    ("empty argument", call("execute_sql", "  "), "is empty"),
    ("empty block", block("execute_sql", ""), "is empty"),
    ("JSON in text", '{"name": "execute_sql", "arguments": {}}', "not a JSON object"),
    ("only a thought", "<think>```tool submit_final_sql\nSELECT 1\n```</think>", "calls no tool"),
]


@pytest.mark.parametrize(("reply", "told"), [m[1:] for m in MALFORMED], ids=[m[0] for m in MALFORMED])
def test_a_malformed_reply_is_answered_with_what_was_wrong(shop: Database, reply: Scripted, told: str) -> None:
    answer, model = run(shop, [reply, SUBMIT])
    assert answer.sql == COUNT
    assert tools(answer)[0].data["outcome"] == "malformed"
    assert told in model.requests[1].messages[-1].text
    for message in model.requests[1].messages:
        assert all(isinstance(json.loads(c.arguments), dict) for c in message.tool_calls)


@pytest.mark.parametrize("reply", [m[1] for m in MALFORMED], ids=[m[0] for m in MALFORMED])
def test_malformed_replies_in_a_row_end_the_run(shop: Database, reply: Scripted) -> None:
    answer, model = run(shop, [reply] * 5, AgentLimits(malformed=2))
    assert stop(answer) == "malformed"
    assert len(model.requests) == 2


def test_malformed_replies_are_counted_in_a_row(shop: Database) -> None:
    answer, _ = run(shop, ["?", "?", call("execute_sql", COUNT), "?", "?", SUBMIT])
    assert stop(answer) == "submitted"


@pytest.mark.parametrize(
    "reply",
    [
        '{"name": "submit_final_sql", "arguments": {"sql": "SELECT COUNT(*) FROM customer"}}',
        '<tool_call>{"tool": "submit_final_sql", "parameters": {"query": "SELECT COUNT(*) FROM customer"}}</tool_call>',
        "<think>hm</think>\n~~~tool: submit_final_sql\nSELECT COUNT(*) FROM customer\n~~~",
        "```tool submit_final_sql\nSELECT COUNT(*) FROM customer",
        "```tool submit_final_sql\r\nSELECT COUNT(*) FROM customer;\r\n```",
    ],
)
def test_spellings_of_a_call_in_text_are_read(shop: Database, reply: str) -> None:
    for text in (True, False):
        answer, _ = run(shop, [reply], text=text)
        assert answer.sql == COUNT


def test_a_lost_server_is_a_value_and_a_spent_budget_is_not(shop: Database) -> None:
    answer, _ = run(shop, [call("execute_sql", COUNT), ModelUnavailable("The server is gone.")])
    assert answer.error is not None
    assert (answer.error.code, stop(answer)) == ("model_unavailable", "model")
    assert len(tools(answer)) == 1
    with pytest.raises(BudgetSpent):
        run(shop, [BudgetSpent("Enough.")])


def test_a_model_that_writes_sql_only_is_refused(shop: Database) -> None:
    with pytest.raises(SetupError, match="chat model"):
        agent(shop, ScriptedModel([], sql_form=SqlForm()), "x", Toolbox(TODAY))


def test_steps_are_told_as_they_are_made(shop: Database) -> None:
    told: list[tuple[Draw, str]] = []
    model = ScriptedModel([call("execute_sql", COUNT), SUBMIT])
    solve = agent(shop, model, "x", Toolbox(TODAY), on_step=lambda draw, step: told.append((draw, step.kind)))
    answer = solve(ASKED, Draw(sample=3))
    assert told == [(Draw(sample=3), step.kind) for step in answer.steps]


@pytest.mark.parametrize("text", [False, True])
def test_the_record_of_a_run_replays_to_the_same_bytes(shop: Database, tmp_path: Path, text: bool) -> None:
    made = (
        [
            block("execute_sql", "SELECT nam FROM customer"),
            "?",
            block("review_sql", COUNT),
            "fine",
            block("submit_final_sql", COUNT),
        ]
        if text
        else [call("execute_sql", "SELECT nam FROM customer"), "?", call("review_sql", COUNT), "fine", SUBMIT]
    )
    path = tmp_path / "recorded.jsonl"
    recording = RecordedModel(path, ScriptedModel(made), "record")
    toolbox = Toolbox(TODAY, text_protocol=text)
    first = agent(shop, recording, "x", toolbox)(ASKED, Draw(7, 0.2, 3))
    again = agent(shop, RecordedModel(path), "x", toolbox)(ASKED, Draw(7, 0.2, 3))
    assert transcript_line("x", ASKED, "sqlite", first) == transcript_line("x", ASKED, "sqlite", again)
    assert again.rows == first.rows or again.sql == first.sql


EVERY_TOOL = (
    ("lookup_docs", "orders"),
    ("get_sql_pattern", "ranking"),
    ("get_sql_templates", "filter"),
    ("execute_sql", "SELECT name FROM customer WHERE country = 'FR'"),
    ("review_sql", COUNT),
    ("submit_final_sql", COUNT),
)


@pytest.mark.parametrize("text", [False, True])
def test_a_transcript_of_every_tool_replays_to_the_same_bytes(shop: Database, tmp_path: Path, text: bool) -> None:
    say = block if text else call
    made = [say(*used) for used in EVERY_TOOL]
    recording = RecordedModel(tmp_path / "recorded.jsonl", ScriptedModel([*made[:5], "right", made[5]]), "record")
    toolbox = Toolbox(TODAY, text_protocol=text)
    first = agent(shop, recording, "x", toolbox)(ASKED, Draw())
    again = agent(shop, RecordedModel(tmp_path / "recorded.jsonl"), "x", toolbox)(ASKED, Draw())
    lines = [transcript_line("x", ASKED, "sqlite", answer) for answer in (first, again)]
    assert lines[0] == lines[1]
    assert [(step.data["tool"], step.data["argument"]) for step in tools(first)] == list(EVERY_TOOL)
    assert first.candidates[0].actions == ("docs", "pattern", "template", "intermediate_execute", "review", "submit")


def test_samples_and_seeds_reach_the_model(shop: Database) -> None:
    model = ScriptedModel([SUBMIT])
    agent(shop, model, "x", Toolbox(TODAY))(ASKED, Draw(7, 0.2, 3))
    settings = model.requests[0].settings
    assert (settings.seed, settings.temperature, settings.sample) == (7, 0.2, 3)


@given(st.text(max_size=200), st.sampled_from(["stop", "length", ""]))
def test_any_reply_gives_at_least_one_call(text: str, finish: str) -> None:
    assert read_reply(Choice(text, finish=finish))


@pytest.mark.parametrize("text", ["{" * 100_000, "```tool x\n" * 20_000, "<think>" * 20_000, "`" * 100_000])
def test_long_repetitive_replies_are_read_at_once(text: str) -> None:
    assert read_reply(Choice(text))
