from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial

import pytest

from dragoman.ensemble.at_once import at_once
from dragoman.errors import SetupError
from dragoman.models import Message, ModelsByRole, ScriptedModel
from dragoman.models.stoppable import Stopped, raise_if_stopped, stoppable


@pytest.mark.parametrize("workers", [1, 2, 5, 20])
def test_results_come_in_the_order_of_the_calls(workers: int) -> None:
    assert at_once([partial(int, str(n)) for n in range(10)], workers) == tuple(range(10))
    assert at_once([], workers) == ()


def test_the_first_exception_stops_the_others_at_their_next_model_call() -> None:
    model = ScriptedModel(lambda request: "hm")
    generator = ModelsByRole(model).for_role("generator")
    failed = threading.Event()

    def fail() -> str:
        failed.set()
        raise SetupError("Wrong key.")

    def ask_for_ever() -> str:
        failed.wait()
        while True:
            generator.complete([Message("user", "hi")])

    calls: list[Callable[[], str]] = [ask_for_ever, fail, *[ask_for_ever] * 20]
    with pytest.raises(SetupError, match="Wrong key"):
        at_once(calls, 4)
    assert not [thread for thread in threading.enumerate() if thread.name == "dragoman-at-once"]


def test_a_stop_around_holds_inside_and_one_inside_ends_with_it() -> None:
    with stoppable() as outer:
        with stoppable():
            raise_if_stopped()
        raise_if_stopped()
        outer.set()
        with stoppable(), pytest.raises(Stopped):
            raise_if_stopped()
    raise_if_stopped()
