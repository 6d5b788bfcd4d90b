"""A run in a few lines, for whoever reflects on it."""

from __future__ import annotations

from collections.abc import Sequence

from dragoman.solver import Step

LONGEST_STEP = 300
"""Characters of a thought, an argument or an observation; the middle of longer ones is left out."""
LONGEST = 4_000
"""Characters of the whole."""


def condense(steps: Sequence[Step]) -> str:
    """What was thought, called and seen, a line each; the beginning and the end where it is long."""
    lines = [line for step in steps for line in _lines(step)]
    text = "\n".join(lines)
    if len(text) <= LONGEST:
        return text
    return f"{text[: LONGEST // 2]}\n[...]\n{text[-LONGEST // 2 :]}"


def _lines(step: Step) -> list[str]:
    if step.kind == "tool":
        called = f"{step.data['tool']}: {_short(str(step.data['argument']))}"
        return [f"- {called}", f"  -> {step.data['outcome']}: {_short(step.text)}"]
    if step.kind == "model" and step.text.strip():
        return [f"- thought: {_short(step.text)}"]
    return []


def _short(text: str) -> str:
    flat = " ".join(text.split())
    if len(flat) <= LONGEST_STEP:
        return flat
    half = LONGEST_STEP // 2
    return f"{flat[:half]} [...] {flat[-half:]}"
