"""What hosted models send and what they make of replies, over HTTP."""

from __future__ import annotations

import json
import threading
import time
from typing import Any

import pytest

from dragoman.errors import SetupError
from dragoman.models import HostedModel, Message, Settings, Tool, ToolCall, Usage
from dragoman.models.samples import sample_seed
from tests.models.chat_server import ChatServer, Handler, say

ASK = [Message("system", "Answer in SQL."), Message("user", "How many singers?")]
SCHEMA = {
    "type": "object",
    "properties": {"sql": {"type": "string"}},
    "required": ["sql"],
    "additionalProperties": False,
}
RUN = Tool("run_sql", "Runs a query.", SCHEMA)


def providers(server: ChatServer) -> list[HostedModel]:
    return [
        HostedModel("some-model", server.url),
        HostedModel("anthropic:claude-sonnet-4-6", server.root, "key-for-tests"),
        HostedModel("google:gemini-2.5-flash", server.root, "key-for-tests"),
    ]


def test_every_provider_answers_whole_and_streamed(server: ChatServer) -> None:
    for model in providers(server):
        server.behaviours += [say("SELECT count(*) FROM singer")] * 2
        heard: list[str] = []
        whole, streamed = model.complete(ASK), model.complete(ASK, on_text=heard.append)
        assert whole.text == streamed.text == "".join(heard) == "SELECT count(*) FROM singer"
        assert len(heard) > 1
        assert whole.usage == streamed.usage == Usage(1, 12, 3)
        assert whole.choices[0].finish == "stop"
        assert whole.cost is None, "a server at another address may use a known name"
        assert not whole.stored


def test_tools_go_out_and_calls_come_back(server: ChatServer) -> None:
    for model in providers(server)[:2]:
        for listen in (None, lambda text: None):
            server.behaviours.append(say("", (("run_sql", '{"sql": "SELECT 1"}'),)))
            choice = model.complete(ASK, [RUN], on_text=listen).choices[0]
            assert choice.tool_calls == (ToolCall("call-0", "run_sql", '{"sql": "SELECT 1"}'),)
            assert (choice.text, choice.finish) == ("", "tool_calls")
    openai, anthropic = server.seen[0].body["tools"][0], server.seen[-1].body["tools"][0]
    assert (openai["function"]["name"], openai["function"]["parameters"]["required"]) == ("run_sql", ["sql"])
    assert (anthropic["name"], anthropic["input_schema"]["required"]) == ("run_sql", ["sql"])


def test_a_broken_tool_call_is_a_reply(server: ChatServer) -> None:
    model = HostedModel("m", server.url)
    for listen in (None, lambda text: None):
        server.behaviours.append(say("", (("run_sql", '{"sql": "SEL'),), finish="length"))
        choice = model.complete(ASK, [RUN], on_text=listen).choices[0]
        assert choice.tool_calls[0].arguments == '{"sql": "SEL'
        assert choice.finish == "length"


def test_a_conversation_with_tools_goes_out_whole(server: ChatServer) -> None:
    talk = [
        *ASK,
        Message("assistant", "Let me see.", (ToolCall("c9", "run_sql", '{"sql": "SELECT 1"}'),)),
        Message("tool", "1 row: 1", tool_call_id="c9"),
        Message("assistant", "", (ToolCall("c10", "run_sql", '{"sql": "SEL'),)),
        Message("tool", "The arguments are not JSON.", tool_call_id="c10"),
    ]
    for model in providers(server):
        model.complete(talk, [RUN])
    openai, anthropic, google = (seen.body for seen in server.seen)
    assert [message["role"] for message in openai["messages"]] == [message.role for message in talk]
    assert json.loads(openai["messages"][2]["tool_calls"][0]["function"]["arguments"]) == {"sql": "SELECT 1"}
    assert openai["messages"][3] == {"role": "tool", "tool_call_id": "c9", "content": "1 row: 1"}
    broken = json.loads(openai["messages"][4]["tool_calls"][0]["function"]["arguments"])
    assert list(broken.values()) == ['{"sql": "SEL'], "broken JSON is wrapped, because servers refuse it"
    assert [message["role"] for message in anthropic["messages"]] == ["user", "assistant", "user", "assistant", "user"]
    assert anthropic["messages"][2]["content"][0]["tool_use_id"] == "c9"
    assert len(google["contents"]) == 5


def test_settings_reach_the_server(server: ChatServer) -> None:
    settings = Settings(0.7, seed=5, sample=2, max_tokens=9, stop=(";",), grammar="root ::= x", logprobs=True)
    choice = HostedModel("m", server.url, extra={"top_k": 4}).complete(ASK, settings=settings).choices[0]
    assert choice.logprobs == (("SELECT ", -0.5), ("1", -0.5))
    body = server.seen[0].body
    assert body["temperature"] == 0.7
    assert body["seed"] == sample_seed(settings)
    assert body["max_completion_tokens"] == 9
    assert body["stop"] == [";"]
    assert (body["grammar"], body["top_k"], body["logprobs"]) == ("root ::= x", 4, True)


def test_a_plain_request_holds_nothing_else(server: ChatServer) -> None:
    HostedModel("m", server.url).complete(ASK)
    assert server.seen[0].body.keys() == {"model", "messages", "temperature", "stream"}
    assert server.seen[0].path == "/v1/chat/completions"


