"""Hypothesis strategies for requests and replies."""

from __future__ import annotations

from hypothesis import strategies as st

from dragoman.models import Choice, Message, Reply, Request, Settings, Tool, ToolCall, Usage

text = st.text(max_size=20)
numbers = st.floats(allow_nan=False, allow_infinity=False)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | numbers | text,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(text, inner, max_size=3),
    max_leaves=8,
)
objects = st.dictionaries(text, json_values, max_size=4)
calls = st.lists(st.builds(ToolCall, text, text, text), max_size=2).map(tuple)
messages = st.builds(Message, st.sampled_from(["system", "user", "assistant", "tool", "raw"]), text, calls, text)
counts = st.integers(0, 10**6)
settings = st.builds(
    Settings,
    temperature=st.floats(0, 2),
    seed=st.none() | st.integers(0, 2**31),
    sample=counts,
    n=st.integers(1, 9),
    max_tokens=st.none() | counts,
    stop=st.lists(text, max_size=3).map(tuple),
    grammar=text,
    json_schema=st.none() | objects,
    logprobs=st.booleans(),
    adapter=st.booleans(),
)
requests = st.builds(
    Request,
    text,
    st.lists(messages, min_size=1, max_size=3).map(tuple),
    st.lists(st.builds(Tool, text, text, objects), max_size=2).map(tuple),
    settings,
    objects,
)
logprobs = st.lists(st.tuples(text, numbers), max_size=3).map(tuple)
choices = st.lists(st.builds(Choice, text, calls, logprobs, text), min_size=1, max_size=3).map(tuple)
usages = st.builds(Usage, counts, counts, counts, counts)
replies = st.builds(Reply, choices, usages, st.none() | numbers, numbers)
