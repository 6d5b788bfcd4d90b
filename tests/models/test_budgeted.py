"""Limits on calls, tokens and money."""

from __future__ import annotations

import threading

import pytest

from dragoman.errors import BudgetSpent, ModelUnavailable, SetupError
from dragoman.models import Budget, BudgetedModel, Choice, Message, Reply, Request, ScriptedModel, Settings, Usage

ASK = [Message("user", "x" * 30)]  # counted as 10 tokens


def spending(prompt: int = 10, completion: int = 5, cost: float | None = 0.0, stored: bool = False) -> ScriptedModel:
    return ScriptedModel(lambda _: Reply((Choice("a"),), Usage(1, prompt, completion), cost, stored=stored))


def test_calls_are_counted_over_several_models() -> None:
    budget = Budget(calls=3)
    one, other = BudgetedModel(spending(), budget), BudgetedModel(spending(), budget)
    one.complete(ASK)
    other.complete(ASK, settings=Settings(n=1))
    one.complete(ASK)
    with pytest.raises(BudgetSpent, match=r"budget of 3 calls \(3 made\)"):
        other.complete(ASK)


def test_the_call_that_would_pass_is_not_made() -> None:
    inner = spending()
    with pytest.raises(BudgetSpent):
        BudgetedModel(inner, Budget(calls=2)).complete(ASK, settings=Settings(n=3))
    assert inner.requests == []


def test_tokens_are_estimated_before_and_counted_after() -> None:
    inner, budget = spending(prompt=10, completion=5), Budget(tokens=40)
    model = BudgetedModel(inner, budget)
    with pytest.raises(BudgetSpent, match="40 tokens"):
        model.complete(ASK, settings=Settings(max_tokens=31))
    model.complete(ASK, settings=Settings(max_tokens=30))
    assert budget.spent == (1, 15, 0.0)
    model.complete(ASK)
    with pytest.raises(BudgetSpent, match="30 used"):
        model.complete(ASK)  # 30 used, and 10 + 5 expected, the longest completion so far
    assert len(inner.requests) == 2


def test_dollars_are_priced_before() -> None:
    inner, budget = spending(cost=0.5), Budget(dollars=1.0)
    model = BudgetedModel(inner, budget, price=lambda usage: usage.calls * 0.5)
    model.complete(ASK)
    model.complete(ASK)
    with pytest.raises(BudgetSpent, match=r"\$1 \(\$1\.0000 spent\)"):
        model.complete(ASK)


def test_an_unknown_price_cannot_be_limited_in_dollars() -> None:
    inner = ScriptedModel(["a"], local=False)
    with pytest.raises(SetupError, match="price of this model is unknown"):
        BudgetedModel(inner, Budget(dollars=1.0)).complete(ASK)
    assert inner.requests == []
    assert BudgetedModel(inner, Budget(calls=1)).complete(ASK).text == "a"


def test_local_models_cost_nothing() -> None:
    assert BudgetedModel(ScriptedModel(["a"]), Budget(dollars=0.0)).complete(ASK).text == "a"


def test_a_failed_call_counts_as_a_call() -> None:
    budget = Budget(calls=1, tokens=100)
    model = BudgetedModel(ScriptedModel([ModelUnavailable("down")]), budget)
    with pytest.raises(ModelUnavailable):
        model.complete(ASK)
    assert budget.spent == (1, 0, 0.0)
    with pytest.raises(BudgetSpent):
        model.complete(ASK)


def test_stored_replies_spend_nothing() -> None:
    budget = Budget(calls=1)
    model = BudgetedModel(spending(stored=True), budget)
    for _ in range(3):
        model.complete(ASK)
    assert budget.spent == (0, 0, 0.0)


def test_threads_cannot_pass_the_limit_together() -> None:
    meeting = threading.Barrier(4, timeout=20)

    def answer(request: Request) -> str:
        return "a"

    model, ends = BudgetedModel(ScriptedModel(answer), Budget(calls=10)), []

    def ask() -> None:
        meeting.wait()
        for _ in range(5):
            try:
                ends.append(model.complete(ASK).text)
            except BudgetSpent:
                ends.append("spent")

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(ends) == ["a"] * 10 + ["spent"] * 10


def test_running_calls_count() -> None:
    started, go_on = threading.Event(), threading.Event()

    def answer(request: Request) -> str:
        started.set()
        go_on.wait(20)
        return "a"

    model = BudgetedModel(ScriptedModel(answer), Budget(calls=1))
    thread = threading.Thread(target=model.complete, args=(ASK,))
    thread.start()
    assert started.wait(20)
    with pytest.raises(BudgetSpent):
        model.complete(ASK)
    go_on.set()
    thread.join()
