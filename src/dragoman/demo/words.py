"""The word lists beside this file."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any


def words(name: str) -> Any:
    """The content of words/NAME.json."""
    return json.loads(files(__package__).joinpath("words", f"{name}.json").read_text(encoding="utf-8"))
