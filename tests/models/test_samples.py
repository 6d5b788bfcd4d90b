"""Several choices as several calls."""

from __future__ import annotations

import threading

import pytest

from dragoman.errors import ModelError
from dragoman.models import Choice, OnText, Reply, Settings, Usage
from dragoman.models.samples import ask_each_sample, sample_seed


def answer(draw: Settings, on_text: OnText | None) -> Reply:
    if on_text:
        on_text(f"sample {draw.sample}")
    return Reply((Choice(f"sample {draw.sample}"),), Usage(1, 10, 2), 0.25, 1.0)


@pytest.mark.parametrize("parallel", [1, 3])
def test_choices_keep_their_order_and_only_the_first_streams(parallel: int) -> None:
    heard: list[str] = []
    reply = ask_each_sample(answer, Settings(n=5, sample=7), heard.append, parallel)
    assert [choice.text for choice in reply.choices] == [f"sample {i}" for i in range(7, 12)]
    assert heard == ["sample 7"]
    assert reply.usage == Usage(5, 50, 10)
    assert reply.cost == 1.25
    assert reply.seconds == (5.0 if parallel == 1 else 1.0)


def test_one_unknown_cost_makes_the_sum_unknown() -> None:
    def ask(draw: Settings, on_text: OnText | None) -> Reply:
        return Reply((Choice(),), cost=None if draw.sample == 1 else 1.0, stored=draw.sample == 0)

    reply = ask_each_sample(ask, Settings(n=2), None)
    assert reply.cost is None
    assert not reply.stored


def test_samples_run_at_once_up_to_the_number_allowed() -> None:
    meeting = threading.Barrier(3, timeout=20)

    def ask(draw: Settings, on_text: OnText | None) -> Reply:
        meeting.wait()
        return answer(draw, on_text)

    assert len(ask_each_sample(ask, Settings(n=3), None, parallel=3).choices) == 3


def test_an_error_ends_the_request() -> None:
    def ask(draw: Settings, on_text: OnText | None) -> Reply:
        raise ModelError("no")

    with pytest.raises(ModelError):
        ask_each_sample(ask, Settings(n=3), None, parallel=2)


def test_no_samples_make_no_request() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        ask_each_sample(answer, Settings(n=0), None)


def test_each_sample_has_its_own_seed() -> None:
    seeds = {sample_seed(Settings(seed=seed, sample=sample)) for seed in range(20) for sample in range(20)}
    assert len(seeds) == 400
    assert all(seed is not None and 0 <= seed < 2**31 for seed in seeds)
    assert sample_seed(Settings(sample=3)) is None


def test_after_an_error_no_further_sample_is_asked_for() -> None:
    asked: list[int] = []

    def ask(draw: Settings, on_text: OnText | None) -> Reply:
        asked.append(draw.sample)
        raise ModelError(f"sample {draw.sample}")

    with pytest.raises(ModelError, match="sample 0"):
        ask_each_sample(ask, Settings(n=50), None, parallel=2)
    assert len(asked) <= 2
