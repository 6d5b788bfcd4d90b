"""Replies written in advance."""

from __future__ import annotations

from pathlib import Path

import pytest

from dragoman.errors import ModelError, ModelUnavailable, SetupError
from dragoman.models import Choice, Message, Reply, Request, ScriptedModel, Settings, Tool, ToolCall, Usage
from dragoman.models.scripted import read_script

ASK = [Message("user", "how many?")]


def test_replies_come_in_order_and_requests_are_kept() -> None:
    model = ScriptedModel(["SELECT 1", Reply((Choice("", (ToolCall("1", "run_sql", "{"),)),), Usage(1, 5, 5), 0.5)])
    assert model.complete(ASK).text == "SELECT 1"
    second = model.complete(ASK, [Tool("run_sql", "runs")], Settings(seed=4))
    assert second.choices[0].tool_calls[0].arguments == "{"
    assert second.cost == 0.5
    assert [request.settings.seed for request in model.requests] == [None, 4]
    assert model.requests[1].tools == (Tool("run_sql", "runs"),)


def test_a_function_answers_from_the_request() -> None:
    model = ScriptedModel(lambda request: request.messages[-1].text.upper())
    assert model.complete(ASK).text == "HOW MANY?"


def test_each_sample_takes_a_reply() -> None:
    reply = ScriptedModel(["a", "b", "c"]).complete(ASK, settings=Settings(n=3))
    assert [choice.text for choice in reply.choices] == ["a", "b", "c"]
    assert reply.usage.calls == 3


def test_text_streams_in_pieces_that_join_to_the_reply() -> None:
    heard: list[str] = []
    reply = ScriptedModel(["  SELECT *\n FROM t "]).complete(ASK, on_text=heard.append)
    assert len(heard) > 1
    assert "".join(heard) == reply.text == "  SELECT *\n FROM t "


def test_running_out_says_where() -> None:
    model = ScriptedModel(["a"])
    model.complete(ASK)
    with pytest.raises(ModelError, match=r"1 replies and this is request 2"):
        model.complete(ASK)


def test_an_exception_in_the_script_is_raised() -> None:
    def fail(request: Request) -> Exception:
        return ModelUnavailable("down")

    with pytest.raises(ModelUnavailable):
        ScriptedModel(fail).complete(ASK)


def test_a_script_file_holds_strings_and_replies(tmp_path: Path) -> None:
    path = tmp_path / "script.jsonl"
    path.write_text('"SELECT 1"\n\n{"choices": [{"text": "", "tool_calls": []}], "cost": 1}\n', encoding="utf-8")
    model = read_script(path)
    assert model.complete(ASK).text == "SELECT 1"
    assert model.complete(ASK).cost == 1


@pytest.mark.parametrize(
    "content",
    [b'{"choices": [{"text": "SELECT 1"}, {"text": "SELECT 2"}]}', b"SELECT 1", b'{"text": "a"}', b"5", b"\xff\xfe"],
)
def test_a_script_that_cannot_be_read_is_a_setup_error(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "script.jsonl"
    path.write_bytes(content)
    with pytest.raises(SetupError, match="script"):
        read_script(path)


def test_a_missing_script_is_a_setup_error(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match="Check the path"):
        read_script(tmp_path / "none.jsonl")
