"""The embedded model itself, with its real weights."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import textwrap
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from dragoman.databases import connect
from dragoman.errors import ModelError, SetupError
from dragoman.models.embedded import EmbeddedModel
from dragoman.models.model import Message, Settings, Tool
from dragoman.schema import Column, ForeignKey, Schema, Table

CONCERTS = Schema(
    (
        Table("singer", (Column("singer_id", "int", primary_key=1), Column("name", "text"), Column("age", "int"))),
        Table(
            "concert",
            (Column("concert_id", "int", primary_key=1), Column("venue", "text"), Column("singer_id", "int")),
            foreign_keys=(ForeignKey(("singer_id",), "singer", ("singer_id",)),),
        ),
    )
)
FIXTURES = Path(__file__).parents[1] / "fixtures" / "grammar"
SHORT = Settings(max_tokens=6)
COUNTING = "One, two, three. " * 20


def raw(text: str) -> list[Message]:
    return [Message("raw", text)]


def asked(model: EmbeddedModel, question: str) -> tuple[list[Message], Settings]:
    form = model.sql_form
    assert form is not None
    settings = Settings(max_tokens=60, stop=form.stop, grammar=form.grammar(CONCERTS), adapter=True)
    return raw(form.prompt(CONCERTS, question, ())), settings


def run(script: str, states: Path) -> subprocess.Popen[str]:
    """A process of its own that begins with a model."""
    begin = f"""
        from pathlib import Path
        from dragoman.models.embedded import EmbeddedModel
        from dragoman.models.model import Message, Settings
        model = EmbeddedModel(threads=1, states=Path({str(states)!r}))
        prompt = [Message("raw", {COUNTING!r})]
    """
    code = textwrap.dedent(begin) + textwrap.dedent(script)
    return subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_what_it_says_of_itself(embedded_model: EmbeddedModel) -> None:
    assert embedded_model.name == "embedded"
    assert embedded_model.local


def test_the_sql_form_is_answered_in_sql(embedded_model: EmbeddedModel) -> None:
    messages, settings = asked(embedded_model, "How many singers are there?")
    heard: list[str] = []
    reply = embedded_model.complete(messages, settings=settings, on_text=heard.append)
    assert embedded_model.sql_form is not None
    assert embedded_model.sql_form.sql(reply.text, CONCERTS) == "SELECT COUNT(*) FROM singer"
    assert "".join(heard) == reply.text
    assert reply.choices[0].finish == "stop"
    assert reply.cost == 0.0
    assert embedded_model.load_seconds > 0


def test_whatever_is_sampled_can_be_prepared(embedded_model: EmbeddedModel, tmp_path: Path) -> None:
    form, connection = embedded_model.sql_form, sqlite3.connect(tmp_path / "shop.sqlite")
    connection.executescript((FIXTURES / "shop.sql").read_text("utf-8"))
    schema = connect(str(tmp_path / "shop.sqlite")).schema()
    assert form is not None
    wild = Settings(1.5, 5, n=3, max_tokens=200, stop=form.stop, grammar=form.grammar(schema), adapter=True)
    reply = embedded_model.complete(raw(form.prompt(schema, "「日本語」 of the biggest customer?", ())), settings=wild)
    for choice in reply.choices:
        assert choice.finish == "stop"
        connection.execute(f"EXPLAIN {form.sql(choice.text, schema)}")
    connection.close()


def test_a_chat_with_its_own_template(embedded_model: EmbeddedModel) -> None:
    messages = [Message("system", "You are terse."), Message("user", "Say hello.")]
    reply = embedded_model.complete(messages, settings=SHORT)
    assert reply.text
    assert 0 < reply.usage.completion_tokens <= 6
    assert reply.usage.prompt_tokens > 12
    assert reply.usage.calls == 1


def test_tools_reach_the_template(embedded_model: EmbeddedModel) -> None:
    parameters = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
    tools = [Tool("weather", "The weather of a city", parameters)]
    reply = embedded_model.complete([Message("user", "Weather in Rome?")], tools, SHORT)
    assert reply.choices[0].text or reply.choices[0].tool_calls


def test_a_grammar_and_a_json_schema_bind(embedded_model: EmbeddedModel) -> None:
    yes = embedded_model.complete(raw("Is the sky green? "), settings=Settings(grammar='root ::= "maybe" | "perhaps"'))
    assert yes.text in ("maybe", "perhaps")
    shape = {
        "type": "object",
        "properties": {"n": {"type": "integer", "minimum": 1, "maximum": 9}},
        "required": ["n"],
        "additionalProperties": False,
    }
    for messages in (raw("A number as JSON: "), [Message("user", "A number?")]):
        reply = embedded_model.complete(messages, settings=Settings(max_tokens=40, json_schema=shape))
        assert 1 <= json.loads(reply.text)["n"] <= 9


def test_samples_are_distinct_and_seeded(embedded_model: EmbeddedModel) -> None:
    settings = Settings(temperature=1.5, seed=3, n=4, max_tokens=8)

    def texts(settings: Settings) -> Sequence[str]:
        return [choice.text for choice in embedded_model.complete(raw("Once upon a time"), settings=settings).choices]

    first = texts(settings)
    assert len(set(first)) > 1
    assert texts(replace(settings, n=1, sample=2)) == [first[2]]
    assert texts(replace(settings, seed=4)) != first


def test_choices_side_by_side_are_the_samples_one_by_one(embedded_model: EmbeddedModel) -> None:
    messages, settings = asked(embedded_model, "What are the names and ages of the singers at each venue?")
    settings = replace(settings, temperature=2.0, seed=11, sample=1, n=7, max_tokens=40, logprobs=True)
    together = embedded_model.complete(messages, settings=settings)
    alone = [embedded_model.complete(messages, settings=replace(settings, n=1, sample=i)) for i in range(1, 8)]
    assert len({choice.text for choice in together.choices}) > 1
    assert together.choices == tuple(reply.choices[0] for reply in alone)
    assert together.usage.calls == 2
    assert together.usage.completion_tokens == sum(reply.usage.completion_tokens for reply in alone)


@pytest.mark.slow
def test_a_form_prompt_longer_than_a_slot_is_read_all_the_same(embedded_model: EmbeddedModel) -> None:
    messages, settings = asked(embedded_model, "How many singers are there? " * 300)
    reply = embedded_model.complete(messages, settings=replace(settings, n=2, temperature=0.5))
    assert len(reply.choices) == 2
    assert reply.usage.prompt_tokens > 2 * 1536


def test_logprobs_of_every_token(embedded_model: EmbeddedModel) -> None:
    settings = Settings(max_tokens=4, logprobs=True)
    for messages in (raw("One, two, three,"), [Message("user", "Count to four.")]):
        choice = embedded_model.complete(messages, settings=settings).choices[0]
        assert "".join(text for text, _ in choice.logprobs) == choice.text
        assert all(value <= 0 for _, value in choice.logprobs)


def test_the_adapter_is_off_unless_it_is_asked_for(embedded_model: EmbeddedModel) -> None:
    messages, on = asked(embedded_model, "How many concerts are there?")
    on = replace(on, grammar="")
    off = replace(on, adapter=False)
    with_adapter = embedded_model.complete(messages, settings=on).text
    without = embedded_model.complete(messages, settings=off).text
    assert with_adapter != without
    for settings, text in ((on, with_adapter), (off, without), (off, without), (on, with_adapter)):
        assert embedded_model.complete(messages, settings=settings).text == text


def test_a_second_question_costs_its_own_tokens(embedded_model: EmbeddedModel, tmp_path: Path) -> None:
    embedded_model.complete(raw("Something else altogether, to clear the slot."), settings=SHORT)
    messages, settings = asked(embedded_model, "What are the names of all singers?")
    whole = embedded_model.complete(messages, settings=settings).usage
    messages, settings = asked(embedded_model, "Which venues are there?")
    own = embedded_model.complete(messages, settings=settings).usage
    assert own.cached_tokens > 30
    assert own.prompt_tokens - own.cached_tokens < 20 < whole.prompt_tokens


def test_what_is_cached_changes_no_number(weights: Path, tmp_path: Path) -> None:
    settings = Settings(max_tokens=5, logprobs=True, adapter=True)

    def choices(model: EmbeddedModel, text: str) -> object:
        return model.complete(raw(text), settings=settings).choices

    with EmbeddedModel(threads=1, states=tmp_path) as model:
        fresh = choices(model, COUNTING + "Two")
        assert choices(model, COUNTING + "Two") == fresh
        choices(model, COUNTING[:100] + "Two")
        assert choices(model, COUNTING + "Two") == fresh
    with EmbeddedModel(threads=1, states=tmp_path) as model:
        assert choices(model, COUNTING + "Two") == fresh


def test_the_prefix_survives_the_process(weights: Path, tmp_path: Path) -> None:
    script = "print(model.complete(prompt, settings=Settings(max_tokens=1)).usage.cached_tokens)"
    counts = []
    for _ in range(2):
        process = run(script, tmp_path)
        out, err = process.communicate(timeout=120)
        assert err == ""
        counts.append(int(out))
    assert counts[0] == 0
    assert counts[1] > 100


def test_a_damaged_state_is_as_good_as_none(weights: Path, tmp_path: Path) -> None:
    prompt = raw(COUNTING)
    with EmbeddedModel(threads=1, states=tmp_path) as model:
        fresh = model.complete(prompt, settings=SHORT)
    for state in tmp_path.glob("*.state"):
        state.write_bytes(state.read_bytes()[:-1000] + b"x" * 1000)
    with EmbeddedModel(threads=1, states=tmp_path) as model:
        again = model.complete(prompt, settings=SHORT)
    assert again.usage.cached_tokens == 0
    assert again.text == fresh.text


def test_threads_wait_for_each_other(embedded_model: EmbeddedModel) -> None:
    prompts = [raw(f"{word} is") for word in ("Rome", "Bread", "Winter", "Gold")]
    alone = [embedded_model.complete(prompt, settings=SHORT).text for prompt in prompts]
    with ThreadPoolExecutor(4) as pool:
        together = [reply.text for reply in pool.map(lambda p: embedded_model.complete(p, settings=SHORT), prompts)]
    assert together == alone


def test_an_interrupted_reply_leaves_the_model_usable(embedded_model: EmbeddedModel) -> None:
    def stop(text: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        embedded_model.complete(raw("Once upon a time"), settings=Settings(max_tokens=500), on_text=stop)
    assert embedded_model.complete(raw("Once upon a time"), settings=SHORT).text


def test_a_prompt_that_is_too_long(embedded_model: EmbeddedModel) -> None:
    with pytest.raises(ModelError, match="at most 8192"):
        embedded_model.complete(raw("word " * 9000))
    assert embedded_model.complete(raw("word"), settings=SHORT).usage.prompt_tokens > 0


def test_requests_that_make_no_sense(embedded_model: EmbeddedModel) -> None:
    with pytest.raises(ValueError, match="stands alone"):
        embedded_model.complete([*raw("a"), Message("user", "b")])


def test_another_gguf_file(weights: Path, tmp_path: Path) -> None:
    path = tmp_path / "模型 1.gguf"
    path.symlink_to(weights)
    with EmbeddedModel(path, threads=1, context=512, states=tmp_path / "states") as model:
        assert model.sql_form is None
        assert model.name == f"embedded:{path}"
        assert model.complete([Message("user", "Hello")], settings=SHORT).text
        with pytest.raises(ModelError, match="at most 512"):
            model.complete(raw("word " * 600))
        model.close()
        assert model.complete(raw("Hello"), settings=SHORT).text


def test_files_that_are_no_model(weights: Path, tmp_path: Path) -> None:
    (tmp_path / "text.gguf").write_text("not a model")
    for name, complaint in (("absent.gguf", "no file"), ("text.gguf", "cannot be loaded")):
        with pytest.raises(SetupError, match=complaint):
            EmbeddedModel(tmp_path / name, states=tmp_path).complete(raw("a"))


def test_weights_that_are_not_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DRAGOMAN_CACHE", str(tmp_path))
    with pytest.raises(SetupError, match="dragoman model install"):
        EmbeddedModel().complete(raw("a"))


def test_nothing_is_printed_and_the_process_ends(weights: Path, tmp_path: Path) -> None:
    script = """
        import threading
        begun = threading.Event()
        settings = Settings(max_tokens=4000, grammar='root ::= "a"+')
        request = {"settings": settings, "on_text": lambda text: begun.set()}
        threading.Thread(target=model.complete, args=[prompt], kwargs=request, daemon=True).start()
        begun.wait(60)
    """
    process = run(script, tmp_path)
    assert process.communicate(timeout=120) == ("", "")
    assert process.returncode == 0


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals and forks are POSIX")
def test_an_interrupt_arrives_between_two_tokens(weights: Path, tmp_path: Path) -> None:
    script = """
        first = lambda text: print("begun", flush=True)
        try:
            model.complete(prompt, settings=Settings(max_tokens=4000, grammar='root ::= "a"+'), on_text=first)
        except KeyboardInterrupt:
            print("stopped")
    """
    process = run(script, tmp_path)
    assert process.stdout is not None
    process.stdout.readline()
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=120)
    assert out.splitlines()[-1] == "stopped"


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_forked_child_loads_its_own(weights: Path, tmp_path: Path) -> None:
    script = """
        import os
        text = model.complete(prompt, settings=Settings(max_tokens=3)).text
        child = os.fork()
        if child == 0:
            os._exit(0 if model.complete(prompt, settings=Settings(max_tokens=3)).text == text else 1)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    """
    process = run(script, tmp_path)
    out, _ = process.communicate(timeout=120)
    assert out == "0\n"
