"""Secrets in the words of others."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.models.scrub import scrub

keys = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=8, max_size=40)


@given(keys, st.text(max_size=30), st.text(max_size=30))
def test_no_run_of_the_key_remains(key: str, before: str, after: str) -> None:
    clean = scrub(f"{before}{key} {quote(key, safe='')} {key[: len(key) // 2 + 4]}{after}", [key])
    assert not any(key[i : i + 8] in clean for i in range(len(key) - 7) if key[i : i + 8] not in "[removed]")


@pytest.mark.parametrize(
    "text",
    [
        "Incorrect API key provided: sk-abcde***********************wxyz.",
        "Authorization: Bearer abcdefghijklmnop",
        "key AIzaSyA1234567890abcdefghijk not valid",
        "POST https://host/v1?key=abcdefgh1234&alt=sse",
        "http://user:password@host/v1",
        "token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abcdefgh",
    ],
)
def test_what_looks_like_a_key_is_removed(text: str) -> None:
    clean = scrub(text)
    assert "[removed]" in clean
    for secret in ("abcde", "wxyz", "AIza", "password", "eyJ"):
        assert secret not in clean


@pytest.mark.parametrize("text", ["", "The model `gpt-4o` does not exist", "SELECT key FROM tokens WHERE sk = 1"])
def test_other_words_stay(text: str) -> None:
    assert scrub(text, ["a-real-key-123"]) == text
