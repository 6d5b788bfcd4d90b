"""One edit is recognised, and the keys of halves find every text that is one away."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dragoman.linking.one_edit import half_keys, is_one_edit, keys_within_one_edit

letters = st.text("abcé", max_size=9)


def neighbours(text: str) -> set[str]:
    """All texts over four letters that one edit makes of `text`."""
    found = {text}
    for place in range(len(text) + 1):
        found |= {text[:place] + letter + text[place:] for letter in "abcé"}
        if place < len(text):
            found.add(text[:place] + text[place + 1 :])
            found |= {text[:place] + letter + text[place + 1 :] for letter in "abcé"}
        if place + 1 < len(text):
            found.add(text[:place] + text[place + 1] + text[place] + text[place + 2 :])
    return found


@given(letters, letters)
def test_an_edit_is_recognised(one: str, other: str) -> None:
    assert is_one_edit(one, other) == (other in neighbours(one))


@given(letters.filter(lambda text: len(text) >= 2))
def test_the_keys_find_every_neighbour(value: str) -> None:
    head, tail = half_keys(value)
    for asked in neighbours(value):
        assert any(head == key or tail == other for key, other in keys_within_one_edit(asked)), asked
