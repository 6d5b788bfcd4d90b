"""Where the cache lies on each platform."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from dragoman.models.embedded.cache_folder import cache_folder

HOME = Path.home()


@pytest.mark.parametrize(
    ("platform", "environment", "folder"),
    [
        ("linux", {"DRAGOMAN_CACHE": "/tmp/mine"}, Path("/tmp/mine")),
        ("win32", {"DRAGOMAN_CACHE": "~/mine"}, HOME / "mine"),
        ("linux", {"DRAGOMAN_CACHE": "near"}, Path.cwd() / "near"),
        ("linux", {"DRAGOMAN_CACHE": "", "XDG_CACHE_HOME": "/xdg"}, Path("/xdg/dragoman")),
        ("linux", {"XDG_CACHE_HOME": "not/absolute"}, HOME / ".cache" / "dragoman"),
        ("linux", {}, HOME / ".cache" / "dragoman"),
        ("darwin", {"XDG_CACHE_HOME": "/xdg"}, HOME / "Library" / "Caches" / "dragoman"),
        ("win32", {"LOCALAPPDATA": "/local"}, Path("/local") / "dragoman" / "Cache"),
        ("win32", {}, HOME / "AppData" / "Local" / "dragoman" / "Cache"),
    ],
)
def test_the_folder(monkeypatch: pytest.MonkeyPatch, platform: str, environment: dict[str, str], folder: Path) -> None:
    for name in ("DRAGOMAN_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "platform", platform)
    assert cache_folder() == folder
