"""The address of a model's server."""

from __future__ import annotations

import pytest

from dragoman.errors import SetupError
from dragoman.models.base_url import check_base_url, is_loopback


def test_a_slash_at_the_end_does_not_count() -> None:
    assert check_base_url(" http://localhost:8080/v1/ ") == "http://localhost:8080/v1"


@pytest.mark.parametrize("url", ["", "localhost:8080", "ftp://host", "http://", "http://[::1", "http://host:x", "/v1"])
def test_what_is_no_address_is_refused(url: str) -> None:
    with pytest.raises(SetupError, match="http://localhost:8080/v1"):
        check_base_url(url)


@pytest.mark.parametrize("url", ["http://user:secret@host/v1", "https://host/v1?key=secret", "https://host/#secret"])
def test_secrets_in_an_address_are_refused_and_not_repeated(url: str) -> None:
    with pytest.raises(SetupError, match="environment variable") as caught:
        check_base_url(url)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("url", "own"),
    [
        ("http://localhost:8080/v1", True),
        ("http://127.0.0.1", True),
        ("http://127.1.2.3:1", True),
        ("http://[::1]:8080/v1", True),
        ("http://model.localhost", True),
        ("http://192.168.0.5:8000", False),
        ("https://localhost.example.com", False),
        ("https://api.example.com", False),
    ],
)
def test_loopback(url: str, own: bool) -> None:
    assert is_loopback(url) is own
