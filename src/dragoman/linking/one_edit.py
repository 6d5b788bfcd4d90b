"""Texts that differ by one edit, and the keys by which such a pair can be found."""

from __future__ import annotations

from collections.abc import Iterator
from zlib import crc32

SHORTEST = 5
"""Characters; shorter texts differ by one edit from too many others."""


def is_one_edit(one: str, other: str) -> bool:
    """Whether a character added, left out or changed, or two neighbours changed round, makes one into the other.

    Equal texts are too.
    """
    if abs(len(one) - len(other)) > 1:
        return False
    start = 0
    while start < min(len(one), len(other)) and one[start] == other[start]:
        start += 1
    rest, rest_of_other = one[start:], other[start:]
    return (
        rest[1:] == rest_of_other[1:]
        or rest[1:] == rest_of_other
        or rest == rest_of_other[1:]
        or (rest[:2] == rest_of_other[1::-1] and rest[2:] == rest_of_other[2:])
    )


def half_keys(text: str) -> tuple[int, int]:
    """Keys of the first and the last half of a text that is to be found."""
    half = len(text) // 2
    return _key(len(text), "<", text[:half]), _key(len(text), ">", text[half:])


def keys_within_one_edit(text: str) -> Iterator[tuple[int, int]]:
    """(key of the first half, key of the last half) for each length that a text one edit away may have.

    An edit leaves one half as it was, or changes two neighbours round across the middle, so that every such text has
    at least one of these keys for its own length.
    """
    for length in (len(text), len(text) - 1, len(text) + 1):
        half = length // 2
        yield _key(length, "<", text[:half]), _key(length, ">", text[len(text) - (length - half) :])
    middle = len(text) // 2
    yield half_keys(text[: middle - 1] + text[middle : middle + 1] + text[middle - 1 : middle] + text[middle + 1 :])


def _key(length: int, side: str, half: str) -> int:
    return crc32(f"{length}{side}{half}".encode("utf-8", "surrogatepass"))
