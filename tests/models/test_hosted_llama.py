"""A hosted model against llama.cpp's own HTTP server, with the real embedded weights."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from dragoman.errors import ModelError, SetupError
from dragoman.models import HostedModel, Message, OnText, RetryingModel, Settings, Tool, ToolCall
from dragoman.models.embedded import weights

xllamacpp = pytest.importorskip("xllamacpp", reason="the embedded runtime is not installed")
pytestmark = pytest.mark.slow

KEY = "key-of-the-llama-server"
ASK = [Message("system", "You are a helpful assistant."), Message("user", "Name the capital of France in one word.")]
CITY = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
    "additionalProperties": False,
}
LISTENERS = [None, lambda text: None]


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """A server on loopback that asks for a key, with a chat template that knows tools."""
    if not weights.status().sound:
        pytest.skip("the embedded weights are not installed; run `dragoman model install`")
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(weights.path())
    parameters.chat_template = Path(__file__).with_name("tools_template.jinja").read_text()
    parameters.n_ctx, parameters.n_parallel = 2048, 1
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = 1
    parameters.verbosity = -1
    parameters.warmup = parameters.fit_params = parameters.ui = False
    parameters.use_jinja = True
    parameters.api_keys, parameters.hostnames = [KEY], ["127.0.0.1"]
    server = xllamacpp.Server(parameters)
    yield f"{server.listening_address}/v1"
    del server


@pytest.fixture(scope="module")
def model(url: str) -> RetryingModel:
    """As every user has it: with another try where the server drops a connection."""
    return RetryingModel(HostedModel("smollm2", url, KEY, timeout=300.0))


def test_it_answers_whole_and_streamed_alike(model: RetryingModel) -> None:
    heard: list[str] = []
    settings = Settings(max_tokens=12, logprobs=True)
    whole, streamed = model.complete(ASK, settings=settings), model.complete(ASK, [], settings, heard.append)
    assert "Paris" in whole.text
    assert streamed.text == "".join(heard) == whole.text
    assert len(heard) > 1
    for reply in (whole, streamed):
        assert reply.usage.calls == 1
        assert reply.usage.prompt_tokens > 10
        assert 0 < reply.usage.completion_tokens <= 12
        assert reply.choices[0].logprobs
        assert all(value <= 0 for _, value in reply.choices[0].logprobs)


@pytest.mark.parametrize("listen", LISTENERS, ids=["whole", "streamed"])
def test_it_calls_a_tool(model: RetryingModel, listen: OnText | None) -> None:
    tool = Tool("get_weather", "The weather in a city.", CITY)
    talk: list[Message] = []
    for number, city in enumerate(("Paris", "Oslo")):
        call = ToolCall(f"call-{number}", "get_weather", json.dumps({"city": city}))
        talk += [Message("user", f"What is the weather in {city}?"), Message("assistant", "", (call,))]
    talk.append(Message("user", "What is the weather in Rome?"))
    choice = model.complete(talk, [tool], Settings(max_tokens=60), listen).choices[0]
    assert [call.name for call in choice.tool_calls] == ["get_weather"]
    assert json.loads(choice.tool_calls[0].arguments) == {"city": "Rome"}
    assert choice.finish == "tool_calls"


@pytest.mark.parametrize("listen", LISTENERS, ids=["whole", "streamed"])
def test_a_grammar_is_obeyed(model: RetryingModel, listen: OnText | None) -> None:
    settings = Settings(grammar='root ::= "SELECT " [0-9]', max_tokens=10)
    text = model.complete(ASK, settings=settings, on_text=listen).text
    assert text[:-1] == "SELECT "
    assert text[-1].isdigit()


def test_a_json_schema_is_obeyed(model: RetryingModel) -> None:
    schema = {**CITY, "properties": {"city": {"type": "string", "enum": ["Paris", "Rome"]}}}
    reply = model.complete(ASK, settings=Settings(json_schema=schema, max_tokens=40))
    assert json.loads(reply.text)["city"] in ("Paris", "Rome")


def test_samples_differ_and_can_be_repeated(model: RetryingModel) -> None:
    story = [Message("user", "Tell me a story.")]
    settings = Settings(temperature=1.5, seed=7, n=3, max_tokens=12)
    first, again = model.complete(story, settings=settings), model.complete(story, settings=settings)
    assert len({choice.text for choice in first.choices}) == 3
    assert first.choices == again.choices


def test_a_stop_word_ends_the_reply(model: RetryingModel) -> None:
    assert "Paris" not in model.complete(ASK, settings=Settings(stop=("Paris",), max_tokens=12)).text


def test_a_wrong_key_and_a_wrong_path_are_set_up_errors(url: str) -> None:
    with pytest.raises(SetupError, match="refused the key"):
        HostedModel("smollm2", url, "another-key").complete(ASK)
    with pytest.raises(SetupError, match="was not found"):
        HostedModel("smollm2", url + "/nowhere", KEY).complete(ASK)


def test_a_prompt_that_is_too_long_is_rejected(model: RetryingModel) -> None:
    with pytest.raises(ModelError, match="rejected the request") as caught:
        model.complete([Message("user", "word " * 3000)])
    assert type(caught.value) is ModelError, "another try would not help"
