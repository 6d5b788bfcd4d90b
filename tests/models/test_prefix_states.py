"""States of prompts on disk: found by the longest common beginning, whole or not at all, bounded."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.models.embedded.prefix_states import WORTH, PrefixStates, common_length

SCHEMA = "create table singer; " * 20


def keep(states: PrefixStates, text: str, content: bytes = b"state") -> int:
    def save(name: str) -> bool:
        (states.folder / name).write_bytes(content)
        return True

    return states.keep(text, save)


@given(st.text("ab", max_size=8), st.text("ab", max_size=8))
def test_the_common_beginning(one: str, other: str) -> None:
    length = common_length(one, other)
    assert one[:length] == other[:length]
    assert one[length : length + 1] != other[length : length + 1] or length == len(one) == len(other)
    assert common_length(other, one) == length


def test_the_longest_beginning_wins(tmp_path: Path) -> None:
    states = PrefixStates(tmp_path / "states", "model")
    assert states.find(SCHEMA) is None
    keep(states, SCHEMA + "How many?", b"short")
    keep(states, SCHEMA + "How old is she?", b"long")
    found = states.find(SCHEMA + "How old is he?")
    assert found is not None
    assert (states.folder / found.name).read_bytes() == b"long"
    assert found.covered == len(SCHEMA + "How old is ")
    assert states.find("something else " * 50) is None


def test_what_is_held_already_needs_no_state(tmp_path: Path) -> None:
    states = PrefixStates(tmp_path, "model")
    keep(states, SCHEMA)
    assert states.find(SCHEMA) is not None
    assert states.find(SCHEMA, len(SCHEMA) - WORTH) is None


def test_another_model_has_states_of_its_own(tmp_path: Path) -> None:
    keep(PrefixStates(tmp_path, "model"), SCHEMA)
    assert PrefixStates(tmp_path, "model with adapter").find(SCHEMA) is None


@pytest.mark.parametrize("damage", [b"", b"stat", b"STATE", b"state and more"])
def test_a_state_that_is_not_whole_is_ignored(tmp_path: Path, damage: bytes) -> None:
    states = PrefixStates(tmp_path, "model")
    keep(states, SCHEMA)
    next(tmp_path.glob("*.state")).write_bytes(damage)
    assert states.find(SCHEMA) is None


@pytest.mark.parametrize("damage", ["", "{", "[]", '{"text": 3}', '{"text": "a"}', "\ud800"])
def test_a_card_that_cannot_be_read_is_ignored(tmp_path: Path, damage: str) -> None:
    states = PrefixStates(tmp_path, "model")
    keep(states, SCHEMA)
    next(tmp_path.glob("*.json")).write_bytes(damage.encode("utf-8", "surrogatepass"))
    assert states.find(SCHEMA) is None
    keep(states, SCHEMA)
    assert states.find(SCHEMA) is not None


def test_the_folder_keeps_what_was_used_last(tmp_path: Path) -> None:
    states = PrefixStates(tmp_path, "model", limit=250)
    for age, name in ((300, "a"), (200, "b")):
        keep(states, name * 400, b"x" * 100)
        newest = max(tmp_path.glob("*.state"), key=lambda file: file.stat().st_mtime)
        os.utime(newest, (newest.stat().st_atime, newest.stat().st_mtime - age))
    assert states.find("a" * 400) is not None
    keep(states, "c" * 400, b"x" * 100)
    assert states.find("b" * 400) is None
    assert states.find("a" * 400) is not None
    assert states.find("c" * 400) is not None
    assert len(list(tmp_path.iterdir())) == 4


def test_only_the_owner_may_read(tmp_path: Path) -> None:
    states = PrefixStates(tmp_path / "states", "model")
    keep(states, SCHEMA)
    if os.name == "posix":
        assert all(file.stat().st_mode & 0o077 == 0 for file in [states.folder, *states.folder.iterdir()])


def test_a_folder_that_cannot_be_used_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    states = PrefixStates(tmp_path / "file", "model")
    assert keep(states, SCHEMA) == 0
    assert states.find(SCHEMA) is None


def test_a_state_that_could_not_be_saved(tmp_path: Path) -> None:
    states = PrefixStates(tmp_path, "model")
    assert states.keep(SCHEMA, lambda name: False) == 0
    assert list(tmp_path.iterdir()) == []
