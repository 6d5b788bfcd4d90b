"""Recordings and their replay."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dragoman.errors import ModelError, SetupError
from dragoman.models import (
    Choice,
    Message,
    RecordedModel,
    Reply,
    Request,
    ScriptedModel,
    Settings,
    Tool,
    Usage,
    request_key,
)
from dragoman.models.recorded import Recording, read_recordings, write_recording

ASK = [Message("system", "Answer in SQL."), Message("user", "How many singers?\nAnswer:")]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "recorded" / "replies.jsonl"


def record(path: Path, *replies: str | Reply, name: str = "openai:x") -> RecordedModel:
    return RecordedModel(path, ScriptedModel(list(replies), name=name), "record")


def test_what_was_recorded_is_replayed(path: Path) -> None:
    paid = Reply((Choice("SELECT 1"),), Usage(1, 10, 2), 0.25, 2.0)
    tools = [Tool("run_sql", "runs", {"type": "object"})]
    assert record(path, paid).complete(ASK, tools) == paid
    replayed = RecordedModel(path)
    assert replayed.complete(ASK, tools) == Reply(paid.choices, paid.usage, 0.0, 0.0, stored=True)
    assert (replayed.name, replayed.local) == ("openai:x", True)


def test_samples_stay_distinct(path: Path) -> None:
    record(path, "a", "b").complete(ASK, settings=Settings(n=2, temperature=1.0))
    replay = RecordedModel(path).complete(ASK, settings=Settings(n=2, temperature=1.0))
    assert [choice.text for choice in replay.choices] == ["a", "b"]


def test_recording_again_asks_only_for_what_is_new(path: Path) -> None:
    record(path, "a").complete(ASK)
    model = record(path, "b")
    assert model.complete(ASK).text == "a"
    assert model.complete([Message("user", "other")]).text == "b"
    assert len(path.read_text().splitlines()) == 2


def test_a_line_can_be_read_and_written_by_people(path: Path) -> None:
    request = Request("by hand", (Message("user", "Wie viele Sänger? 歌手"),))
    path.parent.mkdir()
    line = {
        "answered_by": "hand",
        "request": {"model": "by hand", "messages": [{"role": "user", "text": "Wie viele Sänger? 歌手"}]},
        "reply": {"choices": [{"text": "SELECT 1"}]},
    }
    path.write_text(json.dumps(line, ensure_ascii=False) + "\n", encoding="utf-8")
    assert RecordedModel(path).complete(request.messages).text == "SELECT 1"
    (recording,) = read_recordings(path).values()
    assert recording == Recording(request, Reply((Choice("SELECT 1"),)), "hand")
    written = path.with_name("again.jsonl")
    write_recording(written, recording)
    assert "歌手" in written.read_text(encoding="utf-8")
    assert read_recordings(written) == {request_key(request): recording}


def test_an_unseen_request_names_the_nearest_and_the_difference(path: Path) -> None:
    model = record(path, "a", "b")
    model.complete(ASK)
    model.complete([Message("user", "something else entirely")])
    with pytest.raises(ModelError) as caught:
        RecordedModel(path).complete([ASK[0], Message("user", "How many bands?\nAnswer:")])
    message = str(caught.value)
    assert request_key(Request("openai:x", tuple(ASK)))[:12] in message
    assert "How many singers?" in message
    assert "How many bands?" in message
    assert "something else" not in message


def test_a_long_difference_is_cut(path: Path) -> None:
    record(path, "a").complete([Message("user", "\n".join(f"line {i}" for i in range(100)))])
    with pytest.raises(ModelError, match="lines more"):
        RecordedModel(path).complete([Message("user", "\n".join(f"row {i}" for i in range(100)))])


def test_a_key_that_does_not_fit_its_request_is_refused(path: Path) -> None:
    record(path, "a").complete(ASK)
    path.write_text(path.read_text().replace("singers", "bands"))
    with pytest.raises(SetupError, match=r"line 1 is not a recording \(its key is not that of its request"):
        RecordedModel(path)


@pytest.mark.parametrize("line", ["not json", "{}", "[]", '{"request": {}, "reply": {}}'])
def test_a_line_that_is_no_recording_is_refused(path: Path, line: str) -> None:
    path.parent.mkdir()
    path.write_text(line + "\n")
    with pytest.raises(SetupError, match="line 1"):
        RecordedModel(path)


def test_an_incomplete_last_line_is_left_out(path: Path) -> None:
    model = record(path, "a", "b")
    model.complete(ASK)
    model.complete([Message("user", "other")])
    path.write_bytes(path.read_bytes()[:-30])
    with pytest.warns(RuntimeWarning, match="incomplete line"):
        assert RecordedModel(path).complete(ASK).text == "a"
    with pytest.warns(RuntimeWarning, match="incomplete line"):
        record(path, "c").complete([Message("user", "other")])
    assert RecordedModel(path).complete([Message("user", "other")]).text == "c"


def test_a_file_is_about_one_model(path: Path) -> None:
    record(path, "a").complete(ASK)
    with pytest.raises(SetupError, match=r"several models \(openai:x, other\)"):
        record(path, "b", name="other")


def test_nothing_to_replay(path: Path) -> None:
    with pytest.raises(SetupError, match="Check the path"):
        RecordedModel(path)
    path.parent.mkdir()
    path.write_text("")
    with pytest.raises(ModelError, match="holds no recordings"):
        RecordedModel(path).complete(ASK)
    with pytest.raises(SetupError, match="needs a model"):
        RecordedModel(path, mode="record")


def test_a_replayed_reply_is_shown(path: Path) -> None:
    record(path, "SELECT 1").complete(ASK)
    heard: list[str] = []
    RecordedModel(path).complete(ASK, on_text=heard.append)
    assert heard == ["SELECT 1"]
