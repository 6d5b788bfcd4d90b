"""Requests to llama.cpp and what its chunks add up to, without a model."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.models.embedded.requests import ReplyText, prompt_text, request_body
from dragoman.models.model import Message, Settings, Tool, ToolCall

TOOL = Tool("weather", "The weather", {"type": "object"})


def test_a_raw_message_is_a_completion() -> None:
    settings = Settings(max_tokens=9, stop=("\n",), grammar='root ::= "a"', json_schema={"type": "null"}, logprobs=True)
    chat, body = request_body([Message("raw", "text")], (), settings)
    assert not chat
    assert body["prompt"] == "text"
    assert (body["max_tokens"], body["stop"], body["grammar"]) == (9, ["\n"], 'root ::= "a"')
    assert (body["json_schema"], body["logprobs"]) == ({"type": "null"}, 1)


def test_other_messages_are_a_chat() -> None:
    call = ToolCall("1", "weather", '{"city": "Rome"}')
    messages = [Message("user", "?"), Message("assistant", "", (call,)), Message("tool", "sun", tool_call_id="1")]
    chat, body = request_body(messages, [TOOL], Settings(json_schema={"type": "null"}))
    assert chat
    assert body["messages"][1]["tool_calls"][0]["function"] == {"name": "weather", "arguments": '{"city": "Rome"}'}
    assert body["messages"][2] == {"role": "tool", "content": "sun", "tool_call_id": "1"}
    assert body["tools"][0]["function"]["parameters"] == {"type": "object"}
    assert body["response_format"]["json_schema"] == {"schema": {"type": "null"}}
    assert body["max_tokens"] > 0


@pytest.mark.parametrize("tools", [(), (TOOL,)])
def test_a_raw_message_stands_alone(tools: tuple[Tool, ...]) -> None:
    messages = [Message("raw", "a")] if tools else [Message("raw", "a"), Message("user", "b")]
    with pytest.raises(ValueError, match="alone"):
        request_body(messages, tools, Settings())


@given(st.integers(0, 2**40), st.integers(0, 100))
def test_seeds_are_of_the_runtime_and_differ_by_sample(seed: int, sample: int) -> None:
    def sent(settings: Settings) -> Any:
        return request_body([Message("raw", "")], (), settings)[1]["seed"]

    here = sent(Settings(seed=seed, sample=sample))
    assert 0 <= here < 2**32 - 1  # the last one asks for a random seed
    assert here != sent(Settings(seed=seed, sample=sample + 1))
    assert here == sent(Settings(seed=seed, sample=sample))


@given(st.text(), st.text())
def test_texts_begin_alike_where_prompts_do(one: str, two: str) -> None:
    assert prompt_text([Message("raw", one)], ()) == one
    shared = prompt_text([Message("system", one), Message("user", two)], ())
    assert prompt_text([Message("system", one), Message("user", two + "!")], ()).startswith(shared[:-4])


def test_a_streamed_completion() -> None:
    heard: list[str] = []
    reply = ReplyText(heard.append)
    token = {"content": [{"token": "b", "logprob": -0.5}]}
    for choice in ({"text": "a"}, {"text": "b", "logprobs": token}, {"text": "", "finish_reason": "length"}):
        reply.add({"choices": [choice]})
    reply.add({"choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 2}, "timings": {"cache_n": 5}})
    done = reply.reply(1.5)
    assert heard == ["a", "b"]
    assert (done.text, done.choices[0].finish, done.choices[0].logprobs) == ("ab", "length", (("b", -0.5),))
    assert (done.usage.prompt_tokens, done.usage.cached_tokens, reply.read_tokens) == (7, 5, 2)
    assert (done.usage.calls, done.cost, done.seconds) == (1, 0.0, 1.5)


def test_choices_of_one_request() -> None:
    heard: list[str] = []
    reply = ReplyText(heard.append)
    for index, text in ((0, "a"), (1, "x"), (1, "y"), (0, "b")):
        reply.add({"choices": [{"index": index, "text": text}]})
    for index in (1, 0):
        usage = {"prompt_tokens": 7, "completion_tokens": 2}
        ended = {"index": index, "text": "", "finish_reason": "stop"}
        reply.add({"choices": [ended], "usage": usage, "timings": {"cache_n": 5}})
    done = reply.reply(1.0)
    assert [choice.text for choice in done.choices] == ["ab", "xy"]
    assert heard == ["a", "b"]
    assert (done.usage.calls, done.usage.prompt_tokens, done.usage.completion_tokens) == (1, 7, 4)
    assert reply.read_tokens == 2
    assert request_body([Message("raw", "")], (), Settings(n=3))[1]["n"] == 3


def test_streamed_tool_calls() -> None:
    reply, arguments = ReplyText(None), json.dumps({"city": "Rome"})
    pieces: list[dict[str, Any]] = [
        {"index": 0, "id": "x", "function": {"name": "weather", "arguments": ""}},
        {"index": 0, "function": {"arguments": arguments[:5]}},
        {"index": 1, "id": "y", "function": {"name": "time", "arguments": "{"}},
        {"index": 0, "function": {"arguments": arguments[5:]}},
    ]
    for piece in pieces:
        reply.add({"choices": [{"delta": {"content": None, "tool_calls": [piece]}}]})
    reply.add({"choices": [{"delta": {}, "finish_reason": "tool_calls"}]})
    choice = reply.reply(0.0).choices[0]
    assert choice.tool_calls == (ToolCall("x", "weather", arguments), ToolCall("y", "time", "{"))
    assert choice.finish == "tool_calls"
