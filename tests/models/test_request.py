"""Requests and replies survive JSON."""

from __future__ import annotations

import dataclasses
import json

import pytest
from hypothesis import given

from dragoman.models import Choice, Message, Reply, Request, Settings
from dragoman.models.request import reply_from_record, reply_to_record, request_from_record, request_to_record
from tests.models.any_request import replies, requests


@given(requests)
def test_a_request_comes_back_from_json(request_: Request) -> None:
    assert request_from_record(json.loads(json.dumps(request_to_record(request_)))) == request_


@given(replies)
def test_a_reply_comes_back_from_json(reply: Reply) -> None:
    assert reply_from_record(json.loads(json.dumps(reply_to_record(reply)))) == reply


def test_defaults_are_left_out() -> None:
    record = request_to_record(Request("m", (Message("user", "hi"),), settings=Settings(seed=3)))
    assert record == {"model": "m", "messages": [{"role": "user", "text": "hi"}], "settings": {"seed": 3}}


def test_stored_is_not_part_of_a_record() -> None:
    reply = Reply((Choice("a"),), stored=True)
    assert reply_from_record(reply_to_record(reply)) == dataclasses.replace(reply, stored=False)


@pytest.mark.parametrize("record", [{}, {"choices": []}, {"choices": [{"nonsense": 1}]}, {"choices": 5}])
def test_what_is_no_reply_is_refused(record: dict[str, object]) -> None:
    with pytest.raises((ValueError, KeyError, TypeError)):
        reply_from_record(record)
