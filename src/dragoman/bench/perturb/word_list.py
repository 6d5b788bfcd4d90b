"""Lists of words that stand beside the code."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def read_word_list(file: str) -> dict[str, str]:
    """Word -> what stands after it on its line; lines that begin with # are left out."""
    text = files("dragoman.bench.perturb").joinpath(file).read_text(encoding="utf-8")
    return dict(line.split() for line in text.splitlines() if line and not line.startswith("#"))
