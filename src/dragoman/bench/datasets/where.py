"""Where public sets are to be had, for the sentence that an absent file gives, and what to know of their figures."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from pathlib import Path

from dragoman.errors import SetupError


def absent(name: str, folder: Path, path: Path) -> SetupError:
    """The error for a set that lacks `path`: what it is, where to get it, how it must lie below `folder`."""
    known = _known(name)
    layout = known["layout"].replace("FOLDER", str(folder))
    return SetupError(
        f"{path} is absent. Get {known['title']} from {known['get']}, and lay it out as {layout}; "
        "or name another folder with --data."
    )


def note(name: str) -> str:
    """What a reader of figures over this set must know, "" if nothing."""
    return _known(name).get("note", "")


def _known(name: str) -> dict[str, str]:
    text = files("dragoman.bench.datasets").joinpath("where.toml").read_text(encoding="utf-8")
    known: dict[str, str] = tomllib.loads(text)[name]
    return known
