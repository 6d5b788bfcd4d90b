"""Whatever a server sends, a request ends in a reply or in an error of ours."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dragoman.errors import DragomanError
from dragoman.models import HostedModel, Message
from dragoman.models.request import reply_from_record, reply_to_record
from tests.models.any_request import json_values
from tests.models.chat_server import ChatServer, answer_status

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]

ASK = [Message("user", "How many singers?")]
CALL = {"index": 0, "id": "c", "type": "function", "function": {"name": "run_sql", "arguments": "{}"}}
USAGE = {"prompt_tokens": 12, "completion_tokens": 3, "total_tokens": 15}


def reply(part: str, finish: str | None) -> dict[str, Any]:
    content = {"role": "assistant", "content": "SELECT 1", "tool_calls": [CALL]}
    logprobs = {"content": [{"token": "SELECT", "logprob": -0.5, "bytes": None, "top_logprobs": []}], "refusal": None}
    choice = {"index": 0, part: content, "finish_reason": finish, "logprobs": logprobs}
    return {"id": "c", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice], "usage": USAGE}


def paths(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner: list[tuple[Any, Any]] = []
    if isinstance(value, (dict, list)):
        inner = list(value.items() if isinstance(value, dict) else enumerate(value))
    return [path, *(found for key, item in inner for found in paths(item, (*path, key)))]


def changed(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    if not path:
        return new
    whole = copy.deepcopy(value)
    place = whole
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = new
    return whole


def broken(part: str, finish: str | None) -> st.SearchStrategy[Any]:
    good = reply(part, finish)
    return st.tuples(st.sampled_from(paths(good)), json_values).map(lambda drawn: changed(good, *drawn))


def ends_well(server: ChatServer, body: str, kind: str, streamed: bool) -> None:
    server.behaviours.append(answer_status(200, body, Content_Type=kind))
    model = HostedModel("m", server.url)
    try:
        answer = model.complete(ASK, on_text=(lambda text: None) if streamed else None)
    except DragomanError:
        return
    assert isinstance(answer.text, str)
    assert all(isinstance(call.arguments, str) for call in answer.choices[0].tool_calls)
    assert reply_from_record(json.loads(json.dumps(reply_to_record(answer)))) == answer


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(body=broken("message", "stop"))
def test_any_whole_reply(server: ChatServer, body: Any) -> None:
    ends_well(server, json.dumps(body), "application/json", streamed=False)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(body=broken("delta", None))
def test_any_streamed_reply(server: ChatServer, body: Any) -> None:
    last = reply("delta", "stop")
    text = f"data: {json.dumps(body)}\n\ndata: {json.dumps(last)}\n\ndata: [DONE]\n\n"
    ends_well(server, text, "text/event-stream", streamed=True)