def test_a_grammar_goes_to_openai_compatible_servers_alone(server: ChatServer) -> None:
    for model in providers(server):
        model.complete(ASK, settings=Settings(grammar="root ::= x"))
    assert ["grammar" in seen.body for seen in server.seen] == [True, False, False]


def test_a_json_schema_is_asked_for_natively_or_in_words(server: ChatServer) -> None:
    models = [*providers(server), HostedModel("anthropic:claude-3-opus-latest", server.root, "key-for-tests")]
    for model in models:
        model.complete(ASK, settings=Settings(json_schema=SCHEMA))
    openai, anthropic, google, older = (seen.body for seen in server.seen)
    assert openai["response_format"]["json_schema"]["schema"]["required"] == ["sql"]
    assert anthropic["output_config"]["format"]["schema"]["required"] == ["sql"]
    assert "sql" in str(google["generationConfig"])
    assert "sql" in str(older["system"])


def test_a_grammar_stands_in_for_a_json_schema(server: ChatServer) -> None:
    settings = Settings(grammar="root ::= x", json_schema=SCHEMA)
    HostedModel("m", server.url).complete(ASK, settings=settings)
    assert "response_format" not in server.seen[0].body


def test_several_choices_are_several_calls(server: ChatServer) -> None:
    reply = HostedModel("m", server.url).complete(ASK, settings=Settings(n=3, seed=1, sample=4))
    assert len(reply.choices) == 3
    assert reply.usage == Usage(3, 36, 9)
    seeds = {sample_seed(Settings(seed=1, sample=sample)) for sample in (4, 5, 6)}
    assert {seen.body["seed"] for seen in server.seen} == seeds


def test_threads_share_a_model(server: ChatServer) -> None:
    model, ends = HostedModel("m", server.url), []

    def ask() -> None:
        ends.append(model.complete(ASK, on_text=lambda text: None).text)

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert ends == ["SELECT 1"] * 8


def test_raw_prompts_are_refused(server: ChatServer) -> None:
    with pytest.raises(SetupError, match="no raw prompt"):
        HostedModel("m", server.url).complete([Message("raw", "SELECT")])
    assert server.seen == []


def test_what_is_local(server: ChatServer) -> None:
    assert HostedModel("m", server.url).local
    assert not HostedModel("m", "https://models.example.com/v1").local
    assert not HostedModel("openai:gpt-4o", None, "key").local


def test_requests_to_this_machine_go_past_proxies(server: ChatServer, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(variable, "http://127.0.0.1:9")
    for model in providers(server):
        assert model.complete(ASK).text == "SELECT 1"


def test_the_name_tells_servers_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    assert HostedModel("m", "http://localhost:1/v1/").name == "m at http://localhost:1/v1"
    assert HostedModel("openai:gpt-4o", None, "key").name == "openai:gpt-4o"
    monkeypatch.setenv("OPENAI_BASE_URL", "https://proxy.example.com/v1")
    assert HostedModel("openai:gpt-4o", None, "key").name == "openai:gpt-4o at https://proxy.example.com/v1"


def test_the_key_is_not_shown() -> None:
    model = HostedModel("openai:gpt-4o", None, "secret-key-0123456789")
    assert repr(model) == "HostedModel('openai:gpt-4o')"
    assert "secret" not in f"{model} {model.name} {model.parameters}"


@pytest.mark.parametrize(
    ("name", "base_url", "dollars"),
    [
        ("openai:gpt-4o", None, 0.0035),
        ("anthropic:claude-sonnet-4-6", None, 0.0045),
        ("openai:no-such-model", None, None),
        ("gpt-4o", "http://localhost:1/v1", None),
        ("gpt-4o", "https://api.openai.com/v1", 0.0035),
    ],
)
def test_prices(name: str, base_url: str | None, dollars: float | None, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("OPENAI_BASE_URL", "ANTHROPIC_BASE_URL"):
        monkeypatch.delenv(variable, raising=False)
    price = HostedModel(name, base_url, "key").price(Usage(1, 1000, 100))
    assert price == (None if dollars is None else pytest.approx(dollars))


def test_a_known_price_is_the_reply_s_cost(server: ChatServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """The price list names models by the address of their server."""
    model = HostedModel("gpt-4o", server.url)
    prices: dict[str, Any] = {"asked": None}

    def price(usage: Usage) -> float:
        prices["asked"] = usage
        return 0.25

    monkeypatch.setattr(model, "price", price)
    assert model.complete(ASK).cost == 0.25
    assert prices["asked"] == Usage(1, 12, 3)


def test_a_connection_is_kept_for_a_moment_and_not_until_servers_close_it(server: ChatServer) -> None:
    ports: list[int] = []

    def behave(handler: Handler, body: dict[str, Any]) -> None:
        ports.append(handler.client_address[1])
        say()(handler, body)

    server.behaviours = [behave] * 3
    model = HostedModel("m", server.url)
    for pause in (0.0, 0.0, 2.5):
        time.sleep(pause)
        model.complete(ASK)
    first, soon, later = ports
    assert first == soon
    assert later != first
