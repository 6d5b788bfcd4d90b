"""Retries, with a clock and a sleep of the test's own."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from dragoman.errors import BudgetSpent, DragomanError, ModelError, ModelUnavailable, SetupError
from dragoman.models import Backoff, Message, OnText, Reply, RetryingModel, ScriptedModel, Settings, Tool
from dragoman.models.scripted import Scripted

ASK = [Message("user", "how many?")]
DOWN = ModelUnavailable("The server answered with status 500.")


class Time:
    """A clock that only sleeping moves. `waits` are the sleeps, in seconds."""

    def __init__(self) -> None:
        self.now = 0.0
        self.waits: list[float] = []

    def clock(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.now += seconds


def retrying(replies: Sequence[Scripted] | Callable[..., Scripted], **backoff: float) -> tuple[RetryingModel, Time]:
    time = Time()
    return RetryingModel(ScriptedModel(replies), Backoff(**backoff), time.clock, time.sleep), time  # type: ignore[arg-type]


def test_another_try_may_help() -> None:
    model, time = retrying([DOWN, DOWN, "SELECT 1"], first=1.0)
    assert model.complete(ASK).text == "SELECT 1"
    assert 0.5 <= time.waits[0] <= 1.0 <= time.waits[1] <= 2.0


def test_the_tries_end() -> None:
    model, time = retrying([DOWN] * 9, tries=3)
    with pytest.raises(ModelUnavailable, match=r"status 500\. Tried 3 times\."):
        model.complete(ASK)
    assert len(time.waits) == 2


def test_the_time_ends() -> None:
    model, time = retrying([DOWN] * 99, tries=99, first=4.0, seconds=20.0)
    with pytest.raises(ModelUnavailable):
        model.complete(ASK)
    assert sum(time.waits) <= 20.0


def test_the_server_says_how_long_to_wait() -> None:
    model, time = retrying([ModelUnavailable("slow down", 7.0), "SELECT 1"])
    model.complete(ASK)
    assert time.waits == [7.0]


def test_a_wait_that_is_too_long_is_not_begun() -> None:
    model, time = retrying([ModelUnavailable("slow down.", 500.0), "SELECT 1"])
    with pytest.raises(ModelUnavailable, match=r"Tried once\. The server asks to wait 500 s"):
        model.complete(ASK)
    assert time.waits == []


@pytest.mark.parametrize("error", [SetupError("wrong key"), ModelError("rejected"), BudgetSpent("spent")])
def test_what_would_fail_again_is_not_tried_again(error: DragomanError) -> None:
    model, time = retrying([error, "SELECT 1"])
    with pytest.raises(type(error)):
        model.complete(ASK)
    assert time.waits == []


def test_jitter_is_the_same_each_time_and_differs_between_requests() -> None:
    runs = []
    for text in ("one", "one", "two"):
        model, time = retrying([DOWN, DOWN, DOWN, "SELECT 1"])
        model.complete([Message("user", text)])
        runs.append(time.waits)
    assert runs[0] == runs[1] != runs[2]
    assert list(Backoff(seed=1).waits("a")) != list(Backoff(seed=2).waits("a"))


def test_each_sample_is_tried_on_its_own() -> None:
    model, _ = retrying(["a", DOWN, "b"])
    assert [choice.text for choice in model.complete(ASK, settings=Settings(n=2)).choices] == ["a", "b"]


class BreakingStream:
    """Streams part of a reply and fails, then answers whole."""

    name = "breaking"
    local = True
    sql_form = None

    def __init__(self, part: str, whole: str) -> None:
        self.part, self.whole = part, whole
        self.listened: list[bool] = []

    def complete(
        self,
        messages: Sequence[Message],
        tools: Sequence[Tool] = (),
        settings: Settings = Settings(),
        on_text: OnText | None = None,
    ) -> Reply:
        self.listened.append(on_text is not None)
        if len(self.listened) == 1:
            if on_text and self.part:
                on_text(self.part)
            raise ModelUnavailable("cut")
        return ScriptedModel([self.whole]).complete(messages, tools, settings, on_text)


@pytest.mark.parametrize(
    ("part", "whole", "heard", "listened"),
    [
        ("SELECT ", "SELECT 1", "SELECT 1", [True, False]),
        ("SELECT ", "WITH a", "SELECT \nWITH a", [True, False]),
        ("", "SELECT 1", "SELECT 1", [True, True]),
    ],
)
def test_a_broken_stream_is_not_shown_twice(part: str, whole: str, heard: str, listened: list[bool]) -> None:
    inner, time = BreakingStream(part, whole), Time()
    pieces: list[str] = []
    reply = RetryingModel(inner, clock=time.clock, sleep=time.sleep).complete(ASK, on_text=pieces.append)
    assert reply.text == whole
    assert "".join(pieces) == heard
    assert inner.listened == listened
