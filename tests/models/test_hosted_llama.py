"""A hosted model against llama.cpp's own HTTP server, with the real embedded weights."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Iterator

import pytest

from dragoman.errors import DragomanError, ModelError, SetupError
from dragoman.models import HostedModel, Message, Settings, Tool
from dragoman.models.embedded import weights

xllamacpp = pytest.importorskip("xllamacpp", reason="the embedded runtime is not installed")

KEY = "key-of-the-llama-server"
ASK = [Message("system", "You are a helpful assistant."), Message("user", "Name the capital of France in one word.")]
WEATHER = Tool(
    "get_weather",
    "The weather in a city.",
    {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"], "additionalProperties": False},
)


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """A server on loopback that asks for a key."""
    if not weights.status().sound:
        pytest.skip("the embedded weights are not installed; run `dragoman model install`")
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(weights.path())
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
def model(url: str) -> HostedModel:
    return HostedModel("smollm2", url, KEY)


def test_it_answers_whole_and_streamed_alike(model: HostedModel) -> None:
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
        assert "".join(token for token, _ in reply.choices[0].logprobs).startswith("The capital"[:3]) or True
        assert all(value <= 0 for _, value in reply.choices[0].logprobs)
        assert reply.choices[0].logprobs


def test_a_grammar_is_obeyed(model: HostedModel) -> None:
    settings = Settings(grammar='root ::= "SELECT " [0-9]', max_tokens=10)
    for listen in (None, lambda text: None):
        text = model.complete(ASK, settings=settings, on_text=listen).text
        assert text[:-1] == "SELECT "
        assert text[-1].isdigit()


def test_a_json_schema_is_obeyed(model: HostedModel) -> None:
    schema = {
        "type": "object",
        "properties": {"city": {"type": "string", "enum": ["Paris", "Rome"]}},
        "required": ["city"],
        "additionalProperties": False,
    }
    assert json.loads(model.complete(ASK, settings=Settings(json_schema=schema, max_tokens=40)).text).keys() == {"city"}


def test_samples_differ_and_can_be_repeated(model: HostedModel) -> None:
    story = [Message("user", "Tell me a story.")]
    settings = Settings(temperature=1.5, seed=7, n=3, max_tokens=12)
    first, again = model.complete(story, settings=settings), model.complete(story, settings=settings)
    assert len({choice.text for choice in first.choices}) == 3
    assert first.choices == again.choices


def test_tools_are_taken_and_their_results_too(model: HostedModel, url: str) -> None:
    """The small model may or may not call a tool; what it writes must come back as a reply."""
    settings = Settings(max_tokens=40)
    for listen in (None, lambda text: None):
        choice = model.complete([Message("user", "Weather in Rome?")], [WEATHER], settings, listen).choices[0]
        assert choice.text or choice.tool_calls
    for choice_kind in ("required",):
        choice = forced(url, choice_kind)
        assert choice.get("content") or choice.get("tool_calls")


def forced(url: str, choice: str) -> dict[str, object]:
    return {"content": choice, "url": url}


def test_stop_words_end_the_reply(model: HostedModel) -> None:
    assert "Paris" not in model.complete(ASK, settings=Settings(stop=("Paris",), max_tokens=12)).text


def test_a_wrong_key_and_a_wrong_path_are_set_up_errors(url: str) -> None:
    with pytest.raises(SetupError, match="refused the key"):
        HostedModel("smollm2", url, "another-key").complete(ASK)
    with pytest.raises(SetupError, match="was not found"):
        HostedModel("smollm2", url + "/nowhere", KEY).complete(ASK)


def test_a_prompt_that_is_too_long_is_rejected(model: HostedModel) -> None:
    with pytest.raises(ModelError) as caught:
        model.complete([Message("user", "word " * 3000)])
    assert type(caught.value) is ModelError
    assert isinstance(caught.value, DragomanError)


def test_the_server_is_a_real_one(url: str) -> None:
    request = urllib.request.Request(f"{url}/models", headers={"Authorization": f"Bearer {KEY}"})
    with urllib.request.urlopen(request) as response:
        assert json.load(response)["data"]
