"""The key of a request."""

from __future__ import annotations

import dataclasses
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from dragoman.models import Message, Request, Settings, Tool, request_key
from tests.models.any_request import objects, requests


def reversed_order(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: reversed_order(value[key]) for key in reversed(list(value))}
    if isinstance(value, list):
        return [reversed_order(item) for item in value]
    return value


def at_sample(request: Request, sample: int) -> Request:
    return dataclasses.replace(request, settings=dataclasses.replace(request.settings, sample=sample))


@given(requests, st.integers(0, 1000), st.integers(0, 1000))
def test_distinct_samples_have_distinct_keys(request_: Request, one: int, other: int) -> None:
    same = request_key(at_sample(request_, one)) == request_key(at_sample(request_, other))
    assert same == (one == other)


@given(requests, objects)
def test_the_order_of_keys_does_not_count(request_: Request, schema: dict[str, Any]) -> None:
    tool = Tool("t", "d", schema)
    one = dataclasses.replace(
        request_,
        tools=(tool,),
        settings=dataclasses.replace(request_.settings, json_schema=schema),
    )
    other = dataclasses.replace(
        request_,
        tools=(dataclasses.replace(tool, parameters=reversed_order(schema)),),
        settings=dataclasses.replace(request_.settings, json_schema=reversed_order(schema)),
        parameters=reversed_order(request_.parameters),
    )
    assert request_key(one) == request_key(other)


@given(requests, requests)
def test_only_equal_requests_share_a_key(one: Request, other: Request) -> None:
    assert one == other or request_key(one) != request_key(other)


def test_every_part_counts() -> None:
    plain = Request("m", (Message("user", "hi"),))
    others = [
        dataclasses.replace(plain, model="n"),
        dataclasses.replace(plain, messages=(Message("system", "hi"),)),
        dataclasses.replace(plain, messages=(Message("user", "hi"), Message("user", ""))),
        dataclasses.replace(plain, tools=(Tool("t", ""),)),
        dataclasses.replace(plain, parameters={"a": 1}),
        *(
            dataclasses.replace(plain, settings=setting)
            for setting in (
                Settings(temperature=0.1),
                Settings(seed=0),
                Settings(sample=1),
                Settings(n=2),
                Settings(max_tokens=5),
                Settings(stop=("a",)),
                Settings(grammar="root ::= a"),
                Settings(json_schema={}),
                Settings(logprobs=True),
                Settings(adapter=True),
            )
        ),
    ]
    assert len({request_key(request) for request in [plain, *others]}) == len(others) + 1


def test_whole_and_decimal_temperatures_are_one() -> None:
    whole, decimal = (Request("m", (), settings=Settings(temperature=t)) for t in (1, 1.0))
    assert request_key(whole) == request_key(decimal)


def test_the_key_is_the_same_in_every_version() -> None:
    request = Request("m", (Message("user", "Grüße 数"),), settings=Settings(temperature=0.5, sample=2))
    assert request_key(request) == "44aaf3459fb7e7a0a15a3c10c619035c4d6a4bb300f26eb4acef3750a035bb7e"
